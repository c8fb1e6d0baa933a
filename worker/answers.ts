import type { ScheduledReplyIds, SendIds } from "../domain/workflow-contract.ts";
import type { ScheduledReply } from "../models/inbox/scheduled-reply.ts";
import type { Send } from "../models/sending/send.ts";
import type { Noun } from "../temporal/run.ts";

/** The arguments that start the run of a reply: the send, its key and its mailbox. */
export function replyRunArguments({ workspaceId, _id: sendId, sendKey, mailboxId }: Send): [SendIds, string, Noun] {
  return [{ v: 1, workspaceId, sendId }, sendKey ?? sendId, { mailboxId }];
}

/** The arguments that start the timer of a scheduled reply. */
export function scheduledReplyRunArguments({
  workspaceId,
  _id: scheduledId,
  sendAt,
  mailboxId,
}: ScheduledReply): [ScheduledReplyIds, Noun] {
  return [{ v: 1, workspaceId, scheduledId, sendAt: sendAt.getTime() }, { mailboxId }];
}
