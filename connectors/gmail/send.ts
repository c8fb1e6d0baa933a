import { randomBytes } from "node:crypto";
import { z } from "zod";
import { SECOND_MS } from "../../domain/time/durations.ts";
import { type BearerAccess, isUnasked } from "../bearer-call.ts";
import { callGmail } from "./call.ts";
import { GmailMessage, historySince, readProfile } from "./history.ts";
import { GmailTrouble } from "./trouble.ts";

/**
 * What settles a lost answer: Gmail deletes a draft when it sends it, and gives the sent message another id in the same
 * thread. `historyId` is the state of the mailbox before the draft was made.
 */
export interface GmailDraft {
  draftId: string;
  threadId: string;
  historyId: string;
}

/** How a send ended. `lost`: no one can say yet, and `lookAtDraft` asks. */
export type GmailSent =
  | { kind: "sent"; messageId: string; threadId: string }
  | { kind: "refused"; trouble: GmailTrouble }
  | { kind: "lost"; trouble: GmailTrouble };

/**
 * What the mailbox says about a draft. `gone`: it was sent or deleted. `sent`: the messages that the mailbox has sent
 * since the draft was made; null when the history does not reach back to it.
 */
export type DraftState = { kind: "draft" } | { kind: "gone"; sent: { id: string; threadId: string }[] | null };

/** More is uploaded as it is; in JSON it would grow by a third. */
const MOST_IN_JSON = 3.5 * 1024 * 1024;
const UPLOAD_MS = 120_000;
const SEND_MS = 60_000;
const MAIL_BYTES = 35 * 1024 * 1024;

const Draft = z.object({ id: z.string(), message: GmailMessage.partial().optional() });
const Drafts = z.object({ drafts: z.array(z.object({ id: z.string(), message: GmailMessage })).default([]) });
const MOST_DRAFTS = 50;

/**
 * Puts the email among the drafts, in the thread that it continues, or in a new one when that thread is gone. Nothing is
 * sent, so the call may be repeated. The caller deletes a draft that it does not send.
 * @throws GmailTrouble
 */
export async function createDraft(access: BearerAccess, bytes: Buffer, threadId: string | null): Promise<GmailDraft> {
  if (bytes.length > MAIL_BYTES) throw new GmailTrouble("invalid", { reason: "tooLarge" });
  const { historyId } = await readProfile(access);
  const draft = await putDraft(access, bytes, threadId).catch((error: unknown) => {
    const isRefused = error instanceof GmailTrouble && (error.kind === "gone" || error.kind === "invalid");
    if (!isRefused || threadId === null) throw error;
    return putDraft(access, bytes, null);
  });
  const { message } = draft;
  if (message?.threadId === undefined) throw new GmailTrouble("away", { reason: "draftWithoutThread" });
  return { draftId: draft.id, threadId: message.threadId, historyId };
}

function putDraft(access: BearerAccess, bytes: Buffer, threadId: string | null): Promise<z.output<typeof Draft>> {
  const thread = threadId === null ? {} : { threadId };
  return bytes.length <= MOST_IN_JSON
    ? callGmail(access, "/gmail/v1/users/me/drafts", {
        method: "POST",
        schema: Draft,
        body: { message: { raw: bytes.toString("base64url"), ...thread } },
      })
    : callGmail(access, "/upload/gmail/v1/users/me/drafts?uploadType=multipart", {
        method: "POST",
        schema: Draft,
        media: multipart({ message: thread }, bytes),
        timeoutMs: UPLOAD_MS,
      });
}

/**
 * Sends a draft. It is never repeated: a second request could be for an email that has left. `mayBegin` is asked
 * immediately before the request is written; when it refuses, the email is known to be unsent.
 */
export async function sendDraft(
  access: BearerAccess,
  { draftId }: Pick<GmailDraft, "draftId">,
  mayBegin: () => boolean = () => true,
): Promise<GmailSent> {
  try {
    const { id, threadId } = await callGmail(access, "/gmail/v1/users/me/drafts/send", {
      method: "POST",
      schema: GmailMessage,
      body: { id: draftId },
      timeoutMs: SEND_MS,
      mayBegin,
    });
    return { kind: "sent", messageId: id, threadId };
  } catch (error) {
    if (!(error instanceof GmailTrouble)) throw error;
    return { kind: isBeforeAcceptance(error) ? "refused" : "lost", trouble: error };
  }
}

/**
 * Whether the email is still a draft. After a lost answer this and the headers of the messages sent since decide whether
 * it was sent, and nothing else does.
 * @throws GmailTrouble
 */
export async function lookAtDraft(access: BearerAccess, { draftId, historyId }: GmailDraft): Promise<DraftState> {
  try {
    const path = `/gmail/v1/users/me/drafts/${encodeURIComponent(draftId)}?format=minimal`;
    await callGmail(access, path, { schema: Draft });
    return { kind: "draft" };
  } catch (error) {
    if (!(error instanceof GmailTrouble) || error.kind !== "gone") throw error;
  }
  return { kind: "gone", sent: await sentSince(access, historyId) };
}

/**
 * Deletes a draft that will not be sent. True when it was still a draft: then it can never be sent. False when it was
 * gone.
 * @throws GmailTrouble
 */
export async function deleteDraft(access: BearerAccess, { draftId }: Pick<GmailDraft, "draftId">): Promise<boolean> {
  const path = `/gmail/v1/users/me/drafts/${encodeURIComponent(draftId)}`;
  try {
    await callGmail(access, path, { method: "DELETE", schema: z.unknown() });
    return true;
  } catch (error) {
    if (error instanceof GmailTrouble && error.kind === "gone") return false;
    throw error;
  }
}

/** The drafts that were last written between two instants, at most 50. @throws GmailTrouble */
export async function listDrafts(
  access: BearerAccess,
  from: Date,
  to: Date,
): Promise<{ draftId: string; messageId: string }[]> {
  const [after, before] = [from, to].map((at) => Math.floor(at.getTime() / SECOND_MS));
  const search = new URLSearchParams({ maxResults: String(MOST_DRAFTS), q: `after:${after} before:${before}` });
  const { drafts } = await callGmail(access, `/gmail/v1/users/me/drafts?${search}`, { schema: Drafts });
  return drafts.map(({ id, message }) => ({ draftId: id, messageId: message.id }));
}

/** The messages that were added as sent after the draft was made; null when the history does not reach back to it. */
async function sentSince(access: BearerAccess, historyId: string): Promise<{ id: string; threadId: string }[] | null> {
  const sent: { id: string; threadId: string }[] = [];
  try {
    for await (const { messagesAdded } of historySince(access, historyId, { type: "messageAdded", label: "SENT" }))
      sent.push(...messagesAdded.map(({ message: { id, threadId } }) => ({ id, threadId })));
    return sent;
  } catch (error) {
    if (error instanceof GmailTrouble && error.kind === "gone") return null;
    throw error;
  }
}

/**
 * An answer 4xx comes before Gmail accepts the email. 404 does not: the draft may be gone because an earlier request
 * sent it.
 */
function isBeforeAcceptance({ kind, cause }: GmailTrouble): boolean {
  if (kind === "away") return isUnasked(cause);
  return kind !== "gone";
}

/** A simple upload would lose the thread, so the thread goes beside the email. */
function multipart(metadata: object, bytes: Buffer): { type: string; content: Buffer } {
  const boundary = `outreach-${randomBytes(12).toString("hex")}`;
  const head = `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n--${boundary}\r\nContent-Type: message/rfc822\r\n\r\n`;
  return {
    type: `multipart/related; boundary=${boundary}`,
    content: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--`)]),
  };
}
