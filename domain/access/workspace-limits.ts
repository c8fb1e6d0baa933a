import { nouns, recordOf } from "../nouns.ts";
import { DAY_MS } from "../time/durations.ts";

const LIMITS = nouns.flatMap((noun) => ("limit" in noun ? [noun.limit] : []));

/**
 * How many objects of each kind a workspace may have (rules/limits 2.3). Creating one more is refused with
 * LIMIT_EXCEEDED. A plan may allow fewer.
 */
export const WORKSPACE_LIMITS = recordOf(LIMITS.map(({ name, most }) => [name, most] as const));

/** The names of the limited kinds of objects in error messages. */
export const LIMITED_THINGS = recordOf(LIMITS.map(({ name, called }) => [name, called] as const));

export type WorkspaceLimit = keyof typeof WORKSPACE_LIMITS;
export type WorkspaceLimits = Record<WorkspaceLimit, number>;

/** How long the documents of a deleted workspace are kept (rules/access 1.5). */
export const PURGED_AFTER_MS = 30 * DAY_MS;
