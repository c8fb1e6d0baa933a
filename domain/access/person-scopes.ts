import type { Scope } from "../scopes.ts";

/** The data of a person is in all of these places, and no scope implies another. An export needs `leads:read` too. */
export const READS: readonly Scope[] = [
  "recipients:read",
  "inbox:read",
  "deals:read",
  "block_list:read",
  "verification:read",
  "crm:read",
  "webhooks:read",
];

/** What an erasure needs besides `leads:write` and these reads. */
export const WRITES: readonly Scope[] = ["leads:suppress", "recipients:write", "inbox:write", "deals:write"];
