/** Emails of some days, and what became of them. */
interface ScoredMails {
  sent: number;
  bounced: number;
  complained: number;
}

/**
 * Emails of which a share of bounces or complaints says something, and measured places of which a share of Junk does.
 */
export const SCORE_FLOORS = { mails: 100, places: 20 } as const;

/** Where emails of known place landed: those seen anywhere, and those of them that were in Junk. */
export interface MeasuredPlaces {
  seen: number;
  inSpam: number;
}

/**
 * 0 to 100 (rules/deliverability 4.1). A part without enough emails takes nothing away; null when none has enough.
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
