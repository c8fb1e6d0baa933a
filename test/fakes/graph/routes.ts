import { z } from "zod";
import { type deltaTokens, listMessages } from "./collections.ts";
import { type GraphAnswer, type GraphRoute, refuse } from "./faults.ts";
import type { GraphMailbox } from "./mailbox.ts";
import {
  createMessage,
  deleteMessage,
  getMessage,
  moveMessage,
  patchMessage,
  sendDraft,
  sendMail,
} from "./messages.ts";
import { folderResourceOf } from "./resource.ts";
import { type GraphCall, type GraphCaller, type GraphSettings, isGranted } from "./settings.ts";
import type { GraphTarget } from "./target.ts";
import type { startTransport } from "./transport.ts";
import type { uploadSessions } from "./uploads.ts";

export interface GraphServices {
  settings: GraphSettings;
  transport: ReturnType<typeof startTransport>;
  deltas: ReturnType<typeof deltaTokens>;
  uploads: ReturnType<typeof uploadSessions>;
  mailboxOf: (user: string) => GraphMailbox | undefined;
}

const [READ, WRITE, SEND] = [["Mail.Read", "Mail.ReadWrite"], ["Mail.ReadWrite"], ["Mail.Send"]];
/** One of these scopes is needed. */
const SCOPES: Partial<Record<GraphRoute, readonly string[]>> = {
  create: WRITE,
  createFolder: WRITE,
  patch: WRITE,
  move: WRITE,
  delete: WRITE,
  createUploadSession: WRITE,
  send: SEND,
  sendMail: SEND,
};

export function isAllowed(route: GraphRoute, caller: GraphCaller, isForeign: boolean): boolean {
  return isGranted(caller, SCOPES[route] ?? READ, isForeign);
}

/** The user of a mailbox: consent to mail alone does not show it. */
export function answerUser(mailbox: GraphMailbox | undefined, caller: GraphCaller, host: string): GraphAnswer {
  const isOwn = mailbox !== undefined && mailbox.address === caller.address?.toLowerCase();
  const scopes = ["User.Read.All", "User.ReadBasic.All", ...(isOwn ? ["User.Read"] : [])];
  if (!isGranted(caller, scopes, false)) return refuse("Authorization_RequestDenied");
  if (mailbox === undefined) return refuse("Request_ResourceNotFound");
  const { userId: id, name: displayName, address } = mailbox;
  const context = `${host}/v1.0/$metadata#users/$entity`;
  return {
    status: 200,
    body: { "@odata.context": context, id, displayName, mail: address, userPrincipalName: address },
  };
}

/** Any request at a mailbox, once the token is known and there is room for it. */
export async function answerMailbox(
  request: GraphTarget & Omit<GraphCall, "maySendAs">,
  { settings, transport, deltas, uploads, mailboxOf }: GraphServices,
): Promise<GraphAnswer> {
  const { mailbox, caller, route, rest, host } = request;
  const own = caller.address?.toLowerCase() ?? null;
  const isShared = (one: GraphMailbox | undefined) =>
    one !== undefined && (own === null || one.address === own || one.sharedWith.includes(own));
  const isForeign = own !== null && mailbox.address !== own;
  if (!isAllowed(route, caller, isForeign) || !isShared(mailbox)) return refuse("ErrorAccessDenied");
  if (mailbox.isDisabled) return refuse("MailboxNotEnabledForRESTAPI");
  const call: GraphCall = { ...request, maySendAs: (address) => isShared(mailboxOf(address)) };
  const folderName = route === "folders" && request.id !== "" ? request.id : request.folder;
  const folder = folderName === null ? null : mailbox.folder(folderName);
  if (folder === undefined) return refuse("ErrorItemNotFound");
  switch (route) {
    case "create":
      // A folder of its own works for JSON alone, so it is not built
      return folder === null ? createMessage(call, settings) : refuse("BadRequest");
    case "get":
      return getMessage(call, rest === "$value");
    case "list":
      return listMessages(call, folder?.id ?? null, settings);
    case "delta":
      return deltas.answer(call, folder?.id ?? "");
    case "patch":
      return patchMessage(call);
    case "move":
      return moveMessage(call);
    case "delete":
      return deleteMessage(call);
    case "send":
      return sendDraft(call, settings, transport);
    case "sendMail":
      return sendMail(call, settings, transport);
    case "attach":
      return uploads.attach(call);
    case "createUploadSession":
      return uploads.create(call, settings);
    case "createFolder": {
      const { displayName } = z.object({ displayName: z.string().min(1) }).parse(JSON.parse(request.body.toString()));
      const made = mailbox.createFolder(displayName);
      return made === null ? refuse("ErrorFolderExists") : { status: 201, body: folderResourceOf(mailbox, made) };
    }
    case "folders": {
      const context = `${host}/v1.0/$metadata#users('${mailbox.userId}')/mailFolders`;
      if (folder !== null)
        return { status: 200, body: { "@odata.context": `${context}/$entity`, ...folderResourceOf(mailbox, folder) } };
      const wanted = displayNameOf(request.query);
      if (wanted === null) return refuse("BadRequest", { message: "Invalid filter clause" });
      const all = mailbox.folders
        .filter(({ displayName }) => wanted === "" || displayName.toLowerCase() === wanted.toLowerCase())
        .map((each) => folderResourceOf(mailbox, each));
      const { value, next } = pageOf(all, request.query, settings);
      return {
        status: 200,
        body: {
          "@odata.context": context,
          value,
          ...(next && { "@odata.nextLink": `${request.base}/mailFolders?${next}` }),
        },
      };
    }
    default:
      return refuse("BadRequest");
  }
}

/** The name by which folders are filtered: empty for all, null for a filter that is not understood. */
function displayNameOf(query: URLSearchParams): string | null {
  const filter = query.get("$filter");
  if (filter === null) return "";
  return /^displayName eq '((?:[^']|'')+)'$/.exec(filter)?.[1]?.replaceAll("''", "'") ?? null;
}

function pageOf<T>(
  all: readonly T[],
  query: URLSearchParams,
  settings: GraphSettings,
): { value: T[]; next: string | null } {
  const skip = Number(query.get("$skip") ?? 0);
  const end = skip + Number(query.get("$top") ?? settings.pageSize);
  const next = new URLSearchParams(query);
  next.set("$skip", String(end));
  return { value: all.slice(skip, end), next: end < all.length ? next.toString() : null };
}
