import type { MeasuredPlaces } from "../mailboxes/score.ts";

/** The results of emails over some days. */
export interface MailFigures {
  sent: number;
  bounced: number;
  complained: number;
  replied: number;
  /** Emails that carried a pixel, and how many of them were opened. */
  tracked: number;
  opened: number;
}

/** Where emails were found: seen anywhere, in the inbox, in Junk, and seen nowhere in time. */
export interface PlaceFigures extends MeasuredPlaces {
  inInbox: number;
  missing: number;
}

/** A share of 0 to 1 with four digits; null if `whole` is 0. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
