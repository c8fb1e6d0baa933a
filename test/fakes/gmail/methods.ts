import { z } from "zod";
import type { GmailMailbox } from "./mailbox.ts";
import {
  CHANGES,
  FORMATS,
  type GmailFormat,
  type GmailHistoryRecord,
  type GmailMessage,
  looksIntoTrash,
  matches,
  SYSTEM_LABELS,
} from "./messages.ts";
import { insufficientScopes, invalidArgument, labelExists } from "./refusals.ts";

/** What an API request brings. */
export interface GmailCall {
  mailbox: GmailMailbox;
  /** The ids in the path, in their order. */
  ids: string[];
  query: URLSearchParams;
  body: unknown;
  /** The email that was uploaded; null where the body is JSON. */
  media: Buffer | null;
}

/** What the routes need of the server. */
export interface GmailPost {
  /** Sends an email, whose copy goes into this thread, or a new one. */
  send(mailbox: GmailMailbox, raw: Buffer, threadId: string | undefined): GmailMessage;
  watch(mailbox: GmailMailbox, body: unknown): object;
  stop(mailbox: GmailMailbox): void;
  /** Whether a search by `q` finds this message already. */
  isIndexed(message: GmailMessage): boolean;
  /** Whether the first page of a history is to be a token and no entries. */
  isFirstPageHollow(): boolean;
}

const MessageBody = z.object({ raw: z.string().optional(), threadId: z.string().optional() }).optional();
const DraftBody = z.object({ id: z.string().optional(), message: MessageBody });
const LabelBody = z.object({ name: z.string() });

export function profileOf({ mailbox: { address, messages, historyId } }: GmailCall): object {
  const threads = new Set([...messages.values()].map(({ threadId }) => threadId));
  const [messagesTotal, threadsTotal] = [messages.size, threads.size];
  return { emailAddress: address, messagesTotal, threadsTotal, historyId: String(historyId) };
}

export function createDraft({ mailbox, body, media }: GmailCall): object {
  const { message } = DraftBody.parse(body ?? {});
  const id = mailbox.createDraft(rawOf(message?.raw, media), message?.threadId);
  return { id, message: brief(mailbox.draft(id)) };
}

export function sendMessage({ mailbox, body, media }: GmailCall, post: GmailPost): object {
  const message = MessageBody.parse(body ?? {});
  const raw = rawOf(message?.raw, media);
  return brief(post.send(mailbox, raw, mailbox.threadToJoin(raw, message?.threadId)));
}

export function sendDraft({ mailbox, body, media }: GmailCall, post: GmailPost): object {
  const { id = "", message } = DraftBody.parse(body ?? {});
  const draft = mailbox.draft(id);
  const raw = media !== null || message?.raw !== undefined ? rawOf(message?.raw, media) : draft.raw;
  // The draft goes last, since its thread may be empty without it
  const sent = post.send(mailbox, raw, draft.threadId);
  mailbox.discardDraft(id);
  return brief(sent);
}

export function listMessages({ mailbox, query }: GmailCall, post: GmailPost): object {
  const q = query.get("q") ?? "";
  if (q !== "" && mailbox.scopes.every((scope) => scope.endsWith("gmail.metadata")))
    throw invalidArgument("Metadata scope does not support 'q' parameter");
  const labelIds = query.getAll("labelIds");
  const isTrashRead = query.get("includeSpamTrash") === "true" || looksIntoTrash(q);
  const found = [...mailbox.messages.values()].filter(
    (message) =>
      !message.isHidden &&
      labelIds.every((label) => message.labelIds.includes(label)) &&
      ["SPAM", "TRASH"].every(
        (label) => isTrashRead || labelIds.includes(label) || !message.labelIds.includes(label),
      ) &&
      (q === "" || (post.isIndexed(message) && matches(message, q))),
  );
  const { page, nextPageToken } = pageOf(
    found.reverse().toSorted((one, other) => other.internalDate - one.internalDate),
    query,
  );
  const messages = page.map(({ id, threadId }) => ({ id, threadId }));
  return { ...(messages.length > 0 && { messages }), ...nextPageToken, resultSizeEstimate: found.length };
}

