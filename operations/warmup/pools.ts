import { z } from "zod";
import { scoped } from "../../models/scoped.ts";
import { createPool, deletePool, loadPoolOverview, POOL_LIMITS, setPools } from "../../store/warmup/pools.ts";
import { choice } from "../choice.ts";
import { describedIds } from "../described-ids.ts";
import { name } from "../fields.ts";
import { operation } from "../operation.ts";
import { PoolShareRecord } from "./record.ts";

const { mailboxId } = describedIds;

const Pool = z
  .object({
    id: z.string().describe("The id of the pool: `wpl_…`"),
    name: z.string().describe("The name"),
    mailboxIds: z.array(z.string()).describe("The mailboxes that can take part"),
  })
  .meta({ id: "WarmupPool", description: "Mailboxes of the workspace that warm each other up" });

/** The shares of a mailbox in pools, as a caller sets them. */
export const Shares = z
  .array(
    z.strictObject({
      type: z.string().min(1).max(64).describe("SHARED, or the id of a private pool that the mailbox belongs to"),
      share: z.number().gt(0).max(1).describe("The share of the mailbox's emails, above 0 and at most 1"),
    }),
  )
  .max(POOL_LIMITS.pools + 1)
  .superRefine((pools, context) => {
    if (new Set(pools.map(({ type }) => type)).size < pools.length)
      context.addIssue({ code: "custom", message: "names a pool twice", params: { code: "DUPLICATE" } });
    if (pools.reduce((sum, { share }) => sum + share, 0) > 1 + 1e-9)
      context.addIssue({
        code: "custom",
        message: "must have shares that add up to at most 1",
        params: { code: "SUM_TOO_LARGE" },
      });
  });

const overview = operation({
  summary: "Show the pools with their number of mailboxes of the workspace, and the shares of each mailbox",
  scope: "warmup:read",
  input: z.strictObject({}),
  output: z.object({
    pools: z
      .array(
        z.object({
          type: z.string().describe("SHARED, or the id of a private pool"),
          name: z.string().describe("The name"),
          mailboxes: z.number().int().describe("Mailboxes of the workspace that take part"),
        }),
      )
      .describe("The shared pool, then the private ones"),
    participation: z
      .array(z.object({ mailboxId, pools: z.array(PoolShareRecord).describe("The pools that get its emails") }))
      .describe("The enrolled mailboxes"),
  }),
  run: ({ workspaceId }) => loadPoolOverview(workspaceId),
});

const listPrivate = operation({
  summary: "List the private pools",
  scope: "warmup:read",
  input: z.strictObject({}),
  output: z.array(Pool),
  async run({ workspaceId }) {
    const pools = await scoped(workspaceId).WarmupPool.find({}, { sort: { _id: -1 } });
    return pools.map(({ _id: id, name, mailboxIds }) => ({ id, name, mailboxIds }));
  },
});

const createPrivate = operation({
  summary: "Create a private pool of mailboxes that warm each other up; each joins by setParticipation",
  scope: "warmup:write",
  errors: ["MAILBOX_NOT_FOUND", "LIMIT_EXCEEDED", "INVALID_STATE_TRANSITION"],
  input: z.strictObject({
    name,
    mailboxIds: z.array(z.string().max(64)).min(1).max(POOL_LIMITS.mailboxes).describe("Its mailboxes, 1 to 500"),
  }),
  output: Pool,
  async run({ workspaceId }, { name, mailboxIds }) {
    const { _id: id, ...pool } = await createPool(workspaceId, name, mailboxIds);
    return { id, ...pool };
  },
});

const deletePrivate = operation({
  summary: "Delete a private pool; its mailboxes leave it and keep their other shares",
  scope: "warmup:write",
  errors: ["POOL_NOT_FOUND"],
  effects: { DESTROYS: true },
  input: z.strictObject({ poolId: z.string().max(64).describe("The id of the pool: `wpl_…`") }),
  output: z.object({
    id: z.string().describe("The deleted id"),
    deleted: z.literal(true).describe("Always true"),
  }),
  async run({ workspaceId }, { poolId }) {
    await deletePool(workspaceId, poolId);
    return { id: poolId, deleted: true as const };
  },
});

const setParticipation = operation({
  summary: "Set the pools of a mailbox and its share in each; replaces the earlier shares",
  scope: "warmup:write",
  errors: ["ENROLMENT_NOT_FOUND", "POOL_NOT_FOUND"],
  effects: { CHANGES_SENDING: true },
  input: z.strictObject({
    mailboxId,
    pools: Shares.describe(
      "The pools that get its emails, as {type: SHARED or a poolId, share}; shares add up to at most 1",
    ),
  }),
  output: z.object({ mailboxId, pools: z.array(PoolShareRecord).describe("The pools that now get its emails") }),
  async run({ workspaceId }, { mailboxId, pools }) {
    const stored = await setPools(workspaceId, mailboxId, pools);
    return { mailboxId, pools: stored.pools };
  },
});

export const pools = choice(
  "warmup:read",
  "Show the warmup pools, create or delete private pools, and set the pools of a mailbox",
  { overview, listPrivate, createPrivate, deletePrivate, setParticipation },
);
