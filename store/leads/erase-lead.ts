import { addressWord, threadWords } from "../../domain/inbox/thread-words.ts";
import { OPEN } from "../../domain/states.ts";
import { removeFiles } from "../../models/inbox/files.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Thread } from "../../models/inbox/thread.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { ActivityEvent } from "../../models/recipients/event.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { hitsOfSend } from "../../models/tracking/hit.ts";
import { type Filter, trusted } from "../../mongo/collection.ts";
import { notePeople } from "../changed-days.ts";
import { threadMailOf } from "../inbox/thread-mail.ts";
import { nudge } from "../outbox.ts";
import { eraseNames } from "../recipients/erased.ts";
import { endRecipient } from "../recipients/stop.ts";
import { UPLOAD } from "../sending/uploads.ts";
import { erasedAddressOf, guardId } from "../suppression/guard-id.ts";
import { releaseAddresses } from "../suppression/suppress.ts";
import { lowerMemberCounts } from "./list-members.ts";

/**
 * Deletes a lead and the data about the person (rules/states 4.3). Its recipients end. Its sends stay counted, without
 * address and content. A suppression stays on the address guard, which stores only a hash of the address. Call it in a
 * transaction.
 */
export async function eraseLead(lead: Lead): Promise<void> {
  const { workspaceId, _id: leadId, email } = lead;
  const { ActivityEvent, Deal, DueCopy, Note, Recipient, ReplyPromise } = scoped(workspaceId);
  await settleQuestions(workspaceId, email);
  for (const recipient of await Recipient.find({ leadId })) await eraseRecipient(recipient);
  await eraseThreads(lead);
  await eraseAnswers(workspaceId, leadId);
  await ReplyPromise.deleteMany({ leadId });
  await DueCopy.deleteMany({ leadId });
  await ReplyPromise.updateMany({ proposedLeadId: leadId }, { $set: { address: null } });
  await eraseRequests(workspaceId, email);
  await Note.deleteMany({ leadId });
  await Deal.deleteMany({ leadId });
  await ActivityEvent.deleteMany({ leadId, campaignId: null });
  for (const event of await ActivityEvent.find({ leadId, type: "BOUNCED" }))
    await ActivityEvent.updateOne({ _id: event._id }, { $set: erasedEvent(event) });
  await ActivityEvent.updateMany({ leadId, type: trusted({ $ne: "BOUNCED" }) }, { $set: { data: {}, actor: null } });
  await dropLead(lead);
}

/** The values that replace what an event says about the person. A bounce still counts (rules/access 8.2). */
export function erasedEvent({ type: happened, data }: Pick<ActivityEvent, "type" | "data">) {
  if (happened !== "BOUNCED") return { data: {}, actor: null };
  const kept = ["type", "reason", "sendId", "sendKind"].filter((name) => data[name] !== undefined);
  return { data: Object.fromEntries(kept.map((name) => [name, data[name]])), actor: null };
}

/** Deletes the lead itself. Its suppression stays on the address guard. Call it in a transaction. */
export async function dropLead(lead: Lead): Promise<void> {
  const { workspaceId, _id: leadId, email, listIds } = lead;
  const { AddressGuard, Lead } = scoped(workspaceId);
  if (lead.suppressed && lead.suppressionReason !== null) {
    const suppression = { $addToSet: { reasons: lead.suppressionReason }, $inc: { claims: 1 } };
    await AddressGuard.updateOne({ _id: guardId(workspaceId, email) }, suppression, { upsert: true });
  }
  await lowerMemberCounts(workspaceId, listIds, 1);
  await Lead.deleteOne({ _id: leadId });
}

/**
 * Closes the open opt-out questions about an address, because no one can decide them after the deletion. The address is
 * suppressed, so that the person gets no email if the address is added again.
 */
