import { readComplaint } from "../domain/complaint.ts";
import type { PurposeKeys } from "../domain/tokens.ts";
import { scoped } from "../models/scoped.ts";
import type { Send } from "../models/send.ts";
import { confirmSent } from "./evidence.ts";
import { tripComplaintGuard } from "./guards.ts";
import type { About, Arrival } from "./ingest.ts";
import { lastSendTo, reportedSends } from "./ingest-reported.ts";
import { heedComplaint } from "./mailbox-guard.ts";
import { suppressAddress } from "./suppress.ts";

/**
 * Somebody pressed "spam" (mail.md 9): never written to again by this workspace, and counted once for each mail. What is no complaint
 * of a person (taken back, or about authentication) and what is about no send of ours stays with the mailbox alone.
 */
export async function ingestComplaint(arrival: Arrival, keys: PurposeKeys): Promise<About> {
  const { mailbox, message } = arrival;
  const { workspaceId } = mailbox;
  const complaint = readComplaint(message);
  if (complaint === null) return { kind: "COMPLAINT" };
  const [named] = complaint.recipients;
  const [reported = named === undefined ? null : await lastSendTo(arrival, named)] = await reportedSends(mailbox, message, keys);
  const evidence = { rule: reported?.rule ?? "none", value: complaint.feedbackType };
  if (reported === null) return { kind: "COMPLAINT", evidence };
  const send = await confirmSent(reported.send, "complaint");
  if (complaint.effect !== "SUPPRESS") return { kind: "COMPLAINT", sendId: send._id, evidence };
  const isFirst =
    (await scoped(workspaceId).Message.count({ recipientId: reported.person.recipientId, sendId: send._id, kind: "COMPLAINT" })) === 0;
  await suppressAddress(workspaceId, send.to, "COMPLAINT");
  if (!isFirst) return { kind: "COMPLAINT", sendId: send._id, evidence };
  await heedComplaint(mailbox);
  const { campaignId } = reported.person;
  if (campaignId !== null) await tripComplaintGuard(workspaceId, campaignId, { arriving: 1 });
  return { ...reported.person, sendId: send._id, kind: "COMPLAINT", evidence };
}

/** The mailto of List-Unsubscribe (mail.md 3.4): the token decides, whoever wrote. */
export async function ingestUnsubscribe(send: Send): Promise<About> {
  const { _id: sendId, recipientId, campaignId, leadId } = await confirmSent(send, "unsubscribe");
  await suppressAddress(send.workspaceId, send.to, "UNSUBSCRIBED", { named: recipientId });
  return { sendId, recipientId, campaignId, leadId, kind: "UNSUBSCRIBE", evidence: { rule: "token", value: sendId } };
}
