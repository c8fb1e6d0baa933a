/** Emails of some days, and what happened to them. */
interface ScoredMails {
  sent: number;
  bounced: number;
  complained: number;
}

/**
 * How many emails a share of bounces or complaints needs to mean something, and how many measured places a share of
 * Junk needs.
 */
export const SCORE_FLOORS = { mails: 100, places: 20 } as const;

/** Where emails of known place landed: how many were seen anywhere, and how many of those in Junk. */
export interface MeasuredPlaces {
  seen: number;
  inSpam: number;
}

/**
 * 0 to 100 (rules/deliverability 4.1). A part without enough emails subtracts nothing; null if no part has enough.
 * MeasuredPlaces come from warmup and placement tests.
 */
export function scoreOf(
  { sent, bounced, complained }: ScoredMails,
  { seen, inSpam }: MeasuredPlaces = { seen: 0, inSpam: 0 },
): number | null {
  const hasMails = sent >= SCORE_FLOORS.mails;
  const hasPlaces = seen >= SCORE_FLOORS.places;
  if (!hasMails && !hasPlaces) return null;
  const bounces = hasMails ? Math.min(40, (400 * bounced) / sent) : 0;
  const complaints = hasMails ? Math.min(30, (10_000 * complained) / sent) : 0;
  const spam = hasPlaces ? Math.min(40, (100 * inSpam) / seen) : 0;
  return Math.round(Math.max(0, 100 - bounces - complaints - spam));
}
