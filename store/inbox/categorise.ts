import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import { AUTOMATIC_CATEGORIES, OPT_OUT_CATEGORIES, sentimentOf } from "../../domain/inbox/category.ts";
import { returnDateIn } from "../../domain/mail/return-date.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { isZone } from "../../domain/time/schedule.ts";
import { dayOf, instantOf } from "../../domain/time/zone.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { moveCampaign } from "../campaigns/status.ts";
import { noteLate } from "../changed-days.ts";
import { raiseLead } from "../leads/status.ts";
import { emit, nudge } from "../outbox.ts";
import { resumeRecipient } from "../recipients/resume.ts";
import { heedEvent } from "../recipients/route.ts";
import { endRecipient, pauseRecipient } from "../recipients/stop.ts";
import { findAddressBehind, suppressAddress } from "../suppression/suppress.ts";
import { bookMeeting } from "./meeting.ts";
import { updateThreadCategory } from "./threads.ts";

/** Kinds of messages that machines write about someone else, so their sender is never suppressed. */
const BY_MACHINES: readonly string[] = ["BOUNCE", "COMPLAINT"];

/**
 * Sets the category that a person gives to an inbound message (rules/states 5.7), with all effects on the thread, the
 * recipient and the lead. Does nothing when the message already has the category. Call it in a transaction; returns the
 * message after the change.
 */
export async function categorise(
  message: Message & { threadId: string },
  category: string,
  actor: string,
): Promise<Message> {
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
  await emit(workspaceId, {
    type: "CATEGORY_SET",
    leadId,
    campaignId,
    recipientId,
    actor,
    data: { category, messageId, threadId },
  });
  const now = recipientId === null ? null : await Recipient.get(recipientId);
  if (now !== null) await heedEvent(now);
  return after;
}

/** Suppresses both addresses of the person: the one we contacted and the one that replied (rules/states 5.3). */
async function optOut(
  { workspaceId, from, kind, category }: Message,
  recipient: Recipient | null,
  actor: string,
): Promise<void> {
  const isOurs = from !== null && (await scoped(workspaceId).Mailbox.count({ email: from })) > 0;
  const theirs = from === null || isOurs || BY_MACHINES.includes(kind) ? [] : [from];
  const contacted = recipient === null ? null : await findAddressBehind(workspaceId, recipient.email);
  const reason = category === "UNSUBSCRIBE" ? "OPT_OUT_REPLY" : "MANUAL";
  for (const email of new Set([...(contacted === null ? [] : [contacted]), ...theirs])) {
    const named = reason === "OPT_OUT_REPLY" && email === contacted && recipient !== null ? recipient._id : null;
    await suppressAddress(workspaceId, email, reason, { actor, named });
  }
}

async function effectOn(recipient: Recipient, before: Message, after: Message, actor: string): Promise<void> {
  const { workspaceId, campaignId } = recipient;
  const settings = settingsOf((await scoped(workspaceId).Campaign.get(campaignId))?.settings ?? {});
  const wasAutomatic = before.category !== null && AUTOMATIC_CATEGORIES.includes(before.category);
  const isAutomatic = after.category !== null && AUTOMATIC_CATEGORIES.includes(after.category);
  // When a ticket receipt turns out to be an out-of-office notice, the recipient is paused too
  if (isAutomatic && (!wasAutomatic || after.category === "OUT_OF_OFFICE")) await uncountReply(after, recipient, actor);
  else if (wasAutomatic && !isAutomatic && after.kind === "REPLY") await recountReply(after, recipient, settings);
  if (after.category === "MEETING_BOOKED")
    await bookMeeting(recipient, after.receivedAt ?? new Date(), settings, actor);
}

/**
 * Undoes a reply that turned out to be automatic (rules/states 5.5). Unless the lead sent another reply, it no longer
 * counts. The recipients that it stopped continue, or wait for the end of the absence if the campaign requires it. Call
 * it in a transaction, after the message's category was stored.
 */
async function uncountReply(message: Message, recipient: Recipient, actor: string): Promise<void> {
  const { workspaceId, leadId } = recipient;
  const { Lead, Recipient } = scoped(workspaceId);
  const email = await findAddressBehind(workspaceId, recipient.email);
  const at = message.receivedAt ?? new Date();
  const wasCounted = message.kind === "REPLY" && !(await answeredBesides(message, recipient));
  if (wasCounted) {
    await forget(recipient, at);
    await Lead.updateOne({ _id: leadId }, { $set: { lastRepliedAt: null } });
    await Lead.updateOne({ _id: leadId, status: "REPLIED" }, { $set: { status: "CONTACTED" } });
  }
  const stopped = wasCounted
    ? await Recipient.find({ $or: [{ email }, { leadId }], status: "REPLIED", stopReason: "REPLIED", repliedAt: null })
    : [];
  for (const one of stopped) await goOn(one, actor);
  for (const one of stopped.some(({ _id }) => _id === recipient._id) ? stopped : [recipient, ...stopped])
    await waitOut(message, one, at);
}

