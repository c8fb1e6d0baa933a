import type { SmtpRefusal } from "../../domain/bounces/refusal.ts";
import { domainOf, organisationOf } from "../../domain/mail/message.ts";
import type { ProviderPause } from "../../domain/mailboxes/refusal-evidence.ts";
import {
  countRefusals,
  judgeRefusals,
  LAST_ATTEMPTS,
  lastAttempts,
  type RefusalAttempt,
  refusingOrganisations,
  verdictOfRefusal,
} from "../../domain/mailboxes/refusals.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { RecentAttempt, RefusalEvidence } from "../../models/mailboxes/refusal-evidence.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { revokeClaims } from "../sending/revoke.ts";
import { coolDown, slowDown } from "./faults.ts";
import { loadProvider } from "./refusal-bar.ts";

/** The kinds of email whose result is evidence. Partners of warmup and placement tests say nothing about recipients. */
const COUNTED: readonly Send["kind"][] = ["CAMPAIGN", "REPLY", "SCHEDULED"];
const COUNTERS = {
  RECIPIENT: "recipient",
  ORGANISATION: "organisationRule",
  CONTENT: "content",
  POLICY: "policy",
  SENDER: "sender",
  RATE: "rate",
} as const;
const NEW = { recipient: 0, organisationRule: 0, content: 0, policy: 0, sender: 0, rate: 0, lastSenderAt: null };
/** rules/sending 10.8: how long a mailbox sends nothing to a provider, at first and at most. */
const PAUSE_MS = DAY_MS;
const LONGEST_PAUSE_MS = 7 * DAY_MS;

/** A refusal and the send that was refused. */
export interface HeardRefusal {
  send: Send;
  mailboxId: string;
  refusal: SmtpRefusal;
  /** The code that callers read. */
  code: string;
  /** Whether the refusal comes from a delivery report, so the server had accepted the email first. */
  isReport?: boolean;
  /** Whether the server refused the envelope sender, before it received a recipient. */
  isBeforeRecipient?: boolean;
  at?: Date;
}

/** Counts an accepted email as evidence for its mailbox. Call it in the transaction that records the email. */
export async function noteAccepted(
  { workspaceId, mailboxId, kind, to, _id: sendId }: Send,
  at = new Date(),
): Promise<void> {
  if (mailboxId === null || !COUNTED.includes(kind)) return;
  const { organisation, domain, _id } = evidenceKeyOf(mailboxId, to);
  const attempt: RecentAttempt = { at, sendId, verdict: "ACCEPTED", text: null };
  const now = new Date();
  const change = {
    $inc: { accepted: 1 },
    $set: { mailboxId, organisation, domain, updatedAt: now },
    $max: { lastAt: at, lastAcceptedAt: at },
    $push: { recent: { $each: [attempt], $slice: -LAST_ATTEMPTS } },
    $setOnInsert: { ...NEW, provider: null, createdAt: now },
  };
  await scoped(workspaceId).RefusalEvidence.wroteAll([{ filter: { _id }, change, upsert: true }]);
}

/**
 * Stores a refusal as evidence and applies all evidence to the mailbox (rules/sending 10.8). Returns the refusal with
 * its effective meaning: a claim about the sender that other organisations have contradicted counts only as the
 * organisation's own policy. Call it in the transaction that records the result.
 */
