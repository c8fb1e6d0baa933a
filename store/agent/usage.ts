import { costOf, type TokenPrices, type TokenUse } from "../../domain/agent/model-access.ts";
import { localDate } from "../../domain/time/schedule.ts";
import type { AgentDay } from "../../models/agent/agent-day.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { loadWorkspace } from "../campaigns/load.ts";

/** The day of a workspace, in its own time zone. */
export interface UsageDay {
  workspaceId: string;
  day: string;
}

export type DayUsage = Pick<AgentDay, "tokens" | "inputTokens" | "outputTokens" | "costMicros" | "sent">;

/**
 * Creates the usage document of the current day if it does not exist. This must not happen in a transaction, where the
 * first two calls of a day would conflict.
 */
export async function openUsage(workspaceId: string): Promise<UsageDay> {
  const day = localDate(Date.now(), (await loadWorkspace(workspaceId)).timezone);
  const row = { $setOnInsert: { day } };
  const { AgentDay } = scoped(workspaceId);
  await AgentDay.updateOne({ _id: usageDayId({ workspaceId, day }) }, row, { upsert: true }).catch((err) =>
    isDuplicateKey(err) ? 0 : Promise.reject(err),
  );
  return { workspaceId, day };
}

export async function loadUsage(of: UsageDay): Promise<DayUsage> {
  const row = await scoped(of.workspaceId).AgentDay.get(usageDayId(of));
  const { tokens = 0, inputTokens = 0, outputTokens = 0, costMicros = 0, sent = 0 } = row ?? {};
  return { tokens, inputTokens, outputTokens, costMicros, sent };
}

/**
 * Reserves tokens for an answer before the model is asked, so that concurrent requests stay within the daily limit.
 * Returns false when the limit leaves too few tokens. A process that dies before the answer leaves its reservation
 * behind, so the count may be too high but never too low (rules/agent 2.4).
 */
export async function setTokensAside(of: UsageDay, tokens: number, limit: number): Promise<boolean> {
  const room = { _id: usageDayId(of), tokens: trusted({ $lte: limit - tokens }) };
  return (await scoped(of.workspaceId).AgentDay.updateOne(room, { $inc: { tokens } })) > 0;
}

/** Replaces the reservation for an answer by the tokens that it has used. */
export async function countTokens(
  of: UsageDay,
  aside: number,
  used: TokenUse,
  prices: TokenPrices | null,
): Promise<void> {
  const { input, output } = used;
  const counted = {
    tokens: input + output - aside,
    inputTokens: input,
    outputTokens: output,
    costMicros: costOf(used, prices),
  };
  await scoped(of.workspaceId).AgentDay.updateOne({ _id: usageDayId(of) }, { $inc: counted });
}

/**
 * Counts one email against the number that the agent may send automatically on that day. Returns false when the limit
 * is reached. Call it in the transaction of the email.
 */
export async function takeAutomaticSend(of: UsageDay, limit: number): Promise<boolean> {
  const room = { _id: usageDayId(of), sent: trusted({ $lt: limit }) };
  return (await scoped(of.workspaceId).AgentDay.updateOne(room, { $inc: { sent: 1 } })) > 0;
}

function usageDayId({ workspaceId, day }: UsageDay): string {
  return `${workspaceId}:${day}`;
}