async function settleQuestions(workspaceId: string, email: string): Promise<void> {
  const { AddressGuard, Approval } = scoped(workspaceId);
  for (const question of await Approval.find({ kind: "OPT_OUT", status: "PENDING", addresses: email })) {
    await releaseAddresses(question);
    const suppression = { $addToSet: { reasons: "OPT_OUT_REPLY" as const }, $inc: { claims: 1 } };
    await AddressGuard.updateOne({ _id: guardId(workspaceId, email) }, suppression, { upsert: true });
  }
}

/** Cancels requests to send to this person, and erases their texts and addresses. */
async function eraseRequests(workspaceId: string, email: string): Promise<void> {
  const { Approval } = scoped(workspaceId);
  await Approval.updateMany({ addresses: email, status: "PENDING" }, { $set: { status: "EXPIRED" } });
  await Approval.updateMany({ addresses: email }, { $set: { proposedText: null, request: null, addresses: [] } });
}

/** Ends a recipient that is being erased, so that it gets no more email. Call it in a transaction. */
export async function endErased({ workspaceId, _id: recipientId, campaignId }: Recipient): Promise<void> {
  await notePeople(workspaceId, [recipientId]);
  const ended = await endRecipient(workspaceId, recipientId, { status: "SKIPPED", stopReason: "REMOVED", from: OPEN });
  if (ended !== null && ended.sentCount === 0)
    await scoped(workspaceId).Campaign.updateOne({ _id: campaignId }, { $inc: { recipientCount: -1 } });
}

async function eraseRecipient(recipient: Recipient): Promise<void> {
  const { workspaceId, _id: recipientId, email } = recipient;
  const { Approval, Conversion, EmailConversion, Hit, Recipient, Send } = scoped(workspaceId);
  await endErased(recipient);
  const nameless = (await eraseNames(workspaceId, [recipient])).get(recipientId) ?? {};
  await Recipient.updateOne({ _id: recipientId }, { $set: nameless });
  await Send.updateMany(
    { recipientId },
    { $set: { to: erasedAddressOf(workspaceId, email), subject: null, content: null, response: null } },
  );
  await Send.updateMany({ recipientId, failure: trusted({ $ne: null }) }, { $set: { "failure.text": null } });
  await Approval.updateMany({ recipientId }, { $set: { proposedText: null, contentHash: null } });
  // The reason of a draft contains sentences that the person wrote
  await Approval.updateMany({ recipientId, kind: "REPLY" }, { $set: { reason: null } });
  await Approval.updateMany({ recipientId, status: "PENDING" }, { $set: { status: "EXPIRED" } });
  // The reporter chose the id of a reported event, which may contain personal data
  const unnamed = {
    leadId: null,
    cid: "",
    emailMatch: null,
    actionSource: null,
    eventId: { $concat: ["erased_", "$_id"] },
  };
  await Conversion.updateMany({ recipientId }, [{ $set: unnamed }]);
  await EmailConversion.updateMany(
    { "recipients.recipientId": recipientId },
    { $set: { eventId: null, actionSource: null } },
  );
  await emptyMessages(workspaceId, { recipientId });
  for (const { _id } of await Send.find({ recipientId }, { select: { _id: 1 } }))
    await Hit.deleteMany({ _id: trusted(hitsOfSend(_id)) });
}

/**
 * Erases our replies to a lead that is being deleted (rules/states 4.3). Sent replies stay counted, without address and
 * content. Scheduled replies are cancelled. Call it in the transaction of the deletion.
 */
async function eraseAnswers(workspaceId: string, leadId: string): Promise<void> {
  const { OutgoingMail, ScheduledReply, Send, Thread } = scoped(workspaceId);
  const threads = await Thread.find({ leadId }, { select: { _id: 1 } });
  if (threads.length === 0) return;
  const threadId = trusted({ $in: threads.map(({ _id }) => _id) });
  for (const { _id, to } of await Send.find({ threadId }, { select: { to: 1 } })) {
    await OutgoingMail.deleteOne({ _id });
    await Send.updateOne(
      { _id },
      { $set: { to: erasedAddressOf(workspaceId, to), subject: null, content: null, response: null } },
    );
  }
  for (const { _id, status, to } of await ScheduledReply.find({ threadId }, { select: { status: 1, to: 1 } })) {
    const silent = {
      to: erasedAddressOf(workspaceId, to),
      cc: [],
      bcc: [],
      attachments: [],
      subject: "",
      bodyText: "",
      bodyHtml: null,
    };
    const end = status === "PENDING" ? ({ status: "CANCELLED", cancelledAt: new Date() } as const) : {};
    await ScheduledReply.updateOne({ _id }, { $set: { ...silent, ...end } });
    if (status === "PENDING") await nudge(workspaceId, "SCHEDULED_REPLY", { scheduledId: _id, signal: "cancel" });
  }
}