export async function heedRefusal(refusalEvent: HeardRefusal): Promise<SmtpRefusal> {
  const { send, mailboxId, refusal, code, isBeforeRecipient = false, at = new Date() } = refusalEvent;
  const { workspaceId } = send;
  if (refusal.effect === "SLOW_DOWN") {
    await slowDown(workspaceId, mailboxId, code);
    return refusal;
  }
  if (verdictOfRefusal(refusal) === null) return refusal;
  const isCounted = COUNTED.includes(send.kind) && !isBeforeRecipient;
  const { organisation } = evidenceKeyOf(mailboxId, send.to);
  const effective =
    isCounted && (await isContradicted(workspaceId, mailboxId, organisation, refusal)) ? asPolicy(refusal) : refusal;
  if (isCounted) await noteRefused(refusalEvent, effective, at);
  if (effective.effect !== "COOL_DOWN" && (effective.effect !== "PUT_OFF" || !isCounted)) return effective;
  const mailbox = await scoped(workspaceId).Mailbox.get(mailboxId);
  if (mailbox === null) return effective;
  const attempts = await loadLastAttempts(mailbox, at);
  if (effective.effect === "PUT_OFF") {
    await judge(mailbox, attempts, at);
    return effective;
  }
  const by = effective.about === "rate" ? ("RATE" as const) : ("SENDER" as const);
  const who = by === "RATE" || !isCounted ? null : organisation;
  const reason = { by, code: effective.enhanced ?? code, organisation: who, counts: countRefusals(attempts) };
  const refusedBy = [...new Set([...refusingOrganisations(attempts), ...(who === null ? [] : [who])])];
  await coolDown(workspaceId, mailboxId, code, { reason, refusedBy, at });
  return effective;
}

/** The attempts of a mailbox that count at an instant, the newest first. */
async function loadLastAttempts({ workspaceId, _id, refusalsSince }: Mailbox, at: Date): Promise<RefusalAttempt[]> {
  const rows = await loadEvidence(workspaceId, _id, at);
  const attempts = rows.flatMap(({ organisation, provider, recent }) =>
    recent.map(({ at: instant, verdict, text }) => ({
      at: instant.getTime(),
      organisation,
      provider: provider ?? organisation,
      verdict,
      text,
    })),
  );
  return lastAttempts(attempts, at.getTime(), refusalsSince?.getTime());
}

/** The evidence of the twenty organisations that a mailbox contacted last, which contains its last twenty attempts. */
export function loadEvidence(workspaceId: string, mailboxId: string, at: Date): Promise<RefusalEvidence[]> {
  const lately = { mailboxId, lastAt: { $gt: new Date(at.getTime() - DAY_MS) } };
  return scoped(workspaceId).RefusalEvidence.read(lately, { sort: { lastAt: -1 }, limit: LAST_ATTEMPTS });
}

/** The evidence document for a mailbox's emails to an address. */
function evidenceKeyOf(mailboxId: string, to: string): { _id: string; organisation: string; domain: string } {
  const domain = domainOf(to);
  const organisation = organisationOf(domain);
  return { _id: `${mailboxId}:${organisation}`, organisation, domain };
}

/**
 * Whether an organisation repeats a claim about the sender although another has accepted email since the claim was
 * first made.
 */
async function isContradicted(
  workspaceId: string,
  mailboxId: string,
  organisation: string,
  { about, effect }: SmtpRefusal,
): Promise<boolean> {
  if (about !== "sender" || effect !== "COOL_DOWN") return false;
  const { RefusalEvidence } = scoped(workspaceId);
  const evidence = await RefusalEvidence.get(`${mailboxId}:${organisation}`);
  if (!evidence?.lastSenderAt) return false;
  const others = { mailboxId, organisation: { $ne: organisation }, lastAcceptedAt: { $gt: evidence.lastSenderAt } };
  return (await RefusalEvidence.read(others, { select: { _id: 1 }, limit: 1 })).length > 0;
}

function asPolicy(refusal: SmtpRefusal): SmtpRefusal {
  return { ...refusal, about: "policy", confidence: "UNCONFIRMED", effect: "PUT_OFF" };
}

