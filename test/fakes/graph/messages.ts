import { z } from "zod";
import { headerOf } from "../sent-mail.ts";
import { expandOf, selectOf } from "./collections.ts";
import { type GraphAnswer, refuse } from "./faults.ts";
import { type GraphItem, mintMessageId, newIds } from "./mailbox.ts";
import { MessageJson, mimeIn, mimeOf, withHeader } from "./mime.ts";
import { envelopeOf, jsonOf, resourceOf } from "./resource.ts";
import type { GraphCall, GraphSettings } from "./settings.ts";
import type { startTransport } from "./transport.ts";

type Transport = ReturnType<typeof startTransport>;

const MOST_HEADERS = 5;
/** Of a mailbox by default. */
const MOST_BYTES = 35 * 1_024 * 1_024;

/** A draft from the body of a request, or the answer that refuses it. */
async function draftFrom(call: GraphCall, json: unknown, settings: GraphSettings): Promise<GraphItem | GraphAnswer> {
  const { mailbox, body } = call;
  const conversationId = `AAQkAD${newIds().id.slice(-32)}`;
  const more = { folder: "drafts", isDraft: true, ...(json !== null && { conversationId }) } as const;
  if (isMime(call)) {
    const raw = mimeIn(body);
    if (raw === null) return refuse("ErrorMimeContentInvalidBase64String");
    if (settings.silentOverBytes !== null && raw.length > settings.silentOverBytes) return { status: 200 };
    const own = withHeader(withHeader(raw, "Sender", null), "From", mailbox.from);
    const isMinted = settings.messageId === "minted" || headerOf(raw, "Message-ID") === undefined;
    return mailbox.add({ ...more, raw: isMinted ? withHeader(own, "Message-ID", mintMessageId()) : own });
  }
  const read = MessageJson.safeParse(json ?? parsed(body));
  if (!read.success) return refuse("ErrorInvalidRequest", { message: read.error.message });
  const refusal = headerRefusal(read.data);
  if (refusal !== null) return refusal;
  return mailbox.add({
    ...more,
    json: read.data,
    raw: await mimeOf(read.data, fromOf(call, read.data), mintMessageId()),
  });
}

function isMime({ headers }: GraphCall): boolean {
  return (headers["content-type"] ?? "").startsWith("text/plain");
}

function parsed(body: Buffer): unknown {
  return JSON.parse(body.toString() || "{}");
}

function fromOf({ mailbox }: GraphCall, { from }: MessageJson): string {
  return from?.emailAddress.address ?? mailbox.from;
}

/** JSON sets only headers of one's own. */
function headerRefusal({ internetMessageHeaders = [] }: MessageJson): GraphAnswer | null {
  const foreign = internetMessageHeaders.find(({ name }) => !/^x-/i.test(name));
  const message = `The internet message header name '${foreign?.name}' should start with 'x-' or 'X-'.`;
  if (foreign !== undefined) return refuse("InvalidInternetMessageHeader", { message });
  return internetMessageHeaders.length > MOST_HEADERS ? refuse("InvalidInternetMessageHeaderCollection") : null;
}

export async function createMessage(call: GraphCall, settings: GraphSettings): Promise<GraphAnswer> {
  const made = await draftFrom(call, null, settings);
  return "status" in made ? made : shown(call, made, 201);
}

export async function sendMail(call: GraphCall, settings: GraphSettings, transport: Transport): Promise<GraphAnswer> {
  const Body = z.object({ message: z.unknown(), saveToSentItems: z.boolean().optional() });
  const { message = null, saveToSentItems = true } = isMime(call) ? {} : Body.parse(parsed(call.body));
  const made = await draftFrom(call, message, settings);
  if ("status" in made) return made;
  const refusal = sendRefusal(call, made);
  if (refusal !== null) call.mailbox.remove(made);
  else transport.submit(call.mailbox, made, saveToSentItems);
  return refusal ?? { status: 202 };
}

