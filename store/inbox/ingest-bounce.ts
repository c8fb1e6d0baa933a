import type { PurposeKeys } from "../../domain/access/tokens.ts";
import type { BounceRecipient, BounceReport } from "../../domain/bounces/bounce.ts";
import { OPEN } from "../../domain/states.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { tripBounceGuard } from "../campaigns/auto-pause.ts";
import { notePeople } from "../changed-days.ts";
import { noteFact } from "../mailboxes/facts.ts";
import { coolDown } from "../mailboxes/faults.ts";
import { heedHardBounces } from "../mailboxes/guard.ts";
import { emit, nudge } from "../outbox.ts";
import { endRecipient } from "../recipients/stop.ts";
import { confirmSent, repeatStep } from "../sending/delivery-evidence.ts";
import { suppressAddress } from "../suppression/suppress.ts";
import type { About, Arrival } from "./arrival.ts";
import type { Person } from "./ingest-attribution.ts";
import { disputedReportOf, findReportedSends, lastSendTo, type Reported } from "./ingest-reported.ts";

/** rules/mail 7.9: this many refusals within an hour because of sender or content put the mailbox into cooldown. */
const REFUSALS_AN_HOUR = 3;

/**
 * Applies a report that mail failed (rules/mail 7): each block of it to the send that it is about. A report that anybody could have written
 * is
 * stored as disputed and has no effect at all; its kind is OTHER when it is about none of our sends.
 */
export async function ingestBounce(arrival: Arrival, bounce: BounceReport, keys: PurposeKeys): Promise<About> {
  const { mailbox, message } = arrival;
  const reported = await findReportedSends(mailbox, message, keys);
  let about: About | null = null;
  let isDisputed = false;
  for (const failed of bounce.recipients) {
    const hit = await hitOf(arrival, failed, reported, bounce.recipients.length === 1);
    if (hit === null) continue;
    if (!hit.isProven) {
      isDisputed = true;
      continue;
    }
    const send = await confirmSent(hit.send, bounce.kind === "DELAY" ? "delay report" : "bounce");
    const verdict = { type: failed.type, reason: failed.reason, fault: failed.fault, code: failed.status, diagnostic: failed.diagnostic };
    if (bounce.kind === "BOUNCE") await follow(mailbox, { ...hit, send }, failed, verdict);
    about ??= {
      ...hit.person,
      sendId: send._id,
      kind: bounce.kind,
      evidence: { rule: hit.rule, value: hit.value },
      ...(bounce.kind === "BOUNCE" && { bounce: verdict }),
    };
  }
  return about ?? (isDisputed ? disputedReportOf(bounce.kind) : { kind: "OTHER" });
}

/** The failed address must be the one the send went to; if a report gives no address, its ids alone decide. */
async function hitOf(arrival: Arrival, failed: BounceRecipient, reported: Reported[], isAlone: boolean): Promise<Reported | null> {
  const { address, originalRecipient } = failed;
  const match = reported.find(({ send }) => send.to === address || send.to === originalRecipient);
  if (match !== undefined) return match;
  if (address === null) return isAlone && reported.length === 1 ? (reported[0] ?? null) : null;
  if (reported.length > 0) return null;
  return lastSendTo(arrival, address);
}

type Verdict = NonNullable<About["bounce"]>;

async function follow(mailbox: Mailbox, { send, person, isByOurId }: Reported, failed: BounceRecipient, verdict: Verdict): Promise<void> {
  const { workspaceId, to, _id: sendId } = send;
  const { recipientId, campaignId, leadId } = person;
  const isFirst = await isFirstVerdict(send, person, verdict.type);
  if (verdict.type === "HARD") await endForGood(send, person, verdict);
  else await bearWith(send, person, verdict, isProof(send, failed, isByOurId));
  if (!isFirst) return;
  if (verdict.fault === "sender" || verdict.fault === "content") await restIfRefused(mailbox, verdict.reason);
  if (verdict.type === "HARD") await heedHardBounces(mailbox);
  if (verdict.type === "HARD" && send.kind === "CAMPAIGN")
    await noteFact(workspaceId, send.mailboxId ?? mailbox._id, { bounced: 1 }, new Date());
  await emit(workspaceId, {
    type: "BOUNCED",
    leadId,
    campaignId,
    recipientId,
    data: { ...verdict, sendId },
    webhook: { recipientId, email: to },
  });
}

