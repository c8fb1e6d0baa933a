import type { PurposeKeys } from "../../domain/access/tokens.ts";
import { type Complaint, readComplaint } from "../../domain/bounces/complaint.ts";
import { sentimentOf } from "../../domain/inbox/category.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { tripComplaintGuard } from "../campaigns/auto-pause.ts";
import { judgeAfterwards } from "../campaigns/conduct.ts";
import { heedComplaint, OF_MAILBOX } from "../mailboxes/guard.ts";
import { confirmSent } from "../sending/delivery-evidence.ts";
import { suppressAddress } from "../suppression/suppress.ts";
import type { About, Arrival } from "./arrival.ts";
import { categorise } from "./categorise.ts";
import { disputedReportOf, findReportedSends, isProven, lastSendTo, type Reported } from "./ingest-reported.ts";

/**
 * Applies a spam complaint (rules/mail 8.1). The workspace never contacts the person again, and the complaint counts
 * once per email. A complaint about none of our sends counts against the mailbox only. A report that is not a person's
 * complaint (a retraction, or an authentication report) does not count. A report that anyone could have forged has no
 * effect.
 */
export async function ingestComplaint(arrival: Arrival, keys: PurposeKeys): Promise<About> {
  const { mailbox, message } = arrival;
  const complaint = readComplaint(message);
  if (complaint === null) return { kind: "COMPLAINT" };
  // The report may be about another sender's email and may have been forwarded to us
  const to = [...message.to, ...(complaint.originalMailFrom === null ? [] : [complaint.originalMailFrom])];
  const [named] = complaint.recipients;
  const [reported = named === undefined ? null : await lastSendTo(arrival, named, to)] = await findReportedSends(
    mailbox,
    message,
    keys,
  );
  if (!(reported === null ? isProven(arrival, null, to) : reported.isProven)) return disputedReportOf("COMPLAINT");
  if (reported !== null) return complainedOf(arrival, complaint, reported);
  const isCounted = complaint.effect === "SUPPRESS";
  if (isCounted) await heedComplaint(mailbox);
  return { kind: "COMPLAINT", evidence: { rule: isCounted ? OF_MAILBOX : "none", value: complaint.feedbackType } };
}

async function complainedOf(
  { mailbox }: Arrival,
  { effect, feedbackType }: Complaint,
  { send: of, person, rule }: Reported,
): Promise<About> {
  const { workspaceId } = mailbox;
  const evidence = { rule, value: feedbackType };
  const send = await confirmSent(of, "complaint");
  if (effect !== "SUPPRESS") return { kind: "COMPLAINT", sendId: send._id, evidence };
  const { recipientId, campaignId } = person;
  const isFirst = (await scoped(workspaceId).Message.count({ recipientId, sendId: send._id, kind: "COMPLAINT" })) === 0;
  await suppressAddress(workspaceId, send.to, "COMPLAINT");
  if (!isFirst) return { kind: "COMPLAINT", sendId: send._id, evidence };
  await heedComplaint(mailbox);
  if (campaignId !== null) await tripComplaintGuard(workspaceId, campaignId, { arriving: 1 });
  judgeAfterwards(workspaceId);
  return { ...person, sendId: send._id, kind: "COMPLAINT", evidence };
}

/**
 * Applies an email to the List-Unsubscribe mailto address (rules/mail 3.4). The token identifies the recipient; the
 * sender of the email does not matter.
 */
export async function ingestUnsubscribe(send: Send): Promise<About> {
  const { _id: sendId, recipientId, campaignId, leadId } = await confirmSent(send, "unsubscribe");
  await suppressAddress(send.workspaceId, send.to, "UNSUBSCRIBED", { named: recipientId });
  return { sendId, recipientId, campaignId, leadId, kind: "UNSUBSCRIBE", evidence: { rule: "token", value: sendId } };
}

/** The confidence from which the workspace accepts suggested categories; null when it accepts none. */
export async function loadAcceptedFrom(workspaceId: string): Promise<number | null> {
  const found = await Workspace.findOne({ _id: workspaceId }, { acceptSuggestedFrom: 1 }).lean<Workspace>();
  return found?.acceptSuggestedFrom ?? null; // workspaces of earlier versions have none
}

/** The actor of a category that an accepted suggestion sets. */
const BY_SUGGESTION = "suggestion";

/**
 * Sets the suggested category of a reply if the workspace accepts suggestions with this confidence (rules/states 5.9).
 * Only categories that show interest are set automatically; a person decides about all others. Call it in the
 * transaction that stored the message in its thread.
 */
export async function acceptSuggestion(message: Message, acceptsFrom: number | null): Promise<void> {
  const { threadId, category, suggestion = null, authentication, isDoubtful } = message;
  if (threadId === null || category !== null || suggestion === null) return;
  if (isDoubtful || authentication === "FAIL" || sentimentOf(suggestion.category) !== "POSITIVE") return;
  if (acceptsFrom === null || suggestion.confidence < acceptsFrom) return;
  await categorise({ ...message, threadId }, suggestion.category, BY_SUGGESTION);
}
