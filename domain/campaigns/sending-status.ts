import type { CampaignStatus, PauseReason } from "../states.ts";

/** The facts that decide why a campaign does or does not send now. Instants are in epoch milliseconds. */
export interface SendingFacts {
  /** `mailboxes` counts those that the settings name; `usable` counts those of them that may send. */
  mailboxes: number;
  usable: number;
  people: OpenPeople;
  /**
   * Whether today is a holiday for all recipients, and whether any sending window and any mailbox's workday are open
   * now.
   */
  isHoliday: boolean;
  isOpen: boolean;
  /** Emails booked or sent today by the campaign, and the day's limits; null means no limit. */
  today: { total: number; newLeads: number };
  dailyLimit: number | null;
  rampLimit: number | null;
  maxNewLeadsPerDay: number | null;
  /** Whether every usable mailbox has reached its daily limit. */
  mailboxesFull: boolean;
  /** When the next email will really leave; null when that is not known. */
  nextSendAt: number | null;
  longestGapMs: number;
  now: number;
}

/** The open recipients of a campaign; each is counted once. */
export interface OpenPeople {
  /** Paused individually. */
  paused: number;
  /** Recipients that wait for a mailbox that cannot send. */
  held: number;
  /** Recipients with an overdue send slot, or with one within the longest gap between two emails. */
  due: number;
  /** Recipients whose delay is over, but who have no slot within the longest gap. */
  pushed: number;
  /** They are between two steps. */
  delayed: number;
  /**
   * Recipients that have not entered the campaign yet, by cause: provider matching is STRICT and no mailbox is at their
   * provider; the limit per recipient domain is reached; any other cause.
   */
  unmatched: number;
  throttled: number;
  waiting: number;
}

export const SENDING_CODES = [
  ...([
    "DRAFT",
    "ARCHIVED",
    "COMPLETED",
    "GUARD_TRIPPED",
    "PAUSED",
    "SCHEDULED",
    "NO_MAILBOX",
    "MAILBOXES_UNHEALTHY",
  ] as const),
  ...([
    "WAITING_FOR_RECIPIENTS",
    "HOLIDAY",
    "OUT_OF_SCHEDULE",
    "CAMPAIGN_DAILY_LIMIT",
    "RAMP_LIMIT",
    "MAILBOX_DAILY_LIMIT",
  ] as const),
  ...([
    "FOLLOW_UP_DELAY",
    "NEW_LEAD_LIMIT",
    "DOMAIN_LIMIT",
    "WAITING_FOR_PROVIDER_MATCH",
    "MAILBOX_GAP",
    "HEALTHY",
  ] as const),
] as const;
export type SendingCode = (typeof SENDING_CODES)[number];

/** The sending statuses that end only when a person does something. */
const UNTIL_A_PERSON: readonly SendingCode[] = ["GUARD_TRIPPED", "NO_MAILBOX", "MAILBOXES_UNHEALTHY"];

/** Whether a campaign that was launched is stuck until a person does something. */
export function isStuck(code: SendingCode): boolean {
  return UNTIL_A_PERSON.includes(code);
}

const GUARDS: readonly (PauseReason | null)[] = ["BOUNCE_GUARD", "COMPLAINT_GUARD", "REPLY_RATE_FLOOR"];

/** The code of a campaign that is not active, for which no further facts are needed. Null for an active campaign. */
export function restingCode(status: CampaignStatus, pauseReason: PauseReason | null): SendingCode | null {
  if (status === "ACTIVE") return null;
  return status === "PAUSED" && GUARDS.includes(pauseReason) ? "GUARD_TRIPPED" : status;
}

/**
 * The first code that holds for an active campaign (rules/campaigns 4.4). A limit is returned only while it delays a
 * recipient. HEALTHY is returned only while the next email can leave within the longest gap and no recipient waits for
 * a mailbox that cannot send.
 */
