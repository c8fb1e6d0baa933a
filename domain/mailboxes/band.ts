import type { MailboxStatus } from "../states.ts";

/** How far a mailbox may be trusted with campaign email, from the best to the worst (rules/health 1). */
export const BANDS = ["HEALTHY", "WATCH", "THROTTLED", "QUARANTINED", "BLOCKED"] as const;
export type Band = (typeof BANDS)[number];

/** The facts that decide a band. A share is `numerator / denominator`. */
export const HEALTH_MEASURES = ["SPAM_RATE", "COMPLAINT_RATE", "BOUNCE_RATE"] as const;
export type HealthMeasure = (typeof HEALTH_MEASURES)[number];

/**
 * Where a mailbox is in the course of its bands (rules/health 2). FREE: judged only by its facts. TERM: in a band for a
 * fixed time. PROBE: only warmup, after BLOCKED. STEPS: its capacity grows back. DECIDED: HEALTHY for a time, because a
 * person reset it.
 */
const HEALTH_PHASES = ["FREE", "TERM", "PROBE", "STEPS", "DECIDED"] as const;
type HealthPhase = (typeof HEALTH_PHASES)[number];

/** The share by which a band was judged. All are null if nothing speaks against the mailbox. */
export interface HealthEvidence {
  measure: HealthMeasure | null;
  numerator: number | null;
  denominator: number | null;
  threshold: number | null;
}

/** The standing of a mailbox, which only its facts determine. */
export interface HealthCourse extends HealthEvidence {
  phase: HealthPhase;
  band: Band;
  since: Date;
  /** The end of the band's term, or of a person's decision; null if neither applies. */
  until: Date | null;
  /** The share of its capacity, in percent, that a THROTTLED mailbox may use; null in every other band. */
  step: number | null;
  /** For a mailbox that recovers: the band it recovers from. A relapse leads back to it. */
  cameFrom: Band | null;
  /** The days of its last term, which a relapse doubles; null for a mailbox that is FREE. */
  termDays: number | null;
  /** Only facts newer than this count: the end of the last term, or a person's decision. */
  factsSince: Date | null;
  stepSince: Date | null;
  /** When it was judged last, and when it is judged again at the latest. */
  reviewedAt: Date;
  nextReviewAt: Date;
}

/** The health of a mailbox in its document; null for one that was never judged, which counts as HEALTHY. */
export interface MailboxHealth extends HealthCourse {
  /** 0 to 100 over seven days; null without enough facts. */
  score: number | null;
  /**
   * Campaign emails of the busiest day in the fourteen days before the band. If the mailbox has no daily limit, the
   * steps are shares of this number; null if it has a limit, or is in no term.
   */
  busiestDay: number | null;
}

export function bandOf({ health }: { health: MailboxHealth | null }): Band {
  return health?.band ?? "HEALTHY"; // mailboxes of earlier versions have none
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

/** Why a mailbox sends no campaign email, as a word: its status, otherwise its band. */
export function barWordOf(mailbox: { status: MailboxStatus; health: MailboxHealth | null }): MailboxStatus | Band {
  return mailbox.status === "CONNECTED" ? bandOf(mailbox) : mailbox.status;
}
