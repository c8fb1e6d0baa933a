import { DAY_MS } from "../time/durations.ts";

/** How many of each thing a workspace may have (rules/limits 2.3); one more is refused with LIMIT_EXCEEDED. */
export const WORKSPACE_LIMITS = {
  customFields: 200,
  leadLists: 1_000,
  blockListEntries: 50_000,
  mailboxes: 10_000,
  webhooks: 50,
  searchLists: 1_000,
  savedSearches: 1_000,
} as const;

/** How long the documents of a deleted workspace are kept (rules/access 1.5). */
export const PURGED_AFTER_MS = 30 * DAY_MS;
