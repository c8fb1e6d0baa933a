import type { MailboxStatus } from "../states.ts";

/** How far a mailbox may be trusted with campaign mail, from the best to the worst (rules/health 1). */
export const BANDS = ["HEALTHY", "WATCH", "THROTTLED", "QUARANTINED", "BLOCKED"] as const;
export type Band = (typeof BANDS)[number];

/** What a band was judged by. A share is `numerator / denominator`. */
export const HEALTH_MEASURES = ["SPAM_RATE", "COMPLAINT_RATE", "BOUNCE_RATE"] as const;
export type HealthMeasure = (typeof HEALTH_MEASURES)[number];

/**
 * Where a mailbox stands in the course of its bands (rules/health 2). FREE: judged by its facts alone. TERM: in a band
 * for a time. PROBE: after BLOCKED, warmup alone. STEPS: on its way back. DECIDED: a person has set it back to HEALTHY,
 * for a time.
 */
const HEALTH_PHASES = ["FREE", "TERM", "PROBE", "STEPS", "DECIDED"] as const;
type HealthPhase = (typeof HEALTH_PHASES)[number];

/** The share by which a band was judged. All are null where nothing speaks against the mailbox. */
export interface HealthEvidence {
  measure: HealthMeasure | null;
  numerator: number | null;
  denominator: number | null;
  threshold: number | null;
}

/** The standing of a mailbox, as it follows from its facts alone. */
export interface HealthCourse extends HealthEvidence {
  phase: HealthPhase;
  band: Band;
  since: Date;
  /** The end of the band's term, or of what a person decided; null where nothing ends by itself. */
  until: Date | null;
  /** The share of its capacity, in percent, that a THROTTLED mailbox may use; null in every other band. */
  step: number | null;
  /** For a mailbox that recovers: the band it recovers from. A relapse leads back to it. */
  cameFrom: Band | null;
  /** The days of its last term, which a relapse doubles; null of a mailbox that is FREE. */
  termDays: number | null;
  /** Only facts newer than this count: the end of the last term, or what a person decided. */
  factsSince: Date | null;
  stepSince: Date | null;
  /** When it was judged last, and when it is again at the latest. */
  reviewedAt: Date;
  nextReviewAt: Date;
}

/**
 * The health of a mailbox as it stands on its document; null on one that was never judged, which is as good as HEALTHY.
 */
export interface MailboxHealth extends HealthCourse {
  /** 0 to 100 over seven days; null without enough facts. */
  score: number | null;
  /**
   * Campaign emails of its busiest day of the fourteen before the band, of which the steps are shares where it has no
   * limit of a day; null where it has one, or is in no term.
   */
  busiestDay: number | null;
}

export function bandOf({ health }: { health: MailboxHealth | null }): Band {
  return health?.band ?? "HEALTHY"; // mailboxes of earlier versions have none
}

/** Whether a band lets no campaign mail leave. */
export function isShut(band: Band): boolean {
  return band === "QUARANTINED" || band === "BLOCKED";
}

export function isGraver(band: Band, than: Band): boolean {
  return BANDS.indexOf(band) > BANDS.indexOf(than);
}

/** Whether campaign mail may leave a mailbox, by its status and its band. */
export function maySendCampaigns(mailbox: { status: MailboxStatus; health: MailboxHealth | null }): boolean {
  return mailbox.status === "CONNECTED" && !isShut(bandOf(mailbox));
}

/** Why a mailbox sends no campaign mail, as a word: its status, or else its band. */
export function barWordOf(mailbox: { status: MailboxStatus; health: MailboxHealth | null }): MailboxStatus | Band {
  return mailbox.status === "CONNECTED" ? bandOf(mailbox) : mailbox.status;
}
