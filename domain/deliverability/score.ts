import type { MeasuredPlaces } from "../mailboxes/score.ts";

/** What became of emails, over some days. */
export interface MailFigures {
  sent: number;
  bounced: number;
  complained: number;
  replied: number;
  /** Emails that carried a pixel, and those of them that were opened. */
  tracked: number;
  opened: number;
}

/** Where emails were found: seen anywhere, in the inbox, in Junk, and seen nowhere in time. */
export interface PlaceFigures extends MeasuredPlaces {
  inInbox: number;
  missing: number;
}

/** A share of 0 to 1 with four digits; null of nothing. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