export function activeCode(facts: SendingFacts): SendingCode {
  const { people } = facts;
  const { due, pushed, delayed, unmatched, throttled, waiting, held } = people;
  if (facts.mailboxes === 0) return "NO_MAILBOX";
  if (facts.usable === 0) return "MAILBOXES_UNHEALTHY";
  if (due + pushed + delayed + unmatched + throttled + waiting + held === 0) return "WAITING_FOR_RECIPIENTS";
  const closed = closedCode(facts);
  if (closed !== null) return closed;
  if (!isLate(facts)) return strandedCode(people) ?? "HEALTHY";
  const fresh = unmatched + throttled + waiting;
  if (pushed + due + fresh === 0) return delayed > 0 ? "FOLLOW_UP_DELAY" : "MAILBOXES_UNHEALTHY";
  const limit = limitCode(facts);
  if (limit !== null) return limit;
  if (fresh > 0 && hasNewLeadLimit(facts)) return "NEW_LEAD_LIMIT";
  if (throttled > 0) return "DOMAIN_LIMIT";
  if (unmatched > 0) return "WAITING_FOR_PROVIDER_MATCH";
  return "MAILBOX_GAP";
}

/** Why some recipients cannot be contacted although the campaign sends; null if all of them can. */
function strandedCode({ held, unmatched }: OpenPeople): SendingCode | null {
  if (held > 0) return "MAILBOXES_UNHEALTHY";
  return unmatched > 0 ? "WAITING_FOR_PROVIDER_MATCH" : null;
}

function closedCode({ isOpen, isHoliday }: SendingFacts): SendingCode | null {
  if (isOpen) return null;
  return isHoliday ? "HOLIDAY" : "OUT_OF_SCHEDULE";
}

/** The limit that stops further emails today. */
function limitCode({ today, dailyLimit, rampLimit, mailboxesFull }: SendingFacts): SendingCode | null {
  if (isReached(today.total, dailyLimit)) return "CAMPAIGN_DAILY_LIMIT";
  if (isReached(today.total, rampLimit)) return "RAMP_LIMIT";
  return mailboxesFull ? "MAILBOX_DAILY_LIMIT" : null;
}

function hasNewLeadLimit({ today, maxNewLeadsPerDay }: SendingFacts): boolean {
  return isReached(today.newLeads, maxNewLeadsPerDay);
}

/** Whether no email will leave within the longest gap. */
function isLate({ nextSendAt, longestGapMs, now }: SendingFacts): boolean {
  return nextSendAt === null || nextSendAt - now > longestGapMs;
}

function isReached(count: number, limit: number | null): boolean {
  return limit !== null && count >= limit;
}

/** How many open recipients each cause delays. HEALTHY counts the recipients that nothing delays. */
export function breakdownOf(facts: SendingFacts): Partial<Record<SendingCode, number>> {
  const { people } = facts;
  const everyone =
    facts.mailboxes === 0 ? "NO_MAILBOX" : facts.usable === 0 ? "MAILBOXES_UNHEALTHY" : closedCode(facts);
  const limited = everyone ?? limitCode(facts);
  const fresh = limited ?? (hasNewLeadLimit(facts) ? "NEW_LEAD_LIMIT" : null);
  const isLateNow = isLate(facts);
  return countByCode([
    ["PAUSED", people.paused],
    ["FOLLOW_UP_DELAY", people.delayed],
    [facts.mailboxes === 0 ? "NO_MAILBOX" : "MAILBOXES_UNHEALTHY", people.held],
    [isLateNow ? (limited ?? "MAILBOX_GAP") : (everyone ?? "HEALTHY"), people.due],
    [limited ?? "MAILBOX_GAP", people.pushed],
    [fresh ?? "WAITING_FOR_PROVIDER_MATCH", people.unmatched],
    [fresh ?? "DOMAIN_LIMIT", people.throttled],
    [fresh ?? (isLateNow ? "MAILBOX_GAP" : "HEALTHY"), people.waiting],
  ]);
}

/** The breakdown of a campaign that is not active: its status delays all recipients. */
export function restingBreakdown(code: SendingCode, open: number): Partial<Record<SendingCode, number>> {
  return countByCode([[code, open]]);
}

function countByCode(causes: [SendingCode, number][]): Partial<Record<SendingCode, number>> {
  const counts: Partial<Record<SendingCode, number>> = {};
  for (const [code, count] of causes) if (count > 0) counts[code] = (counts[code] ?? 0) + count;
  return counts;
}