/** Each verdict is emitted once per send and recipient: one report may name several recipients, and may arrive again. */
async function isFirstVerdict(
  { workspaceId, _id: sendId }: Send,
  { recipientId, leadId }: Person,
  type: "HARD" | "SOFT",
): Promise<boolean> {
  const told = { leadId, type: "BOUNCED", recipientId, "data.sendId": sendId, "data.type": type };
  return (await scoped(workspaceId).ActivityEvent.findOne(told, { select: { _id: 1 } })) === null;
}

/**
 * Only a structured report with `Action: failed` and the Message-ID of the last attempt allows a step to be sent again (rules/mail 7.8).
 */
function isProof(send: Send, { structured, action, fault }: BounceRecipient, isByOurId: boolean): boolean {
  const isTheirs = fault === "recipient" || fault === "network";
  return send.state === "SENT" && structured && /^fail/.test(action ?? "") && isTheirs && isByOurId;
}

async function endForGood(send: Send, { recipientId, leadId, campaignId }: Person, verdict: Verdict): Promise<void> {
  const { workspaceId, to } = send;
  const { Lead, Recipient } = scoped(workspaceId);
  await markBounced(send, verdict);
  const set = { bouncedAt: new Date(), bounce: bounceOf(verdict) };
  const from = [...OPEN, "COMPLETED" as const, "REPLIED" as const];
  const ended = await endRecipient(workspaceId, recipientId, { status: "BOUNCED", stopReason: "HARD_BOUNCE", from, set });
  if (ended === null) await Recipient.updateOne({ _id: recipientId, bouncedAt: null }, { $set: set });
  await suppressAddress(workspaceId, to, "HARD_BOUNCE");
  if (campaignId !== null) await tripBounceGuard(workspaceId, campaignId);
  if (leadId !== null) await Lead.updateOne({ _id: leadId }, { $set: { verificationStatus: "INVALID", verifiedAt: new Date() } });
  if (campaignId !== null) await nudge(workspaceId, "CAMPAIGN", { campaignId });
}

/** A temporary failure suppresses nobody: if it is proven, the step is sent again; if not, the sequence goes on. */
async function bearWith(send: Send, { recipientId }: Person, verdict: Verdict, isProof: boolean): Promise<void> {
  const { Recipient } = scoped(send.workspaceId);
  const outcome = isProof ? await repeatStep(send) : "IMPOSSIBLE";
  if (outcome !== "REPEATED") await markBounced(send, verdict);
  const unheard = { _id: recipientId, bouncedAt: null };
  await Recipient.updateOne(unheard, { $set: { bounce: bounceOf(verdict) } });
}

async function markBounced(send: Send, { reason, code, diagnostic }: Verdict): Promise<void> {
  if (send.recipientId !== null) await notePeople(send.workspaceId, [send.recipientId]);
  const failure = { reason, code, text: diagnostic.slice(0, 500) };
  await scoped(send.workspaceId).Send.updateOne({ _id: send._id, state: "SENT" }, { $set: { state: "BOUNCED", failure } });
}

function bounceOf({ type, reason, code, diagnostic }: Verdict) {
  return { type, reason, code, diagnostic };
}

async function restIfRefused({ workspaceId, _id: mailboxId }: Mailbox, reason: string): Promise<void> {
  const recent = await scoped(workspaceId).Message.find(
    { mailboxId, kind: "BOUNCE", createdAt: trusted({ $gte: new Date(Date.now() - HOUR_MS) }) },
    { sort: { _id: -1 }, limit: 50 },
  );
  const refusals = recent.filter(({ bounce }) => bounce?.fault === "sender" || bounce?.fault === "content");
  const mails = new Set(refusals.map(({ sendId }) => sendId)); // a report may arrive twice
  if (mails.size + 1 >= REFUSALS_AN_HOUR) await coolDown(workspaceId, mailboxId, reason);
}