/** Adds a refusal to the evidence. A refusal in a delivery report replaces the earlier acceptance. */
async function noteRefused(
  { send, mailboxId, isReport = false }: HeardRefusal,
  refusal: SmtpRefusal,
  at: Date,
): Promise<void> {
  const verdict = verdictOfRefusal(refusal);
  if (verdict === null) return;
  const { workspaceId, _id: sendId, stepId, variantId } = send;
  const { RefusalEvidence } = scoped(workspaceId);
  const { organisation, domain, _id } = evidenceKeyOf(mailboxId, send.to);
  const evidence = await RefusalEvidence.get(_id);
  const recent = evidence?.recent ?? [];
  const accepted = isReport ? recent.findLast((one) => one.sendId === sendId && one.verdict === "ACCEPTED") : undefined;
  const attemptedAt = accepted?.at ?? (isReport ? (send.sentAt ?? at) : at);
  const text = refusal.effect === "PUT_OFF" ? (stepId === null ? sendId : `${stepId}:${variantId ?? ""}`) : null;
  const attempts = [...recent.filter((one) => one !== accepted), { at: attemptedAt, sendId, verdict, text }];
  const now = new Date();
  const change = {
    $inc: { [COUNTERS[verdict]]: 1, accepted: accepted === undefined ? 0 : -1 },
    $set: {
      mailboxId,
      organisation,
      domain,
      updatedAt: now,
      recent: attempts.toSorted((one, other) => one.at.getTime() - other.at.getTime()).slice(-LAST_ATTEMPTS),
      provider: evidence?.provider ?? (await loadProvider(domain)),
      ...(verdict === "SENDER" && { lastSenderAt: at }),
      // An email that was accepted first and refused later is no longer evidence against other claims
      ...(accepted !== undefined && {
        lastAcceptedAt: attempts.findLast((one) => one.verdict === "ACCEPTED")?.at ?? null,
      }),
    },
    $max: { lastAt: attemptedAt },
    $setOnInsert: {
      ...absent(evidence === null, verdict),
      ...(evidence === null && { lastAcceptedAt: null }),
      createdAt: now,
    },
  };
  await RefusalEvidence.wroteAll([{ filter: { _id }, change, upsert: true }]);
}

/** The further fields that the first refusal must set. */
function absent(isNew: boolean, verdict: keyof typeof COUNTERS): Partial<typeof NEW> {
  const { [COUNTERS[verdict]]: _counted, lastSenderAt, ...others } = NEW;
  return isNew ? { ...others, ...(verdict !== "SENDER" && { lastSenderAt }) } : {};
}

/** Starts a cooldown, or pauses the mailbox for a provider, when the refusals without a reason require it. */
async function judge(mailbox: Mailbox, attempts: RefusalAttempt[], at: Date): Promise<void> {
  const decision = judgeRefusals(attempts);
  if (decision.kind === "PAUSE_PROVIDER") await pauseProvider(mailbox, decision.provider, attempts, at);
  if (decision.kind !== "COOL_DOWN") return;
  const reason = { by: "POLICY" as const, code: null, organisation: null, counts: countRefusals(attempts) };
  await coolDown(mailbox.workspaceId, mailbox._id, REFUSALS, {
    reason,
    refusedBy: refusingOrganisations(attempts),
    at,
  });
}

/** The status reason of a mailbox that cools down because of refusals without a reason. */
const REFUSALS = "REFUSALS";

/**
 * Pauses a mailbox for a provider. It also revokes the claims of the mailbox, so that an email to that provider that is
 * about to be sent is checked again.
 */
async function pauseProvider(mailbox: Mailbox, provider: string, attempts: RefusalAttempt[], at: Date): Promise<void> {
  const { workspaceId, _id, pausedProviders: pauses = [] } = mailbox;
  const before = pauses.find((one) => one.provider === provider);
  if (before !== undefined && before.until > at) return;
  const isRelapse = before !== undefined && before.until.getTime() > at.getTime() - DAY_MS;
  const times = isRelapse ? before.times + 1 : 1;
  const until = new Date(at.getTime() + Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** (times - 1)));
  const counts = countRefusals(attempts.filter((attempt) => attempt.provider === provider));
  const pause: ProviderPause = { provider, since: at, until, times, counts };
  const others = pauses.filter((one) => one.provider !== provider && one.until.getTime() > at.getTime() - DAY_MS);
  const change = { $set: { pausedProviders: [...others, pause], updatedAt: new Date() }, $inc: { refusalTurn: 1 } };
  await scoped(workspaceId).Mailbox.changeOne({ _id }, change);
  await revokeClaims(workspaceId, { mailboxIds: [_id] });
}
