/** How far a mailbox may be trusted with campaign mail, from the best to the worst (rules/health 1). */
export const BANDS = ["HEALTHY", "WATCH", "THROTTLED", "QUARANTINED", "BLOCKED"] as const;
export type Band = (typeof BANDS)[number];

/** What a band was judged by. A share is `numerator / denominator`. */
export const HEALTH_MEASURES = ["SPAM_RATE", "COMPLAINT_RATE", "BOUNCE_RATE"] as const;
export type HealthMeasure = (typeof HEALTH_MEASURES)[number];

/** The health of a mailbox as it stands on its document; null on one that was never judged, which is as good as HEALTHY. */
export interface MailboxHealth {
  band: Band;
  since: Date;
  /** The end of the band's term, or of what a person decided; null where nothing ends by itself. */
  until: Date | null;
  /** The share of its capacity, in percent, that a THROTTLED mailbox may use; null in every other band. */
  step: number | null;
  measure: HealthMeasure | null;
  numerator: number | null;
  denominator: number | null;
  threshold: number | null;
  /** When it is looked at again at the latest; null where only new facts matter. */
  nextReviewAt: Date | null;
  /** 0 to 100 over seven days; null without enough facts. */
  score: number | null;
}

export function bandOf({ health }: { health: MailboxHealth | null }): Band {
  return health?.band ?? "HEALTHY"; // mailboxes of earlier versions have none
}

/** Whether a band lets no campaign mail leave. */
export function isShut(band: Band): boolean {
  return band === "QUARANTINED" || band === "BLOCKED";
}
