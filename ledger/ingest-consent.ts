import { readComplaint } from "../domain/complaint.ts";
import type { PurposeKeys } from "../domain/tokens.ts";
import type { Send } from "../models/send.ts";
import { confirmSent } from "./evidence.ts";
import { tripComplaintGuard } from "./guards.ts";
import type { About, Arrival } from "./ingest.ts";
import { lastSendTo, reportedSends } from "./ingest-origin.ts";
import { suppressAddress } from "./suppress.ts";

/** Somebody pressed "spam" (mail.md 9): never written to again by this workspace. Without a send of ours it only counts. */
export async function ingestComplaint({ mailbox, message }: Arrival, keys: PurposeKeys): Promise<About> {
  const complaint = readComplaint(message);
  if (complaint === null) return { kind: "COMPLAINT" };
  const [reported] = await reportedSends(mailbox, message, keys);
  const [named] = complaint.recipients;
  const send = reported?.send ?? (named === undefined ? null : await lastSendTo(mailbox, named));
  if (send === null) return { kind: "COMPLAINT", evidence: { rule: "none", value: complaint.feedbackType } };
  await confirmSent(send, "complaint");
  if (complaint.effect === "SUPPRESS") await suppressAddress(mailbox.workspaceId, send.to, "COMPLAINT");
  if (send.campaignId !== null) await tripComplaintGuard(mailbox.workspaceId, send.campaignId, { arriving: 1 });
  return { ...placeOf(send), kind: "COMPLAINT", evidence: { rule: reported?.rule ?? "address", value: complaint.feedbackType } };
}

/** The mailto of List-Unsubscribe (mail.md 3.4): the token decides, whoever wrote. */
export async function ingestUnsubscribe(send: Send): Promise<About> {
  await confirmSent(send, "unsubscribe");
  await suppressAddress(send.workspaceId, send.to, "UNSUBSCRIBED", { named: send.recipientId });
  return { ...placeOf(send), kind: "UNSUBSCRIBE", evidence: { rule: "token", value: null } };
}

/** The send and whom it went to, as a message names them. */
export function placeOf({ _id: sendId, recipientId, campaignId, leadId }: Send): About {
  return { sendId, recipientId, campaignId, leadId };
}
