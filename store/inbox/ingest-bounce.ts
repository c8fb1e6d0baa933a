import type { PurposeKeys } from "../../domain/access/tokens.ts";
import type { BounceRecipient, BounceReport } from "../../domain/bounces/bounce.ts";
import { FORWARDED, isAboutAddress } from "../../domain/bounces/forward-target.ts";
import { readReportedFailure, type SmtpRefusal } from "../../domain/bounces/refusal.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { OPEN } from "../../domain/states.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { tripBounceGuard } from "../campaigns/auto-pause.ts";
import { judgeAfterwards } from "../campaigns/conduct.ts";
import { notePeople } from "../changed-days.ts";
import { noteFact } from "../mailboxes/facts.ts";
import { heedHardBounces } from "../mailboxes/guard.ts";
import { heedRefusal } from "../mailboxes/refusals.ts";
import { emit, nudge } from "../outbox.ts";
import { endRecipient } from "../recipients/stop.ts";
import {
  AFTER_POLICY,
  AFTER_SOFT_BOUNCE,
  confirmSent,
  repeatStep,
  type StepRepeats,
} from "../sending/delivery-evidence.ts";
import { erasedAddressOf, isErasedAddress } from "../suppression/guard-id.ts";
import { findAddressBehind, suppressAddress } from "../suppression/suppress.ts";
import type { About, Arrival } from "./arrival.ts";
import type { Person } from "./ingest-attribution.ts";
import { disputedReportOf, findReportedSends, lastSendTo, type Reported } from "./ingest-reported.ts";

/**
 * Applies a report that an email failed (rules/mail 7). Each block of the report is applied to the send that it is
 * about. A report that anyone could have forged is stored as disputed and has no effect. A report about none of our
 * sends gets the kind OTHER.
 */