/**
 * Erases the threads of a lead that is being deleted (rules/states 4.3). They stay counted and keep their position in
 * the list, without any text or name. In other threads in which the lead took part, its own emails are emptied, and
 * searches no longer find the lead there. Call it in the transaction of the deletion.
 */
async function eraseThreads({ workspaceId, _id: leadId, email, secondaryEmails }: Lead): Promise<void> {
  const { Thread } = scoped(workspaceId);
  const theirs = await Thread.find({ leadId }, { select: { _id: 1 } });
  for (const { _id } of theirs) await silenceThread(workspaceId, _id);
  const addresses = [email, ...secondaryEmails];
  for (const thread of await Thread.find({ searchWords: trusted({ $in: addresses.map(addressWord) }) })) {
    const participants = thread.participants.filter(({ address }) => !addresses.includes(address));
    if (participants.length === thread.participants.length) continue; // Only a word of the subject or text matched
    if (participants.length === 0) {
      await silenceThread(workspaceId, thread._id);
      continue;
    }
    const one = trusted({ $in: addresses });
    await emptyMessages(workspaceId, {
      threadId: thread._id,
      $or: [{ from: one }, { "to.address": one }, { "cc.address": one }],
    });
    const searchWords = await wordsLeft({ ...thread, participants });
    await Thread.updateOne({ _id: thread._id }, { $set: { participants, searchWords, snippet: "" } });
  }
}

/** The words of the emails that were not emptied. They are read one by one, since a thread may have thousands. */
export async function wordsLeft({ workspaceId, _id: threadId, subject, participants }: Thread): Promise<string[]> {
  const { Message } = scoped(workspaceId);
  let words = threadWords({ subject, participants }, "", []);
  for await (const message of Message.stream({ threadId }, { sort: { receivedAt: 1, _id: 1 } })) {
    words = threadWords({ subject, participants }, threadMailOf(message, null).text, words);
  }
  return words;
}

async function silenceThread(workspaceId: string, threadId: string): Promise<void> {
  await emptyMessages(workspaceId, { threadId });
  const empty = { subject: "", participants: [], snippet: "", searchWords: [], hasAttachments: false };
  await scoped(workspaceId).Thread.updateOne({ _id: threadId }, { $set: empty });
}

/** Empties messages: removes their content, people and files. Call it in a transaction. */
async function emptyMessages(workspaceId: string, which: Filter<Message>): Promise<void> {
  const { Message } = scoped(workspaceId);
  const select = { attachments: 1, bounce: 1, evidence: 1 } as const;
  for (const { _id, attachments, bounce, evidence } of await Message.find(which, { select })) {
    const ids = attachments.map(({ id }) => id);
    // An upload may be used by other emails too. When nothing uses it any more, `sweepFiles` deletes it
    await removeFiles(
      workspaceId,
      ids.filter((id) => !id.startsWith(UPLOAD)),
    );
    const nobody = { from: null, fromName: null, replyTo: null, to: [], cc: [] };
    const silent = { subject: null, bodyText: null, bodyHtml: null, replyText: null, attachments: [] };
    const facts = {
      bounce: bounce && { ...bounce, diagnostic: "" },
      evidence: evidence && { ...evidence, value: null },
    };
    await Message.updateOne({ _id }, { $set: { ...nobody, ...silent, ...facts } });
  }
}
