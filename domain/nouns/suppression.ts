import type { NounFacts } from "./noun.ts";

export const suppressionNouns = [
  {
    noun: "block-list entry",
    prefix: "blk",
    id: { of: "the entry", fields: ["entryId"] },
    missing: { code: "BLOCK_LIST_ENTRY_NOT_FOUND", says: "The block list has no such entry" },
    limit: { name: "blockListEntries", most: 50_000, called: "entries in its block list" },
  },
] as const satisfies readonly NounFacts[];
