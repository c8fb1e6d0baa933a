import { AppError } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { localDate } from "../../domain/time/schedule.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { loadWorkspace } from "../../store/campaigns/load.ts";
import type { Context } from "../context.ts";

const KEPT_MS = 7 * DAY_MS;

/** The credential whose budget pays, and the most emails that it may cause in a day; null: it has no budget. */
export interface Payer {
  workspaceId: string;
  credentialId: string;
  limit: number | null;
}

export function payerOf({ workspaceId, credentialId, policy }: Context): Payer {
  return { workspaceId, credentialId, limit: policy.dailySendBudget };
}

/** What a credential has left of its budget on this day of the workspace; null when it has none. */
export async function budgetOf(payer: Payer): Promise<{ limit: number; left: number } | null> {
  const { workspaceId, limit } = payer;
  if (limit === null) return null;
  const row = await scoped(workspaceId).SendBudget.get(rowOf(payer, await todayOf(workspaceId)));
  return { limit, left: Math.max(0, limit - (row?.spent ?? 0)) };
}

/** Takes the cost from a budget. */
export type Spend = (cost: number | (() => Promise<number>)) => Promise<void>;

/**
 * Opens the day's account of a credential, and returns what takes emails from it. Call that in the transaction of the
 * effect: both commit, or neither, so what was refused costs nothing and what was done is counted once (rules/access
 * 4.3). A cost that must be counted first is counted only for a credential that has a budget.
 * @throws AppError from the returned function: SEND_BUDGET_EXCEEDED {left, asked}
 */
export async function openAccount(payer: Payer): Promise<Spend> {
  const { workspaceId, credentialId, limit } = payer;
  if (limit === null) return async () => {};
  const day = await todayOf(workspaceId);
  const _id = rowOf(payer, day);
  const { SendBudget } = scoped(workspaceId);
  // Two first calls of a day may both insert the row. In a transaction the second would be undone, so it is made before
  const row = { $setOnInsert: { credentialId, day, spent: 0, expiresAt: new Date(Date.now() + KEPT_MS) } };
  await SendBudget.updateOne({ _id }, row, { upsert: true }).catch((err) =>
    isDuplicateKey(err) ? 0 : Promise.reject(err),
  );
  return async (asked) => {
    const cost = typeof asked === "number" ? asked : await asked();
    const affordable = { _id, spent: trusted({ $lte: limit - cost }) };
    if ((await SendBudget.updateOne(affordable, { $inc: { spent: cost } })) > 0) return;
    const spent = (await SendBudget.get(_id))?.spent ?? 0;
    throw budgetExceeded(Math.max(0, limit - spent), cost);
  };
}

export function budgetExceeded(left: number, asked: number): AppError {
  const message = `This needs ${asked} emails of the credential's daily budget; ${left} are left`;
  return new AppError("SEND_BUDGET_EXCEEDED", message, { left, asked });
}

async function todayOf(workspaceId: string): Promise<string> {
  return localDate(Date.now(), (await loadWorkspace(workspaceId)).timezone);
}

function rowOf({ credentialId }: Payer, day: string): string {
  return `${credentialId}:${day}`;
}
