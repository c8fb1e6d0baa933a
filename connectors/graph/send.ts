import { z } from "zod";
import { isUnasked } from "../bearer-call.ts";
import { askGraph, callGraph, type GraphAccess } from "./call.ts";
import { deleteMessage } from "./items.ts";
import { createLargeDraft } from "./large-draft.ts";
import { GraphTrouble } from "./trouble.ts";

/** The draft's immutable id is the id of the sent copy too, so it settles a lost answer. */
export interface GraphDraft {
  draftId: string;
}

/** How a send ended. `accepted`: saved and on its way, which is not yet sent. `lost`: `lookAtDraft` asks later. */
export type GraphSent =
  | { kind: "accepted" }
  | { kind: "refused"; trouble: GraphTrouble }
  | { kind: "lost"; trouble: GraphTrouble };

/** `draft`: not sent, or not yet; no one can tell which. `gone`: the item is deleted or was moved to an archive. */
export type GraphDraftState =
  | { kind: "draft" }
  | { kind: "sent"; messageId: string; conversationId: string | null }
  | { kind: "gone" };

/** A request takes 4 MB, and base64 makes a third more of the email. */
export const GRAPH_MAIL_BYTES = 3_000_000;
const SEND_MS = 60_000;

const Created = z.object({ id: z.string().min(1) });
const Drafts = z.object({
  value: z.array(
    z.object({
      id: z.string(),
      createdDateTime: z.string(),
      lastModifiedDateTime: z.string(),
      internetMessageHeaders: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
    }),
  ),
});
const MOST_DRAFTS = 50;
const Looked = z.object({
  isDraft: z.boolean(),
  internetMessageId: z.string().nullable().default(null),
  conversationId: z.string().nullable().default(null),
});

/**
 * Saves the email as a draft, from its MIME text: in JSON Graph refuses the headers for threads and for unsubscribing.
 * Only an email that is too large for one request becomes JSON with files. Nothing leaves, so it may be repeated.
 * @throws GraphTrouble
 */
export async function createDraft(access: GraphAccess, bytes: Buffer): Promise<GraphDraft> {
  if (bytes.length > GRAPH_MAIL_BYTES) return { draftId: await createLargeDraft(access, bytes) };
  const { status, json } = await askGraph(access, `${access.mailbox}/messages`, {
    method: "POST",
    media: { type: "text/plain", content: bytes.toString("base64") },
    timeoutMs: SEND_MS,
  });
  const read = Created.safeParse(json);
  // 200 without an id was seen for large emails of which nothing was saved
  if (status !== 201 || !read.success) throw new GraphTrouble("away", { code: "DraftNotSaved" });
  return { draftId: read.data.id };
}

/**
 * Sends a draft. It is never repeated, whatever the answer says: Graph answered 429, 5xx and 202 with Retry-After for
 * emails that it delivered. `mayBegin` is asked immediately before the request is written; when it refuses, the email
 * is known to be unsent.
 */
export async function sendDraft(
  access: GraphAccess,
  { draftId }: Pick<GraphDraft, "draftId">,
  mayBegin: () => boolean = () => true,
): Promise<GraphSent> {
  try {
    const path = `${access.mailbox}/messages/${encodeURIComponent(draftId)}/send`;
    const { status } = await askGraph(access, path, { method: "POST", timeoutMs: SEND_MS, mayBegin });
    if (status === 202) return { kind: "accepted" };
    return { kind: "lost", trouble: new GraphTrouble("away", { code: `Status${status}` }) };
  } catch (error) {
    if (!(error instanceof GraphTrouble)) throw error;
    return { kind: isBeforeAcceptance(error) ? "refused" : "lost", trouble: error };
  }
}

/** What the mailbox says about a draft. @throws GraphTrouble */
export async function lookAtDraft(access: GraphAccess, { draftId }: GraphDraft): Promise<GraphDraftState> {
  const path = `${access.mailbox}/messages/${encodeURIComponent(draftId)}?$select=isDraft,internetMessageId,conversationId`;
  try {
    const { isDraft, internetMessageId, conversationId } = await callGraph(access, path, { schema: Looked });
    if (isDraft) return { kind: "draft" };
    return internetMessageId === null
      ? { kind: "draft" }
      : { kind: "sent", messageId: internetMessageId, conversationId };
  } catch (error) {
    if (error instanceof GraphTrouble && error.kind === "gone") return { kind: "gone" };
    throw error;
  }
}

/** Deletes a draft that will not be sent; one that is gone is fine. @throws GraphTrouble */
export function deleteDraft(access: GraphAccess, { draftId }: GraphDraft): Promise<void> {
  return deleteMessage(access, draftId);
}

/** The drafts that were made between two instants, at most 50, with their own headers by names in lower case. @throws GraphTrouble */
export async function listDrafts(
  access: GraphAccess,
  from: Date,
  to: Date,
): Promise<{ draftId: string; createdAt: Date; changedAt: Date; headers: Map<string, string> }[]> {
  const search = new URLSearchParams({
    $select: "createdDateTime,lastModifiedDateTime,internetMessageHeaders",
    $filter: `createdDateTime ge ${from.toISOString()} and createdDateTime le ${to.toISOString()}`,
    $top: String(MOST_DRAFTS),
  });
  const { value } = await callGraph(access, `${access.mailbox}/mailFolders/drafts/messages?${search}`, {
    schema: Drafts,
  });
  return value.map(({ id, createdDateTime, lastModifiedDateTime, internetMessageHeaders }) => ({
    draftId: id,
    createdAt: new Date(createdDateTime),
    changedAt: new Date(lastModifiedDateTime),
    headers: new Map(internetMessageHeaders.map(({ name, value }) => [name.toLowerCase(), value])),
  }));
}

/**
 * These come before Graph takes the email: the token, the rights and the form of the request are checked first.
 */
function isBeforeAcceptance({ kind, status, cause }: GraphTrouble): boolean {
  if (status === null) return isUnasked(cause);
  return BEFORE.includes(status) || (kind === "off" && status === 404);
}

const BEFORE = [400, 401, 403, 413];
