/**
 * What a spam filter says about an email, and what its workflow and activity agree on. It imports nothing, because it
 * is part of the workflow bundle.
 */

/** A rule of the filter that counted against the email. */
interface ScoreReason {
  name: string;
  score: number;
  description: string | null;
}

export interface ContentVerdict {
  score: number;
  /** From this score on the filter would treat the email as spam. */
  required: number;
  /** What the filter would do with it, in its own words. */
  action: string;
  /** The most serious first. */
  reasons: ScoreReason[];
}

export interface ContentScoreIds {
  v: 1;
  workspaceId: string;
  scoreIds: string[];
}

/** The limits of asking a filter while a caller waits. Its connector gives up earlier. */
export const CONTENT_SCORE = {
  workflow: "scoreContents",
  startToCloseTimeout: "20s",
  /** Milliseconds that a caller waits at most. A verdict that arrives later is there for the next caller. */
  deadlineMs: 6_000,
} as const;

/**
 * Milliseconds for which the filter is not asked about an email again after it gave no answer, so that not every caller
 * waits in vain.
 */
export const SILENT_FOR_MS = 30_000;
/** The most emails of a campaign that are scored. Later emails of a longer sequence have no score. */
export const MOST_SCORED = 50;

/** Actions of the filter by which an email ends in Junk, or nowhere. `greylist` and `soft reject` only delay it. */
const SPAMMY: readonly string[] = ["add header", "rewrite subject", "quarantine", "reject", "discard"];

/** Whether the filter would mark the email, or worse. */
export function isSpammy({ action }: Pick<ContentVerdict, "action">): boolean {
  return SPAMMY.includes(action);
}