/**
 * Restores a reply that turned out to be written by a person: it counts again, and it stops the recipient again if the
 * campaign requires it. Call it in a transaction.
 */
async function recountReply(message: Message, recipient: Recipient, { stopOnReply }: Settings): Promise<void> {
  const { workspaceId, _id, campaignId, leadId } = recipient;
  const { Lead, Recipient } = scoped(workspaceId);
  const at = message.receivedAt ?? new Date();
  const repliedAt = recipient.repliedAt ?? at;
  await noteLate(workspaceId, campaignId, [repliedAt]);
  await Lead.updateOne({ _id: leadId }, { $max: { lastRepliedAt: at } });
  const ended = stopOnReply
    ? await endRecipient(workspaceId, _id, { status: "REPLIED", stopReason: "REPLIED", set: { repliedAt } })
    : null;
  if (ended === null) await Recipient.updateOne({ _id }, { $set: { repliedAt } });
  else await nudge(workspaceId, "CAMPAIGN", { campaignId });
}

/** Whether the lead has another reply that no one categorised as automatic. */
async function answeredBesides({ _id, workspaceId }: Message, { leadId }: Recipient): Promise<boolean> {
  const { Message, Recipient } = scoped(workspaceId);
  const recipients = await Recipient.find({ leadId }, { select: { _id: 1 } });
  const other = {
    recipientId: trusted({ $in: recipients.map(({ _id }) => _id) }),
    kind: "REPLY",
    _id: trusted({ $ne: _id }),
    category: trusted({ $nin: [...AUTOMATIC_CATEGORIES] }),
  };
  return (await Message.findOne(other, { select: { _id: 1 } })) !== null;
}

/** Removes the reply of a recipient from statistics and conditions. */
async function forget(recipient: Recipient, at: Date): Promise<void> {
  const { workspaceId, _id: recipientId, campaignId, leadId, repliedAt, autoRepliedAt } = recipient;
  const { ActivityEvent, Recipient } = scoped(workspaceId);
  await noteLate(workspaceId, campaignId, [repliedAt, autoRepliedAt ?? at]);
  await ActivityEvent.deleteMany({ leadId, recipientId, type: "REPLIED" });
  await Recipient.updateOne({ _id: recipientId }, { $set: { repliedAt: null, autoRepliedAt: autoRepliedAt ?? at } });
}

async function goOn(recipient: Recipient, actor: string): Promise<void> {
  const { workspaceId, campaignId } = recipient;
  const sequence = await scoped(workspaceId).Sequence.findOne({ campaignId });
  if (sequence === null || !(await resumeRecipient(workspaceId, recipient, sequence.steps))) return;
  const campaign = await scoped(workspaceId).Campaign.get(campaignId);
  if (campaign?.status === "COMPLETED" && campaign.completedReason === "FINISHED") {
    await moveCampaign(workspaceId, campaignId, { from: ["COMPLETED"], to: "ACTIVE", actor });
  } else await nudge(workspaceId, "CAMPAIGN", { campaignId });
}

/**
 * Pauses a recipient until the date in the message, or without a date for the campaign's default number of days. If the
 * absence is already over, the recipient is not paused.
 */
async function waitOut(message: Message, { workspaceId, _id, campaignId }: Recipient, at: Date): Promise<void> {
  const { Campaign, Recipient } = scoped(workspaceId);
  const recipient = await Recipient.get(_id);
  const campaign = await Campaign.get(campaignId);
  if (recipient === null || campaign === null || (recipient.status !== "PENDING" && recipient.status !== "IN_PROGRESS"))
    return;
  const settings = settingsOf(campaign.settings);
  const { outOfOfficeMode, stopOnAutoReply } = settings;
  if (stopOnAutoReply || outOfOfficeMode === "STOP") {
    await endRecipient(workspaceId, _id, { status: "COMPLETED", stopReason: "AUTO_REPLIED" });
    await nudge(workspaceId, "CAMPAIGN", { campaignId });
    return;
  }
  if (outOfOfficeMode === "IGNORE") return;
  const until = untilOf(message, at, recipient.timezone ?? settings.timezone, settings.outOfOfficeFallbackDays);
  if (until > new Date()) await pauseRecipient(workspaceId, _id, "OUT_OF_OFFICE", until);
}

function untilOf({ subject, replyText, bodyText }: Message, at: Date, zone: string, fallbackDays: number): Date {
  const timeZone = isZone(zone) ? zone : "UTC";
  const date = returnDateIn(`${subject ?? ""}\n${replyText || bodyText || ""}`, at.getTime(), timeZone);
  return date === null
    ? new Date(at.getTime() + fallbackDays * DAY_MS)
    : new Date(instantOf(timeZone, (dayOf(date) + 1) * DAY_MS));
}
