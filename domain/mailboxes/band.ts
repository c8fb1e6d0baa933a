import type { MailboxStatus } from "../states.ts";

/**
 * The health bands of a mailbox, from the best to the worst. The band decides how much campaign email it may send
 * (rules/health 1).
 */
export const BANDS = ["HEALTHY", "WATCH", "THROTTLED", "QUARANTINED", "BLOCKED"] as const;
export type Band = (typeof BANDS)[number];

/** The measures that decide a band. Each is a share, `numerator / denominator`. */
export const HEALTH_MEASURES = ["SPAM_RATE", "COMPLAINT_RATE", "BOUNCE_RATE"] as const;
export type HealthMeasure = (typeof HEALTH_MEASURES)[number];

/**
 * The phase of a mailbox's recovery (rules/health 2). FREE: only the current measures decide the band. TERM: the
 * mailbox stays in its band for a fixed time. PROBE: after BLOCKED, the mailbox sends only warmup. STEPS: its capacity
 * returns in steps. DECIDED: the mailbox is HEALTHY for a time because a person reset it.
 */
const HEALTH_PHASES = ["FREE", "TERM", "PROBE", "STEPS", "DECIDED"] as const;
type HealthPhase = (typeof HEALTH_PHASES)[number];

/** The measure that led to the band. All fields are null if no measure reached a threshold. */
export interface HealthEvidence {
  measure: HealthMeasure | null;
  numerator: number | null;
  denominator: number | null;
  threshold: number | null;
}

/** The health of a mailbox over time. It follows only from measured facts and from decisions of people. */
export interface HealthCourse extends HealthEvidence {
  phase: HealthPhase;
  band: Band;
  since: Date;
  /** When the band's fixed time or a person's decision ends; null if neither applies. */
  until: Date | null;
  /** The share of its capacity, in percent, that a THROTTLED mailbox may use; null in every other band. */
  step: number | null;
  /** For a mailbox that recovers: the band from which it recovers. A relapse puts the mailbox back into that band. */
  cameFrom: Band | null;
  /** How many days the mailbox last had to stay in a band. A relapse doubles them. Null for a mailbox that is FREE. */
  termDays: number | null;
  /** Only facts after this time count. It is the end of the last term, or the time of a person's decision. */
  factsSince: Date | null;
  stepSince: Date | null;
  /** When the mailbox was judged last, and when it is judged again at the latest. */
  reviewedAt: Date;
  nextReviewAt: Date;
}

/** The health of a mailbox in its document; null for one that was never judged, which counts as HEALTHY. */
export interface MailboxHealth extends HealthCourse {
  /** 0 to 100 over seven days; null without enough facts. */
  score: number | null;
  /**
   * The number of campaign emails on the busiest of the fourteen days before the mailbox entered its band. If the
   * mailbox has no daily limit, its recovery steps are percentages of this number. Null if it has a limit, or is not
   * recovering.
   */
  busiestDay: number | null;
}

export function bandOf({ health }: { health: MailboxHealth | null }): Band {
  return health?.band ?? "HEALTHY"; // mailboxes that an earlier version created have no `health`
}

/** Whether a band blocks all campaign email. */
export function isShut(band: Band): boolean {
  return band === "QUARANTINED" || band === "BLOCKED";
}

export function isGraver(band: Band, than: Band): boolean {
  return BANDS.indexOf(band) > BANDS.indexOf(than);
}

/** Whether campaign email may leave a mailbox, by its status and its band. */
export function maySendCampaigns(mailbox: { status: MailboxStatus; health: MailboxHealth | null }): boolean {
  return mailbox.status === "CONNECTED" && !isShut(bandOf(mailbox));
}

/**
 * The status or band that keeps a mailbox from sending campaign email: the status unless the mailbox is CONNECTED,
 * otherwise the band.
 */
export function barWordOf(mailbox: { status: MailboxStatus; health: MailboxHealth | null }): MailboxStatus | Band {
  return mailbox.status === "CONNECTED" ? bandOf(mailbox) : mailbox.status;
}
