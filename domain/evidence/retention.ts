import { DAY_MS } from "../time/durations.ts";

/** The kinds of data with their own retention, and for how many days each may be kept. */
export const RETENTION_LIMITS = {
  messageBodies: { least: 30, most: 3_650 },
  hitAddresses: { least: 30, most: 3_650 },
  jobs: { least: 1, most: 30 },
  events: { least: 90, most: 3_650 },
  recipients: { least: 90, most: 3_650 },
  prospects: { least: 30, most: 3_650 },
  // Two years at least, because the log must answer questions about what happened long ago
  auditEntries: { least: 730, most: 3_650 },
} as const;
export type RetentionKind = keyof typeof RETENTION_LIMITS;

/** For how many days each kind is kept. Null: as long as without a setting. */
export type Retention = Record<RetentionKind, number | null>;

export const KEEP_ALL: Retention = {
  messageBodies: null,
  hitAddresses: null,
  jobs: null,
  events: null,
  recipients: null,
  prospects: null,
  auditEntries: null,
};

/** The kinds that a daily round deletes. Addresses of hits are removed when their day has come. */
export type RoundKind = Exclude<RetentionKind, "hitAddresses">;

export const NOTHING_DELETED: Record<RoundKind, number> = {
  messageBodies: 0,
  jobs: 0,
  events: 0,
  recipients: 0,
  prospects: 0,
  auditEntries: 0,
};

/** One round over the data of a workspace. It continues where its last turn ended. */
export interface RetentionRound {
  startedAt: Date;
  /** Null while the round is not finished. */
  finishedAt: Date | null;
  /** Rounds of earlier versions lack the kinds that did not exist yet. */
  counts: Partial<Record<RoundKind, number>>;
  /** Where the texts of campaign emails continue; null at their beginning. */
  place: { campaignId: string; sentAt: Date } | null;
  /** Texts of campaign emails that were sent before this instant were emptied by an earlier round. */
  emptiedTo: Date | null;
}

/** What was stored before this instant has been kept for that many days. */
export function cutOf(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
