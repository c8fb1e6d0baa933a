import { DAY_MS } from "../time/durations.ts";

/** What a workspace of someone who signed up may do on its first day. Each good day adds as much again (rules/access 8.4). */
export interface NewcomerLimits {
  /** After so many good days none of these limits applies any more. */
  days: number;
  emails: number;
  mailboxes: number;
  members: number;
  connectionTests: number;
  importedRows: number;
}

export const NEWCOMER_LIMITS: NewcomerLimits = {
  days: 30,
  emails: 100,
  mailboxes: 10,
  members: 5,
  connectionTests: 50,
  importedRows: 5_000,
};

/** The limits of a workspace that has been good since `newSince`; null once it is no longer new. */
export function newcomerLimitsAt(
  { days, emails, mailboxes, members, connectionTests, importedRows }: NewcomerLimits,
  newSince: Date,
  now: number,
): Omit<NewcomerLimits, "days"> | null {
  const goodDays = Math.max(0, Math.floor((now - newSince.getTime()) / DAY_MS));
  if (goodDays >= days) return null;
  const times = 1 + goodDays;
  return {
    emails: times * emails,
    mailboxes: times * mailboxes,
    members: times * members,
    connectionTests: times * connectionTests,
    importedRows: times * importedRows,
  };
}

/** What members read about the limit of emails. */
export const NEWCOMER_REASON = "New workspaces may send few emails a day. The number grows every day";
