import { AppError } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { localDate } from "../../domain/time/schedule.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { loadWorkspace } from "../../store/campaigns/load.ts";
import type { Context } from "../context.ts";

const KEPT_MS = 7 * DAY_MS;

/** The credential whose budget pays, and the most emails that it may cause per day; null without a budget. */
export interface Payer {
  workspaceId: string;
  credentialId: string;
  limit: number | null;
}

export function payerOf({ workspaceId, credentialId, policy }: Context): Payer {
  return { workspaceId, credentialId, limit: policy.dailySendBudget };
}

/** The rest of a credential's budget for the current day in the workspace's time zone; null without a budget. */
export async function budgetOf(payer: Payer): Promise<{ limit: number; left: number } | null> {
  const { workspaceId, limit } = payer;
  if (limit === null) return null;
  const row = await scoped(workspaceId).SendBudget.get(rowOf(payer, await todayOf(workspaceId)));
  return { limit, left: Math.max(0, limit - (row?.spent ?? 0)) };
}

/** Takes the cost from a budget. */
export type Spend = (cost: number | (() => Promise<number>)) => Promise<void>;

/**
 * Opens the account of a credential for the current day, and returns the function that takes emails from it. Call that
 * function in the transaction of the effect: both commit or neither, so a refused effect costs nothing and no effect is
 * counted twice (rules/access 4.3). A cost that must be counted first is counted only for a credential with a budget.
 * @throws AppError from the returned function: SEND_BUDGET_EXCEEDED {left, asked}
 */
export async function openAccount(payer: Payer): Promise<Spend> {
  const { workspaceId, credentialId, limit } = payer;
  if (limit === null) return async () => {};
  const day = await todayOf(workspaceId);
  const _id = rowOf(payer, day);
  const { SendBudget } = scoped(workspaceId);
  // The first two calls of a day may both insert the row. Inside a transaction that would abort the second, so the row
  // is created before
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
