import { z } from "zod";
import { availableOf, CREDIT_KINDS, periodOf } from "../domain/credits.ts";
import { scoped } from "../models/scoped.ts";
import { Workspace } from "../models/workspace.ts";
import { newId } from "../mongo/ids.ts";
import { inTransaction } from "../mongo/transaction.ts";
import { grantCredits, readCredits, readUsage } from "../store/credits.ts";
import { appendAuditEntry } from "./access/audit.ts";
import { findOwner } from "./access/workspaces.ts";
import { nullable, pageFrom, pageOf, paging, record, time } from "./fields.ts";
import { operation } from "./operation.ts";
import { BY_CREATION } from "./sorting.ts";

const count = (what: string) => z.number().int().describe(what);

export const get = operation({
  summary: "Credits of the workspace: what is left, what was spent this month, day by day",
  scope: "billing:read",
  input: z.strictObject({}),
  output: z
    .object({
      creditsRemaining: count("Credits that may be spent"),
      monthly: count("Of those that came with the month and end with it"),
      granted: count("Of those that stay until they are spent"),
      held: count("Set aside for reveals that are under way"),
      perMonth: count("Credits that come with each month"),
      periodStart: time.describe("When the month began (UTC)"),
      periodEnd: time.describe("When it ends"),
      used: count("Credits spent in it"),
      byDay: z
        .array(z.object({ date: z.string().describe("The day (UTC)"), used: count("Credits spent on it") }))
        .describe("Days with any"),
    })
    .meta({ id: "Credits", description: "What a workspace has to spend, and what it has spent" }),
  async run({ workspaceId, services }) {
    const now = new Date();
    const { creditsPerMonth: perMonth } = services.settings;
    const credits = await readCredits(workspaceId, perMonth, now);
    const byDay = await readUsage(workspaceId, now);
    const { start: periodStart, end: periodEnd } = periodOf(now);
    const { monthly, granted, held } = credits;
    const used = byDay.reduce((sum, day) => sum + day.used, 0);
    return { creditsRemaining: availableOf(credits), monthly, granted, held, perMonth, periodStart, periodEnd, used, byDay };
  },
});

const Entry = record({
  seq: count("Its place in the ledger, from 1"),
  kind: z.enum(CREDIT_KINDS).describe("MONTHLY and GRANT add, REVEAL spends, EXPIRED ends what was left of a month"),
  amount: count("What the balance changed by"),
  balance: count("What was there after it"),
  subjectId: nullable(z.string()).describe("What it was spent on: a prospect"),
  detail: nullable(z.string()).describe("Which part of it: EMAIL or PHONE"),
  reason: nullable(z.string()).describe("Why credits were granted, or the job that spent them"),
  actor: nullable(z.string()).describe("Who granted or spent them"),
}).meta({ id: "CreditEntry", description: "A line of the credit ledger, which only grows" });

export const entries = operation({
  summary: "The credit ledger of the workspace, the newest line first. Lines are added, never changed",
  scope: "billing:read",
  input: z.strictObject({ ...paging, sort: BY_CREATION.sort, kind: z.enum(CREDIT_KINDS).optional().describe("Only lines of this kind") }),
  output: pageOf(Entry),
  run: ({ workspaceId }, { kind, sort, ...page }) =>
    pageFrom(scoped(workspaceId).CreditEntry, kind === undefined ? {} : { kind }, page, { sort: BY_CREATION.orderOf(sort) }),
});

/** Credits that an operator gives, with an entry in the audit log of the workspace. Returns what is there then. @throws Error */
export async function grantByOperator(
  workspaceId: string,
  { amount, reason }: { amount: number; reason: string },
  perMonth: number,
): Promise<number> {
  const workspace = await Workspace.findOne({ _id: workspaceId, deletedAt: null }, { _id: 1 }).lean<{ _id: string }>();
  const owner = await findOwner(workspaceId);
  if (workspace === null || owner === null) throw new Error(`There is no workspace ${workspaceId}`);
  const actor = { kind: "CONSOLE" as const, id: owner };
  return inTransaction(async () => {
    const balance = await grantCredits(workspaceId, { amount, reason, actor: "operator", key: newId("cre") }, perMonth);
    await appendAuditEntry({ workspaceId, actor, action: "credits.grant", input: { workspaceId, amount, reason } }, "DONE", null);
    return balance;
  });
}
