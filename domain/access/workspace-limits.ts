import { DAY_MS } from "../time/durations.ts";

/** How many of each thing a workspace may have (rules/limits 2.3); one more is refused with LIMIT_EXCEEDED. A plan may allow fewer. */
export const WORKSPACE_LIMITS = {
  customFields: 200,
  leadLists: 1_000,
  blockListEntries: 50_000,
  mailboxes: 10_000,
  webhooks: 50,
  searchLists: 1_000,
  savedSearches: 1_000,
  members: 1_000,
} as const;

export type WorkspaceLimit = keyof typeof WORKSPACE_LIMITS;
export type WorkspaceLimits = Record<WorkspaceLimit, number>;

/** How long the documents of a deleted workspace are kept (rules/access 1.5). */
export const PURGED_AFTER_MS = 30 * DAY_MS;
