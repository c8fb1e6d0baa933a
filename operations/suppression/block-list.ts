import { z } from "zod";
import { readBlockListValue } from "../../domain/block-list.ts";
import { AppError } from "../../domain/errors.ts";
import { BLOCK_TYPES } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { blockAddress, blockDomain, unblockAddress } from "../../store/suppression/suppress.ts";
import { refuseBeyondLimit } from "../../store/workspace-limits.ts";
import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { describedIds } from "../described-ids.ts";
import { longText, nullable, record } from "../fields.ts";
import { operation } from "../operation.ts";

const { entryId } = describedIds;

const Entry = record({
  value: z.string().describe("The address or domain"),
  type: z.enum(BLOCK_TYPES).describe("EMAIL: one address; DOMAIN: a domain with its subdomains"),
  reason: nullable(z.string()).describe("The reason"),
  createdBy: nullable(z.string()).describe("The credential that added it"),
}).meta({ id: "BlockListEntry", description: "An address or domain to which nothing is sent" });

const list = operation({
  summary: "List the blocked addresses and domains, newest first",
  scope: "block_list:read",
  input: z.strictObject({}),
  output: z.array(Entry),
  async run({ workspaceId }) {
    return scoped(workspaceId).BlockListEntry.find({}, { sort: { _id: -1 } });
  },
});

const add = operation({
  summary: "Block an address, or a domain with its subdomains. Blocking it again returns the first entry",
  scope: "block_list:write",
  errors: ["LIMIT_EXCEEDED"],
  audits: "blockList.add",
  stops: true,
  input: z.strictObject({
    value: z.string().min(1).max(320).describe("An address, a domain or `@domain`"),
    type: z.enum(BLOCK_TYPES).optional().describe("EMAIL or DOMAIN. Default: derived from the value"),
    reason: longText.nullable().optional().describe("The reason, at most 2,000 characters"),
  }),
  output: Entry,
  async run({ workspaceId, userId }, { value, type, reason = null }) {
    const blocked = readBlockListValue(value, type);
    return inTransaction(async () => {
      const { BlockListEntry } = scoped(workspaceId);
      const existing = await BlockListEntry.findOne({ value: blocked.value });
      if (existing !== null) return existing;
      await refuseBeyondLimit(workspaceId, "blockListEntries", await BlockListEntry.count());
      const entry = await BlockListEntry.insert({ _id: newId("blk"), ...blocked, reason, createdBy: userId });
      await (blocked.type === "EMAIL"
        ? blockAddress(workspaceId, blocked.value)
        : blockDomain(workspaceId, blocked.value));
      return entry;
    });
  },
});

const remove = operation({
  summary: "Remove an entry from the block list. Recipients that it stopped stay stopped",
  scope: "block_list:write",
  errors: ["BLOCK_LIST_ENTRY_NOT_FOUND"],
  audits: "blockList.remove",
  effects: { SENDS: true },
  input: z.strictObject({ entryId }),
  output: z.object({
    id: z.string().describe("The deleted id"),
    deleted: z.literal(true).describe("Always true"),
  }),
  async run({ workspaceId }, { entryId }) {
    return inTransaction(async () => {
      const { BlockListEntry } = scoped(workspaceId);
      const entry = await BlockListEntry.get(entryId);
      if (entry === null) throw new AppError("BLOCK_LIST_ENTRY_NOT_FOUND", "No block-list entry has this id");
      await BlockListEntry.deleteOne({ _id: entryId });
      if (entry.type === "EMAIL") await unblockAddress(workspaceId, entry.value);
      return { id: entryId, deleted: true as const };
    });
  },
});

const manage = choice("block_list:read", "Read or change the block list", { list, add, remove }, "list");

export const blockListDeclaration = {
  verbs: {
    "blockList.list": list,
    "blockList.add": add,
    "blockList.remove": remove,
    "blockList.manage": manage,
  },
  routes: [
    ["get", "/block-list", list],
    ["post", "/block-list", add, 201],
    ["delete", "/block-list/:entryId", remove],
  ],
  tools: {
    lists: {
      block_list: {
        operation: manage,
        title: "Block list",
        destructive: true,
        idempotent: true,
        paged: true,
        when: "Addresses and domains to which nothing is ever sent, replies included. leads_suppress does the same for leads by id.",
      },
    },
  },
  examples: {
    people: [
      {
        at: "post /block-list",
        title: "Block a domain",
        body: { value: "competitor.example", reason: "Competitor" },
      },
    ],
  },
} as const satisfies Declaration;