export function listDrafts({ mailbox, query }: GmailCall, post: GmailPost): object {
  const q = query.get("q") ?? "";
  const found = [...mailbox.drafts]
    .map(([id]) => ({ id, message: mailbox.draft(id) }))
    .filter(({ message }) => q === "" || (post.isIndexed(message) && matches(message, q)));
  const { page, nextPageToken } = pageOf(found.reverse(), query);
  const drafts = page.map(({ id, message }) => ({ id, message: { id: message.id, threadId: message.threadId } }));
  return { ...(drafts.length > 0 && { drafts }), ...nextPageToken, resultSizeEstimate: found.length };
}

export function listHistory({ mailbox, query }: GmailCall, post: GmailPost): object {
  const start = query.get("startHistoryId") ?? "";
  if (!/^\d+$/.test(start)) throw invalidArgument("Missing/invalid parameter: startHistoryId");
  const [types, label] = [query.getAll("historyTypes"), query.get("labelId")];
  const isWanted = ({ change, message, labelIds }: GmailHistoryRecord) =>
    (types.length === 0 || types.includes(CHANGES[change])) &&
    (label === null || message.labelIds.includes(label) || labelIds.includes(label));
  const changes = mailbox.changesSince(BigInt(start)).filter(isWanted);
  const historyId = String(mailbox.historyId);
  if (!query.has("pageToken") && post.isFirstPageHollow()) return { nextPageToken: "0", historyId };
  const { page, nextPageToken } = pageOf(changes, query);
  const history = page.map(({ id, change, message, labelIds }) => {
    const { threadId, id: messageId } = message;
    const one = change === "labelsAdded" || change === "labelsRemoved" ? { message, labelIds } : { message };
    return { id: String(id), messages: [{ id: messageId, threadId }], [change]: [one] };
  });
  return { ...(history.length > 0 && { history }), ...nextPageToken, historyId };
}

/** A page token counts what came before it, from the start that the same request names. */
function pageOf<T>(all: T[], query: URLSearchParams): { page: T[]; nextPageToken: object } {
  const size = Math.min(Number(query.get("maxResults") ?? 100), 500);
  const from = Number(query.get("pageToken") ?? 0);
  const next = from + size;
  return { page: all.slice(from, next), nextPageToken: next < all.length ? { nextPageToken: String(next) } : {} };
}

export function listLabels({ mailbox }: GmailCall): object {
  const system = SYSTEM_LABELS.map((id) => ({ id, name: id, type: "system" }));
  return { labels: [...system, ...[...mailbox.labels].map(([id, name]) => ({ id, name, type: "user" }))] };
}

export function createLabel({ mailbox, body }: GmailCall): object {
  const { name } = LabelBody.parse(body);
  if ([...mailbox.labels.values()].includes(name)) throw labelExists();
  const id = `Label_${mailbox.labels.size + 1}`;
  mailbox.labels.set(id, name);
  return { id, name, messageListVisibility: "show", labelListVisibility: "labelShow" };
}

export function brief({ id, threadId, labelIds }: GmailMessage): object {
  return { id, threadId, labelIds };
}

function rawOf(raw: string | undefined, media: Buffer | null): Buffer {
  if (media !== null) return media;
  if (raw === undefined || raw === "")
    throw invalidArgument("'raw' RFC822 payload message string or uploading message via /upload/* URL required");
  if (!/^[\w+/-]+={0,2}$/.test(raw))
    throw invalidArgument("Invalid value at 'message.raw' (TYPE_BYTES), Base64 decoding failed");
  return Buffer.from(raw, "base64url");
}

export function formatOf(mailbox: GmailMailbox, query: URLSearchParams): GmailFormat {
  const format = FORMATS.find((each) => each === (query.get("format") ?? "full").toLowerCase());
  if (format === undefined) throw invalidArgument(`Invalid value at 'format': "${query.get("format")}"`);
  const isMetadataOnly = mailbox.scopes.every((scope) => scope.endsWith("gmail.metadata"));
  if (isMetadataOnly && format !== "metadata" && format !== "minimal") throw insufficientScopes();
  return format;
}
