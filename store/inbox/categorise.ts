import { settingsOf } from "../../domain/campaigns/settings.ts";
import { AUTOMATIC_CATEGORIES, OPT_OUT_CATEGORIES, sentimentOf } from "../../domain/inbox/category.ts";
import type { Message } from "../../models/message.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { raiseLead } from "../leads/status.ts";
import { emit } from "../outbox.ts";
import { heedEvent } from "../recipients/route.ts";
import { suppressAddress } from "../suppression/suppress.ts";
import { bookMeeting } from "./meeting.ts";
import { recountReply, uncountReply } from "./recategorise.ts";
import { updateThreadCategory } from "./threads.ts";

/** A machine wrote these about somebody else, so their sender is never suppressed. */
const BY_MACHINES: readonly string[] = ["BOUNCE", "COMPLAINT"];

/**
 * Sets the category that a person gives an inbound message (rules/states 5.7), with everything that follows from it for the thread, the
 * recipient and the lead. Does nothing when the message has that category already. Call it in a transaction; returns the message as it is
 * then.
 */
export async function categorise(message: Message & { threadId: string }, category: string, actor: string): Promise<Message> {
  const { workspaceId, _id: messageId, threadId } = message;
  if (message.category === category) return message;
  const { Message, Recipient, Thread } = scoped(workspaceId);
  const after = { ...message, category };
  await Message.updateOne({ _id: messageId }, { $set: { category } });
  await updateThreadCategory(workspaceId, threadId);
  const thread = await Thread.get(threadId);
  const recipientId = message.recipientId ?? thread?.recipientId ?? null;
  const recipient = recipientId === null ? null : await Recipient.get(recipientId);
  const leadId = recipient?.leadId ?? message.leadId ?? thread?.leadId ?? null;
  if (OPT_OUT_CATEGORIES.includes(category)) await optOut(after, recipient, actor);
  if (recipient !== null) await effectOn(recipient, message, after, actor);
  if (leadId === null) return after;
  const status = category === "NOT_INTERESTED" ? category : sentimentOf(category) === "POSITIVE" ? "INTERESTED" : null;
  if (status !== null) await raiseLead(workspaceId, leadId, status, actor, ["INTERESTED", "NOT_INTERESTED"]);
  const campaignId = recipient?.campaignId ?? null;
  await emit(workspaceId, { type: "CATEGORY_SET", leadId, campaignId, recipientId, actor, data: { category, messageId, threadId } });
  const now = recipientId === null ? null : await Recipient.get(recipientId);
  if (now !== null) await heedEvent(now);
  return after;
}

/** Suppresses both addresses of the person: the one we wrote to and the one that replied (rules/states 5.3). */
async function optOut({ workspaceId, from, kind, category }: Message, recipient: Recipient | null, actor: string): Promise<void> {
  const isOurs = from !== null && (await scoped(workspaceId).Mailbox.count({ email: from })) > 0;
  const theirs = from === null || isOurs || BY_MACHINES.includes(kind) ? [] : [from];
  const known = recipient === null || !recipient.email.includes("@") ? [] : [recipient.email];
  const reason = category === "UNSUBSCRIBE" ? "OPT_OUT_REPLY" : "MANUAL";
  for (const email of new Set([...known, ...theirs])) {
    const named = reason === "OPT_OUT_REPLY" && email === recipient?.email ? recipient._id : null;
    await suppressAddress(workspaceId, email, reason, { actor, named });
  }
}

async function effectOn(recipient: Recipient, before: Message, after: Message, actor: string): Promise<void> {
  const { workspaceId, campaignId } = recipient;
  const settings = settingsOf((await scoped(workspaceId).Campaign.get(campaignId))?.settings ?? {});
  const wasAutomatic = before.category !== null && AUTOMATIC_CATEGORIES.includes(before.category);
  const isAutomatic = after.category !== null && AUTOMATIC_CATEGORIES.includes(after.category);
  // A ticket receipt that turns out to be an out-of-office notice pauses the recipient too
  if (isAutomatic && (!wasAutomatic || after.category === "OUT_OF_OFFICE")) await uncountReply(after, recipient, actor);
  else if (wasAutomatic && !isAutomatic && after.kind === "REPLY") await recountReply(after, recipient, settings);
  if (after.category === "MEETING_BOOKED") await bookMeeting(recipient, after.receivedAt ?? new Date(), settings, actor);
}
