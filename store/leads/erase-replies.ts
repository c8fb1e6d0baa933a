import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { nudge } from "../outbox.ts";
import { erasedAddressOf } from "../suppression/suppress.ts";

/**
 * Erases our replies to a lead that is being deleted (rules/states 4.3): sent ones stay counted, without address and content; scheduled
 * ones are
 * cancelled. Call it in the transaction of the deletion.
 */
export async function eraseAnswers(workspaceId: string, leadId: string): Promise<void> {
  const { OutgoingMail, ScheduledReply, Send, Thread } = scoped(workspaceId);
  const threads = await Thread.find({ leadId }, { select: { _id: 1 } });
  if (threads.length === 0) return;
  const threadId = trusted({ $in: threads.map(({ _id }) => _id) });
  for (const { _id, to } of await Send.find({ threadId }, { select: { to: 1 } })) {
    await OutgoingMail.deleteOne({ _id });
    await Send.updateOne({ _id }, { $set: { to: erasedAddressOf(to), subject: null, content: null, response: null } });
  }
  for (const { _id, status, to } of await ScheduledReply.find({ threadId }, { select: { status: 1, to: 1 } })) {
    const silent = { to: erasedAddressOf(to), cc: [], bcc: [], attachments: [], subject: "", bodyText: "", bodyHtml: null };
    const end = status === "PENDING" ? ({ status: "CANCELLED", cancelledAt: new Date() } as const) : {};
    await ScheduledReply.updateOne({ _id }, { $set: { ...silent, ...end } });
    if (status === "PENDING") await nudge(workspaceId, "SCHEDULED_REPLY", { scheduledId: _id, signal: "cancel" });
  }
}
