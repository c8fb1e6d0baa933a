import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import { AUTOMATIC_CATEGORIES } from "../../domain/inbox/category.ts";
import { returnDateIn } from "../../domain/mail/return-date.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { isZone } from "../../domain/time/schedule.ts";
import { dayOf, instantOf } from "../../domain/time/zone.ts";
import type { Message } from "../../models/message.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { moveCampaign } from "../campaigns/status.ts";
import { noteLate } from "../changed-days.ts";
import { nudge } from "../outbox.ts";
import { resumeRecipient } from "../recipients/resume.ts";
import { endRecipient, pauseRecipient } from "../recipients/stop.ts";

/**
 * Undoes a reply that turned out to be automatic (rules/states 5.5). Unless the lead replied besides, the reply no longer counts, and the
 * recipients that
 * it stopped go on, or wait for the end of the absence as the campaign asks. Call it in a transaction, after the message has its category.
 */
export async function uncountReply(message: Message, recipient: Recipient, actor: string): Promise<void> {
  const { workspaceId, leadId, email } = recipient;
  const { Lead, Recipient } = scoped(workspaceId);
  const at = message.receivedAt ?? new Date();
  const wasCounted = message.kind === "REPLY" && !(await answeredBesides(message, recipient));
  if (wasCounted) {
    await forget(recipient, at);
    await Lead.updateOne({ _id: leadId }, { $set: { lastRepliedAt: null } });
    await Lead.updateOne({ _id: leadId, status: "REPLIED" }, { $set: { status: "CONTACTED" } });
  }
  const stopped = wasCounted ? await Recipient.find({ email, status: "REPLIED", stopReason: "REPLIED", repliedAt: null }) : [];
  for (const one of stopped) await goOn(one, actor);
  for (const one of stopped.some(({ _id }) => _id === recipient._id) ? stopped : [recipient, ...stopped]) await waitOut(message, one, at);
}

/**
 * Restores a reply that turned out to be a person's: it counts again, and stops the recipient again where the campaign asks for it. Call it
 * in a transaction.
 */
export async function recountReply(message: Message, recipient: Recipient, { stopOnReply }: Settings): Promise<void> {
  const { workspaceId, _id, campaignId, leadId } = recipient;
  const { Lead, Recipient } = scoped(workspaceId);
  const at = message.receivedAt ?? new Date();
  const repliedAt = recipient.repliedAt ?? at;
  await noteLate(workspaceId, campaignId, [repliedAt]);
  await Lead.updateOne({ _id: leadId }, { $max: { lastRepliedAt: at } });
  const ended = stopOnReply ? await endRecipient(workspaceId, _id, { status: "REPLIED", stopReason: "REPLIED", set: { repliedAt } }) : null;
  if (ended === null) await Recipient.updateOne({ _id }, { $set: { repliedAt } });
  else await nudge(workspaceId, "CAMPAIGN", { campaignId });
}

/** Whether the lead has another reply that nobody categorised as automatic. */
async function answeredBesides({ _id, workspaceId }: Message, { leadId }: Recipient): Promise<boolean> {
  const { Message, Recipient } = scoped(workspaceId);
  const recipients = await Recipient.find({ leadId }, { select: { _id: 1 } });
  const other = {
    recipientId: trusted({ $in: recipients.map(({ _id }) => _id) }),
    ...{ kind: "REPLY", _id: trusted({ $ne: _id }), category: trusted({ $nin: [...AUTOMATIC_CATEGORIES] }) },
  };
  return (await Message.findOne(other, { select: { _id: 1 } })) !== null;
}

/** Removes the reply from statistics and conditions. */
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

/** Pauses a recipient until the date that the message names, else for the campaign's fallback; an absence that is over pauses nobody. */
async function waitOut(message: Message, { workspaceId, _id, campaignId }: Recipient, at: Date): Promise<void> {
  const { Campaign, Recipient } = scoped(workspaceId);
  const recipient = await Recipient.get(_id);
  const campaign = await Campaign.get(campaignId);
  if (recipient === null || campaign === null || (recipient.status !== "PENDING" && recipient.status !== "IN_PROGRESS")) return;
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
  return date === null ? new Date(at.getTime() + fallbackDays * DAY_MS) : new Date(instantOf(timeZone, (dayOf(date) + 1) * DAY_MS));
}
