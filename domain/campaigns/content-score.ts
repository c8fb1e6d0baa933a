/**
 * The verdict of a spam filter about an email, and the names and limits that its workflow and activity share. This file
 * imports nothing, because it is part of the workflow bundle.
 */

/** A rule of the filter that matched the email, with its points. */
interface ScoreReason {
  name: string;
  score: number;
  description: string | null;
}

export interface ContentVerdict {
  score: number;
  /** From this score on the filter would treat the email as spam. */
  required: number;
  /** The action that the filter would take on the email, by the filter's name for it. */
  action: string;
  /** The most serious first. */
  reasons: ScoreReason[];
}

export interface ContentScoreIds {
  v: 1;
  workspaceId: string;
  scoreIds: string[];
}

/** The time limits of a filter request while a caller waits. The connector to the filter gives up earlier. */
export const CONTENT_SCORE = {
  workflow: "scoreContents",
  startToCloseTimeout: "20s",
  /** The most milliseconds that a caller waits. A later verdict is stored for the next caller. */
  deadlineMs: 6_000,
} as const;

/**
 * For this many milliseconds after the filter did not answer, it is not asked about the same email again, so that
 * further callers do not wait for nothing.
 */
export const SILENT_FOR_MS = 30_000;
/** The most emails of a campaign that are scored. Later emails of a longer sequence have no score. */
export const MOST_SCORED = 50;

/**
 * Actions of the filter after which an email is in Junk or is not delivered. `greylist` and `soft reject` only delay
 * it.
 */
const SPAMMY: readonly string[] = ["add header", "rewrite subject", "quarantine", "reject", "discard"];

/** Whether the filter would mark the email as spam, quarantine it or refuse it. */
export function isSpammy({ action }: Pick<ContentVerdict, "action">): boolean {
  return SPAMMY.includes(action);
}
