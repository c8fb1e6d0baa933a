import { OPEN } from "../../domain/states.ts";
import { hitsOfSend } from "../../models/hit.ts";
import type { Lead } from "../../models/lead.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { notePeople } from "../changed-days.ts";
import { endRecipient } from "../recipients/stop.ts";
import { erasedAddressOf, guardId, releaseAddresses } from "../suppression/suppress.ts";
import { eraseAnswers } from "./erase-replies.ts";
import { emptyMessages, eraseThreads } from "./erase-threads.ts";

/**
 * Deletes a lead and what is known of the person (rules/states 4.3): its recipients end; its sends stay counted, without address and
 * content; a
 * suppression stays on the address guard, which knows the address only by its hash. Call it in a transaction.
 */
export async function eraseLead(lead: Lead): Promise<void> {
  const { workspaceId, _id: leadId, email, listIds } = lead;
  const { ActivityEvent, Deal, DueCopy, AddressGuard, Lead, LeadList, Note, Recipient, ReplyPromise } = scoped(workspaceId);
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
  await ActivityEvent.updateMany({ leadId }, { $set: { data: {}, actor: null } });
  if (lead.suppressed && lead.suppressionReason !== null) {
    const kept = { $addToSet: { reasons: lead.suppressionReason }, $inc: { claims: 1 } };
    await AddressGuard.updateOne({ _id: guardId(workspaceId, email) }, kept, { upsert: true });
  }
  await LeadList.updateMany(
    { _id: trusted({ $in: listIds }), type: "STATIC" },
    { $inc: { memberCount: -1 }, $set: { countedAt: new Date() } },
  );
  await Lead.deleteOne({ _id: leadId });
}

/**
 * No one can decide any more whether the person had asked for no more mail: so that they are not written to again when their address comes
 * back, it is suppressed.
 */
async function settleQuestions(workspaceId: string, email: string): Promise<void> {
  const { AddressGuard, Approval } = scoped(workspaceId);
  for (const question of await Approval.find({ kind: "OPT_OUT", status: "PENDING", addresses: email })) {
    await releaseAddresses(question);
    const asked = { $addToSet: { reasons: "OPT_OUT_REPLY" as const }, $inc: { claims: 1 } };
    await AddressGuard.updateOne({ _id: guardId(workspaceId, email) }, asked, { upsert: true });
  }
}

/** What was asked to be sent to somebody is not sent any more, and its text and addresses go. */
async function eraseRequests(workspaceId: string, email: string): Promise<void> {
  const { Approval } = scoped(workspaceId);
  await Approval.updateMany({ addresses: email, status: "PENDING" }, { $set: { status: "EXPIRED" } });
  await Approval.updateMany({ addresses: email }, { $set: { proposedText: null, request: null, addresses: [] } });
}

async function eraseRecipient(recipient: Recipient): Promise<void> {
  const { workspaceId, _id: recipientId, campaignId, email } = recipient;
  const { Approval, Campaign, Conversion, EmailConversion, Hit, Recipient, Send } = scoped(workspaceId);
  await notePeople(workspaceId, [recipientId]);
  const ended = await endRecipient(workspaceId, recipientId, { status: "SKIPPED", stopReason: "REMOVED", from: OPEN });
  if (ended !== null && ended.sentCount === 0) await Campaign.updateOne({ _id: campaignId }, { $inc: { recipientCount: -1 } });
  const bounce = recipient.bounce && { ...recipient.bounce, diagnostic: null };
  const nobody = {
    email: erasedAddressOf(email),
    addressHash: null,
    companyDomain: null,
    timezone: null,
    outcomeNotes: null,
    thread: null,
    searchWords: [],
    bounce,
  };
  await Recipient.updateOne({ _id: recipientId }, { $set: nobody });
  await Send.updateMany({ recipientId }, { $set: { to: erasedAddressOf(email), subject: null, content: null, response: null } });
  await Send.updateMany({ recipientId, failure: trusted({ $ne: null }) }, { $set: { "failure.text": null } });
  await Approval.updateMany({ recipientId }, { $set: { proposedText: null, contentHash: null } });
  // A draft's reason has sentences of the person's
  await Approval.updateMany({ recipientId, kind: "REPLY" }, { $set: { reason: null } });
  await Approval.updateMany({ recipientId, status: "PENDING" }, { $set: { status: "EXPIRED" } });
  // The name of a reported event is the reporter's own, and may tell of the person
  const unnamed = { leadId: null, cid: "", emailMatch: null, actionSource: null, eventId: { $concat: ["erased_", "$_id"] } };
  await Conversion.updateMany({ recipientId }, [{ $set: unnamed }]);
  await EmailConversion.updateMany({ "recipients.recipientId": recipientId }, { $set: { eventId: null, actionSource: null } });
  await emptyMessages(workspaceId, { recipientId });
  for (const { _id } of await Send.find({ recipientId }, { select: { _id: 1 } })) await Hit.deleteMany({ _id: trusted(hitsOfSend(_id)) });
}
