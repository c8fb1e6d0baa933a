import type { MeasuredPlaces } from "../mailboxes/score.ts";

/** The counts of a number of days: emails sent, and their results. */
export interface MailFigures {
  sent: number;
  bounced: number;
  complained: number;
  replied: number;
  /** Emails with an open-tracking pixel, and how many of them were opened. */
  tracked: number;
  opened: number;
}

/** How many emails were found at all, in the inbox and in Junk, and how many were not found in time. */
export interface PlaceFigures extends MeasuredPlaces {
  inInbox: number;
  missing: number;
}

/** A share of 0 to 1 with four digits; null if `whole` is 0. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;
}
