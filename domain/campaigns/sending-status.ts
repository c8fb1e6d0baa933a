import type { CampaignStatus, PauseReason } from "../states.ts";

/** The facts that decide why a campaign does or does not send now. Instants are in epoch milliseconds. */
export interface SendingFacts {
  status: CampaignStatus;
  pauseReason: PauseReason | null;
  /** `mailboxes` counts those that the settings name; `usable` counts those of them that may send. */
  mailboxes: number;
  usable: number;
  /** Recipients by their status. */
  pending: number;
  inProgress: number;
  paused: number;
  /** Recipients in progress whose next step is due within the longest gap. */
  dueSoon: number;
  isHoliday: boolean;
  isOpen: boolean;
  /** Mails booked or sent today by the campaign, and the day's limits; null means no limit. */
  today: { total: number; newLeads: number };
  dailyLimit: number | null;
  rampLimit: number | null;
  maxNewLeadsPerDay: number | null;
  /** Every usable mailbox has reached its daily limit. */
  mailboxesFull: boolean;
  /** A throttle on a domain or a company is used up for now (rules/sending 2.7). */
  isThrottled: boolean;
  /** Under STRICT, no waiting recipient has a mailbox at their own provider (rules/sending 4.2). */
  isUnmatched: boolean;
  nextSendAt: number | null;
  longestGapMs: number;
  now: number;
}

export const SENDING_CODES = [
  ...(["DRAFT", "ARCHIVED", "COMPLETED", "GUARD_TRIPPED", "PAUSED", "SCHEDULED", "NO_MAILBOX", "MAILBOXES_UNHEALTHY"] as const),
  ...(["WAITING_FOR_RECIPIENTS", "HOLIDAY", "OUT_OF_SCHEDULE", "CAMPAIGN_DAILY_LIMIT", "RAMP_LIMIT", "MAILBOX_DAILY_LIMIT"] as const),
  ...(["FOLLOW_UP_DELAY", "NEW_LEAD_LIMIT", "DOMAIN_LIMIT", "WAITING_FOR_PROVIDER_MATCH", "MAILBOX_GAP", "HEALTHY"] as const),
] as const;
export type SendingCode = (typeof SENDING_CODES)[number];

const GUARDS: readonly (PauseReason | null)[] = ["BOUNCE_GUARD", "COMPLAINT_GUARD", "REPLY_RATE_FLOOR"];

/** The first code whose condition holds (rules/campaigns 4.4). */
export function sendingCode(facts: SendingFacts): SendingCode {
  return restingCode(facts.status, facts.pauseReason) ?? activeCode(facts);
}

/** The code of a campaign that is not active, which needs no further facts. Null for an active campaign. */
export function restingCode(status: CampaignStatus, pauseReason: PauseReason | null): SendingCode | null {
  if (status === "ACTIVE") return null;
  return status === "PAUSED" && GUARDS.includes(pauseReason) ? "GUARD_TRIPPED" : status;
}

function activeCode(facts: SendingFacts): SendingCode {
  const { now, nextSendAt, longestGapMs, today } = facts;
  const waits = nextSendAt !== null && nextSendAt - now > longestGapMs;
  const codes: [SendingCode, boolean][] = [
    ["NO_MAILBOX", facts.mailboxes === 0],
    ["MAILBOXES_UNHEALTHY", facts.usable === 0],
    ["WAITING_FOR_RECIPIENTS", facts.pending + facts.inProgress === 0],
    ["HOLIDAY", facts.isHoliday],
    ["OUT_OF_SCHEDULE", !facts.isOpen],
    ["CAMPAIGN_DAILY_LIMIT", isReached(today.total, facts.dailyLimit)],
    ["RAMP_LIMIT", isReached(today.total, facts.rampLimit)],
    ["MAILBOX_DAILY_LIMIT", facts.mailboxesFull],
    ["FOLLOW_UP_DELAY", facts.pending === 0 && waits],
    ["NEW_LEAD_LIMIT", facts.pending > 0 && isReached(today.newLeads, facts.maxNewLeadsPerDay)],
    ["DOMAIN_LIMIT", facts.isThrottled && (waits || nextSendAt === null)],
    ["WAITING_FOR_PROVIDER_MATCH", facts.isUnmatched && (waits || nextSendAt === null)],
    ["MAILBOX_GAP", waits],
  ];
  return codes.find(([, holds]) => holds)?.[0] ?? "HEALTHY";
}

function isReached(count: number, limit: number | null): boolean {
  return limit !== null && count >= limit;
}

type Counts = Pick<SendingFacts, "pending" | "inProgress" | "paused" | "dueSoon">;

/**
 * How many open recipients each code holds back. Recipients between two steps wait for their delay; the others share the campaign's code.
 */
export function breakdownOf(code: SendingCode, { pending, inProgress, paused, dueSoon }: Counts): Record<string, number> {
  const isResting = SENDING_CODES.indexOf(code) < SENDING_CODES.indexOf("WAITING_FOR_RECIPIENTS");
  const counts: Record<string, number> = {};
  const add = (key: SendingCode, count: number) => {
    if (count > 0) counts[key] = (counts[key] ?? 0) + count;
  };
  add(isResting ? code : "PAUSED", paused);
  add(isResting ? code : "FOLLOW_UP_DELAY", inProgress - dueSoon);
  add(code, pending + dueSoon);
  return counts;
}