export async function ingestBounce(arrival: Arrival, bounce: BounceReport, keys: PurposeKeys): Promise<About> {
  const { mailbox, message } = arrival;
  const reported = await findReportedSends(mailbox, message, keys);
  let about: About | null = null;
  let isDisputed = false;
  for (const failed of bounce.recipients) {
    const hit = await hitOf(arrival, failed, reported, bounce.recipients);
    if (hit === null) continue;
    if (!hit.isProven) {
      isDisputed = true;
      continue;
    }
    const send = await confirmSent(hit.send, bounce.kind === "DELAY" ? "delay report" : "bounce");
    const reason = hit.isForwarded ? FORWARDED : failed.reason;
    const verdict = {
      type: failed.type,
      reason,
      fault: failed.fault,
      code: failed.status,
      diagnostic: failed.diagnostic,
    };
    if (bounce.kind === "BOUNCE") await followBounce(mailbox, { ...hit, send }, failed, verdict);
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

/**
 * A send that a report is about. `isForwarded`: the failed address is not the recipient's own, but one that the
 * recipient's server forwards to.
 */
type Hit = Reported & { isForwarded: boolean };

/**
 * The failed address must be the one that the email was sent to. Without an address, only the ids in the report decide.
 * When the report contains another address but the ids of one of our emails, the recipient's server has forwarded that
 * email to the other address (rules/mail 7.3).
 */
async function hitOf(
  arrival: Arrival,
  failed: BounceRecipient,
  reported: Reported[],
  recipients: readonly BounceRecipient[],
): Promise<Hit | null> {
  const { address } = failed;
  const match = reported.find(({ send }) => isAbout(send, failed));
  if (match !== undefined) return { ...match, isForwarded: false };
  const [only] = reported;
  if (address === null)
    return recipients.length === 1 && reported.length === 1 && only !== undefined
      ? { ...only, isForwarded: false }
      : null;
  const [forwarded, another] = reported.filter(({ send }) => !recipients.some((one) => isAbout(send, one)));
  if (forwarded !== undefined && another === undefined) return { ...forwarded, isForwarded: true };
  if (reported.length > 0) return null;
  const last = await lastSendTo(arrival, address);
  return last === null ? null : { ...last, isForwarded: false };
}

/** Whether a report is about the address of an email, also if a retention has replaced the address by its hash. */
function isAbout({ workspaceId, to }: Send, failed: BounceRecipient): boolean {
  const named = [failed.address, failed.originalRecipient].filter((address) => address !== null);
  const erased = erasedAddressOf(workspaceId, to);
  const address = isErasedAddress(to) ? named.find((one) => erasedAddressOf(workspaceId, one) === erased) : to;
  return address !== undefined && isAboutAddress(address, failed);
}

type Verdict = NonNullable<About["bounce"]>;

async function followBounce(mailbox: Mailbox, hit: Hit, failed: BounceRecipient, verdict: Verdict): Promise<void> {
  const { send, person, isForwarded } = hit;
  const { workspaceId, to, _id: sendId } = send;
  const { recipientId, campaignId, leadId } = person;
  const isFirst = await isFirstVerdict(send, person, verdict.type);
  const isHard = verdict.type === "HARD" && !isForwarded;
  if (isForwarded) await endForwarded(send, person, verdict);
  else await applyFailure(hit, failed, verdict, await heedReport(mailbox, hit, failed, isFirst));
  if (!isFirst) return;
  if (isHard) await heedHardBounces(mailbox);
  if (isHard) judgeAfterwards(workspaceId);
  if (isHard && send.kind === "CAMPAIGN")
    await noteFact(workspaceId, send.mailboxId ?? mailbox._id, { bounced: 1 }, new Date());
  await emit(workspaceId, {
    type: "BOUNCED",
    leadId,
    campaignId,
    recipientId,
    data: { ...verdict, sendId, ...(send.kind !== "CAMPAIGN" && { sendKind: send.kind }) },
    webhook: { recipientId, email: await findAddressBehind(workspaceId, to) },
  });
}

/**
 * Interprets the report as a refusal and stores it once as evidence for the mailbox. Most refusals by large providers
 * arrive as reports, and their texts mean the same as in the SMTP dialogue.
 */
async function heedReport(
  mailbox: Mailbox,
  { send, isByOurId }: Hit,
  failed: BounceRecipient,
  isFirst: boolean,
): Promise<SmtpRefusal> {
  const refusal = readReportedFailure({ ...failed, code: failed.status }, [domainOf(mailbox.email)]);
  const refusalEvent = { send, mailboxId: send.mailboxId ?? mailbox._id, refusal, code: failed.reason, isReport: true };
  // A repeated report is no new evidence: the email has already bounced, or is due to be sent again
  const isNews = send.state === "SENT" && (isByOurId || isFirst);
  return isNews ? heedRefusal(refusalEvent) : refusal;
}

/** Applies a failure to the recipient. */
async function applyFailure(
  { send, person, isByOurId }: Hit,
  failed: BounceRecipient,
  verdict: Verdict,
  refusal: SmtpRefusal,
): Promise<void> {
  if (verdict.type === "HARD") return endForGood(send, person, verdict);
  if (refusal.effect === "END") return endRefused(send, person, verdict);
  const isPolicy = refusal.effect === "PUT_OFF";
  const isTheirs = verdict.fault === "recipient" || verdict.fault === "network" || isPolicy;
  const again = isTheirs && isProof(send, failed, isByOurId) ? (isPolicy ? AFTER_POLICY : AFTER_SOFT_BOUNCE) : null;
  await bearWith(send, person, verdict, again);
}

/**
 * Whether this is the first verdict of its type for the send and recipient. Each is emitted only once, because one
 * report may contain several recipients, and may arrive twice.
 */
async function isFirstVerdict(
  { workspaceId, _id: sendId }: Send,
  { recipientId, leadId }: Person,
  type: "HARD" | "SOFT",
): Promise<boolean> {
  const filter = { leadId, type: "BOUNCED", recipientId, "data.sendId": sendId, "data.type": type };
  return (await scoped(workspaceId).ActivityEvent.findOne(filter, { select: { _id: 1 } })) === null;
}

/**
 * Only a structured report with `Action: failed` and the Message-ID of the last attempt allows a step to be sent again
 * (rules/mail 7.8).
 */
function isProof(send: Send, { structured, action }: BounceRecipient, isByOurId: boolean): boolean {
  return send.state === "SENT" && structured && /^fail/.test(action ?? "") && isByOurId;
}

async function endForGood(send: Send, { recipientId, leadId, campaignId }: Person, verdict: Verdict): Promise<void> {
  const { workspaceId, to } = send;
  const { Lead, Recipient } = scoped(workspaceId);
  await markBounced(send, verdict);
  const set = { bouncedAt: new Date(), bounce: bounceOf(verdict) };
  const from = [...OPEN, "COMPLETED" as const, "REPLIED" as const];
  const ended = await endRecipient(workspaceId, recipientId, {
    status: "BOUNCED",
    stopReason: "HARD_BOUNCE",
    from,
    set,
  });
  if (ended === null) await Recipient.updateOne({ _id: recipientId, bouncedAt: null }, { $set: set });
  await suppressAddress(workspaceId, to, "HARD_BOUNCE");
  if (campaignId !== null) await tripBounceGuard(workspaceId, campaignId);
  if (leadId !== null)
    await Lead.updateOne({ _id: leadId }, { $set: { verificationStatus: "INVALID", verifiedAt: new Date() } });
  if (campaignId !== null) await nudge(workspaceId, "CAMPAIGN", { campaignId });
}

/**
 * Ends the sequence of a recipient whose server forwards email to an address that failed, because the person does not
 * get the email. The address that we know did not fail, so it is not suppressed.
 */
async function endForwarded(send: Send, { recipientId, campaignId }: Person, verdict: Verdict): Promise<void> {
  await markBounced(send, verdict);
  const set = { bouncedAt: new Date(), bounce: bounceOf(verdict) };
  const from = [...OPEN, "COMPLETED" as const];
  await endRecipient(send.workspaceId, recipientId, { status: "BOUNCED", stopReason: FORWARDED, from, set });
  if (campaignId !== null) await nudge(send.workspaceId, "CAMPAIGN", { campaignId });
}

/** Ends a recipient whose server refuses our email by a rule. The recipient gets neither a bounce nor a suppression. */
async function endRefused(send: Send, { recipientId, campaignId }: Person, verdict: Verdict): Promise<void> {
  await markBounced(send, verdict);
  const set = { bounce: bounceOf(verdict) };
  await endRecipient(send.workspaceId, recipientId, { status: "FAILED", stopReason: "REFUSED_BY_POLICY", set });
  if (campaignId !== null) await nudge(send.workspaceId, "CAMPAIGN", { campaignId });
}

/**
 * Applies a temporary failure, which suppresses no one. If the failure is proven, the step is sent again; otherwise the
 * sequence continues.
 */
async function bearWith(
  send: Send,
  { recipientId }: Person,
  verdict: Verdict,
  again: StepRepeats | null,
): Promise<void> {
  const { Recipient } = scoped(send.workspaceId);
  const outcome = again === null ? "IMPOSSIBLE" : await repeatStep(send, again);
  if (outcome !== "REPEATED") await markBounced(send, verdict);
  const unheard = { _id: recipientId, bouncedAt: null };
  await Recipient.updateOne(unheard, { $set: { bounce: bounceOf(verdict) } });
}

async function markBounced(send: Send, { reason, code, diagnostic }: Verdict): Promise<void> {
  if (send.recipientId !== null) await notePeople(send.workspaceId, [send.recipientId]);
  const failure = { reason, code, text: diagnostic.slice(0, 500) };
  await scoped(send.workspaceId).Send.updateOne(
    { _id: send._id, state: "SENT" },
    { $set: { state: "BOUNCED", failure } },
  );
}

function bounceOf({ type, reason, code, diagnostic }: Verdict) {
  return { type, reason, code, diagnostic };
}
