import { readHeaders } from "../../connectors/gmail/messages.ts";
import * as gmail from "../../connectors/gmail/send.ts";
import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import type { GraphAccess } from "../../connectors/graph/call.ts";
import * as graph from "../../connectors/graph/send.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";

/** How far back drafts are looked for: a worker that died is replaced sooner. */
const DAYS = 7;
/** A provider may write a draft in several steps. A person who edits it comes later. */
const WRITING_MS = MINUTE_MS;

/**
 * Deletes our drafts that will never be sent: a process that died before the last look, or whose request for a draft
 * had no answer, cannot delete its own (rules/sending 5.11). `before`: only drafts made by then.
 * @throws GmailTrouble, GraphTrouble
 */
export async function deleteLeftDrafts(access: GraphAccess, mailbox: Mailbox, before: Date): Promise<void> {
  const since = new Date(before.getTime() - DAYS * DAY_MS);
  // The ledger is read after the list, so that a draft that is listed belongs to no claim that is read too late
  for (const { draftId, mailRef } of await markedDrafts(access, mailbox, since, before)) {
    if (!(await isLeft(mailbox, draftId, mailRef))) continue;
    if (mailbox.transport === "GRAPH") await graph.deleteDraft(access, { draftId });
    else await gmail.deleteDraft(access, { draftId });
  }
}

/** The drafts with our mark, unless a person has edited them since. */
async function markedDrafts(
  access: GraphAccess,
  { transport }: Mailbox,
  since: Date,
  before: Date,
): Promise<{ draftId: string; mailRef: string }[]> {
  if (transport === "GRAPH") {
    const drafts = await graph.listDrafts(access, since, before);
    return drafts
      .filter(({ createdAt, changedAt }) => changedAt.getTime() - createdAt.getTime() <= WRITING_MS)
      .flatMap(({ draftId, headers }) => withMark(draftId, headers));
  }
  const marked: { draftId: string; mailRef: string }[] = [];
  for (const { draftId, messageId } of await gmail.listDrafts(access, since, before)) {
    const headers = await readHeaders(access, messageId, ["X-Mail-Ref"]).catch((error: unknown) => {
      if (error instanceof GmailTrouble && error.kind === "gone") return new Map<string, string>();
      throw error;
    });
    marked.push(...withMark(draftId, headers));
  }
  return marked;
}

function withMark(draftId: string, headers: Map<string, string>): { draftId: string; mailRef: string }[] {
  const mailRef = headers.get("x-mail-ref")?.trim().toLowerCase() ?? "";
  return mailRef === "" ? [] : [{ draftId, mailRef }];
}

/**
 * Whether the draft belongs to a send of this mailbox, but is not the one that was sent last, and no attempt is under
 * way. An attempt sends only the draft that its last look has stored, so an outcome that is unknown concerns no other
 * draft.
 */
async function isLeft({ workspaceId, _id: mailboxId }: Mailbox, draftId: string, mailRef: string): Promise<boolean> {
  const send = await scoped(workspaceId).Send.findOne({ mailRef, mailboxId });
  if (send === null || send.state === "SENDING") return false;
  const stored = send.draft?.draftId;
  return stored !== draftId && (send.state !== "UNKNOWN" || stored !== undefined);
}