/** 202 says that the email was saved; transport takes it later. */
export function sendDraft(call: GraphCall, settings: GraphSettings, transport: Transport): GraphAnswer {
  if (call.headers["content-length"] !== "0")
    return call.body.length > 0 ? refuse("ErrorInvalidRequest") : { status: 411 };
  const item = call.mailbox.find(call.id);
  if (item === undefined) return refuse("ErrorItemNotFound");
  if (!item.isDraft) return refuse("ErrorInvalidRequest");
  const refusal = sendRefusal(call, item);
  if (refusal !== null) return refusal;
  const isSecond = transport.isWaiting(item);
  if (isSecond && settings.secondSend === "refused") return refuse("ErrorItemNotFound");
  if (!isSecond || settings.secondSend === "two emails") transport.submit(call.mailbox, item, true);
  return { status: 202 };
}

function sendRefusal(call: GraphCall, item: GraphItem): GraphAnswer | null {
  const from = item.parsed.from?.value[0]?.address?.toLowerCase() ?? "";
  const recipients = envelopeOf(item);
  if (from !== call.mailbox.address && !call.maySendAs(from)) return refuse("ErrorSendAsDenied");
  if (recipients.length === 0 || recipients.some((address) => !/^[^@\s]+@[^@\s]+$/.test(address)))
    return refuse("ErrorInvalidRecipients");
  return item.raw.length > MOST_BYTES ? refuse("ErrorMessageSizeExceeded") : null;
}

export function getMessage(call: GraphCall, isValue: boolean): GraphAnswer {
  const item = call.mailbox.find(call.id);
  if (item === undefined) return refuse("ErrorItemNotFound");
  return isValue ? { status: 200, body: item.raw, headers: { "Content-Type": "text/plain" } } : shown(call, item, 200);
}

/** A change of the content builds the MIME from properties, so headers without a property are lost. */
export async function patchMessage(call: GraphCall): Promise<GraphAnswer> {
  const item = call.mailbox.find(call.id);
  if (item === undefined) return refuse("ErrorItemNotFound");
  const { isRead, flag, categories, ...content } = MessageJson.parse(parsed(call.body));
  if (Object.keys(content).length > 0) {
    if (!item.isDraft) return refuse("ErrorInvalidRequest");
    const refusal = headerRefusal(content);
    if (refusal !== null) return refusal;
    await rebuild(call, item, content);
  }
  item.isRead = isRead ?? item.isRead;
  item.flagStatus = flag?.flagStatus ?? item.flagStatus;
  item.categories = categories ?? item.categories;
  call.mailbox.changed(item);
  return shown(call, item, 200);
}

export async function rebuild(call: GraphCall, item: GraphItem, change: MessageJson): Promise<void> {
  item.json = { ...(item.json ?? jsonOf(item)), ...change };
  await call.mailbox.rewrite(item, await mimeOf(item.json, fromOf(call, item.json), item.parsed.messageId ?? ""));
}

export function moveMessage(call: GraphCall): GraphAnswer {
  const item = call.mailbox.find(call.id);
  const folder = call.mailbox.folder(z.object({ destinationId: z.string() }).parse(parsed(call.body)).destinationId);
  if (item === undefined || folder === undefined) return refuse("ErrorItemNotFound");
  call.mailbox.move(item, folder.id);
  return shown(call, item, 201);
}

/** The first time an item goes to Deleted Items, from there it is gone. */
export function deleteMessage({ mailbox, id }: GraphCall): GraphAnswer {
  const item = mailbox.find(id);
  if (item === undefined) return refuse("ErrorItemNotFound");
  const bin = mailbox.idOf("deleteditems");
  if (item.folderId === bin) mailbox.remove(item);
  else mailbox.move(item, bin);
  return { status: 204 };
}

function shown({ mailbox, host, isImmutable, query }: GraphCall, item: GraphItem, status: number): GraphAnswer {
  const context = `${host}/v1.0/$metadata#users('${mailbox.userId}')/messages/$entity`;
  const expand = expandOf(query);
  if (expand === "unknown") return refuse("BadRequest", { message: "Invalid expand clause" });
  const resource = resourceOf(item, { isImmutable, select: selectOf(query), expand });
  return { status, body: { "@odata.context": context, ...resource } };
}
