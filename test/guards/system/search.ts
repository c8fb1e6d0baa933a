import type { Guard } from "../guard.ts";

const test = "test/search/search.test.ts";

/** Guards of the search over all kinds. */
export const SEARCH: Guard[] = [
  {
    guard: "A search looks only through kinds whose scope the caller holds",
    file: "operations/search/search.ts",
    text: "HIT_KINDS.filter((kind) => SEARCHES[kind].scopes.some((scope) => ctx.scopes.has(scope)))",
    instead: "HIT_KINDS.filter((kind) => SEARCHES[kind].scopes.length > 0)",
    test,
    only: "what it may read",
  },
  {
    guard: "A scope of the inbox finds no templates of campaigns",
    file: "operations/search/search.ts",
    text: 'scopes.has("campaigns:read") ? undefined : "REPLY"',
    instead: "scopes.size < 0 ? 'REPLY' : undefined",
    test,
    only: "what it may read",
  },
  {
    guard: "A search that one kind makes slow still answers with the others",
    file: "operations/search/search.ts",
    text: "[kind, await whenInTime(SEARCHES[kind].find(ctx, q, limit + 1))] as const",
    instead: "[kind, whenInTime === undefined ? null : await SEARCHES[kind].find(ctx, q, limit + 1)] as const",
    test: "test/search/partial.deep.test.ts",
  },
];
