import { DAY_MS } from "../time/durations.ts";

/** The kinds of data with their own retention, and for how many days each may be kept. */
export const RETENTION_LIMITS = {
  messageBodies: { least: 30, most: 3_650 },
  hitAddresses: { least: 30, most: 3_650 },
  jobs: { least: 1, most: 30 },
} as const;
export type RetentionKind = keyof typeof RETENTION_LIMITS;

/** For how many days each kind is kept. Null: as long as without a setting. */
export type Retention = Record<RetentionKind, number | null>;

export const KEEP_ALL: Retention = { messageBodies: null, hitAddresses: null, jobs: null };

/** The kinds that a daily round deletes. Addresses of hits are removed when their day has come. */
type RoundKind = Exclude<RetentionKind, "hitAddresses">;

/** One round over the data of a workspace. It continues where its last turn ended. */
export interface RetentionRound {
  startedAt: Date;
  /** Null while the round is not finished. */
  finishedAt: Date | null;
  counts: Record<RoundKind, number>;
  /** Where the texts of campaign emails continue; null at their beginning. */
  place: { campaignId: string; sentAt: Date } | null;
  /** Texts of campaign emails that were sent before this instant were emptied by an earlier round. */
  emptiedTo: Date | null;
}

/** What was stored before this instant has been kept for that many days. */
export function cutOf(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
