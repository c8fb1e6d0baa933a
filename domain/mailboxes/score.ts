/** How many emails a mailbox sent on some days, and how many bounced or led to complaints. */
interface ScoredMails {
  sent: number;
  bounced: number;
  complained: number;
}

/**
 * The fewest emails for a meaningful bounce or complaint rate, and the fewest emails found in a folder for a meaningful
 * share of Junk.
 */
export const SCORE_FLOORS = { mails: 100, places: 20 } as const;

/** How many emails were found in a folder of the receiving mailbox, and how many of them in Junk. */
export interface MeasuredPlaces {
  seen: number;
  inSpam: number;
}

/**
 * The health score, 0 to 100 (rules/deliverability 4.1). A measure without enough emails subtracts nothing; null if no
 * measure has enough. `MeasuredPlaces` come from warmup and placement tests.
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
