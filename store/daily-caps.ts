import { newcomerLimitsAt } from "../domain/access/newcomer.ts";
import { AppError } from "../domain/errors.ts";
import { nextUtcDay, utcDay } from "../domain/time/schedule.ts";
import { Workspace } from "../models/access/workspace.ts";
import { scoped } from "../models/scoped.ts";
import { type Capped, capIdOf } from "../models/sending/sending-cap.ts";
import { sessionOption } from "../mongo/direct.ts";
import { isDuplicateKey } from "../mongo/duplicate.ts";
import { currentSession } from "../mongo/transaction.ts";
import { loadNewcomerLimits } from "./newcomers.ts";

/** What besides emails has a limit a day (rules/access 8.5). */
export type DailyUse = Exclude<Capped, "EMAILS">;

const LIMITED = {
  CONNECTION_TESTS: { newcomer: "connectionTests", may: "test", things: "connections to mail servers" },
  IMPORTED_ROWS: { newcomer: "importedRows", may: "import", things: "rows of leads" },
} as const;

export interface DailyCap {
  most: number;
  usedToday: number;
  by: "OPERATOR" | "NEW";
  reason: string;
}

/** A workspace's limit of the day, the lower one of the operator's and that of a new workspace; null without any. */
export async function loadDailyCap(workspaceId: string, what: DailyUse, now = Date.now()): Promise<DailyCap | null> {
  const stored = await scoped(workspaceId).SendingCap.findOne({ _id: capIdOf(workspaceId, what) });
  const newcomer = await newcomerMost(workspaceId, what, now);
  const operator = stored?.by.OPERATOR ?? null;
  const usedToday = stored !== null && stored.day === utcDay(now) ? stored.sent : 0;
  if (operator !== null && (newcomer === null || operator.most <= newcomer))
    return { ...operator, usedToday, by: "OPERATOR" };
  const { may, things } = LIMITED[what];
  const reason = `New workspaces may ${may} few ${things} a day. The number grows every day`;
  return newcomer === null ? null : { most: newcomer, usedToday, by: "NEW", reason };
}

/** Computed each time, so that it grows also while nothing judges the workspace. A paid plan ends it. */
async function newcomerMost(workspaceId: string, what: DailyUse, now: number): Promise<number | null> {
  const workspace = await Workspace.findOne({ _id: workspaceId }, { plan: 1, newSince: 1 }, sessionOption()).lean<
    Pick<Workspace, "plan" | "newSince">
  >();
  const newSince = workspace?.newSince ?? null;
  if (newSince === null || (workspace?.plan ?? null) !== null) return null;
  const limits = await loadNewcomerLimits();
  return limits === null ? null : (newcomerLimitsAt(limits, newSince, now)?.[LIMITED[what].newcomer] ?? null);
}

/**
 * Counts tests or rows against the workspace's limit of the day; without a limit nothing is counted. `path`: the field
 * of the call that has too many. @throws AppError LIMIT_EXCEEDED, without counting
 */
export async function countUse(workspaceId: string, what: DailyUse, count: number, path: string): Promise<void> {
  if (count === 0) return;
  const now = Date.now();
  const cap = await loadDailyCap(workspaceId, what, now);
  if (cap === null || (await isCounted(workspaceId, what, { count, most: cap.most, day: utcDay(now) }))) return;
  const { usedToday } = (await loadDailyCap(workspaceId, what, now)) ?? cap;
  throw beyond(what, { ...cap, usedToday }, path, now);
}

async function isCounted(
  workspaceId: string,
  what: DailyUse,
  { count, most, day }: { count: number; most: number; day: string },
): Promise<boolean> {
  const { SendingCap } = scoped(workspaceId);
  const _id = capIdOf(workspaceId, what);
  const sent = { $add: [{ $cond: [{ $eq: ["$day", day] }, "$sent", 0] }, count] };
  const add = () => SendingCap.wrote({ _id, $expr: { $lte: [sent, most] } }, [{ $set: { sent, day } }]);
  if (await add()) return true;
  if (count > most || (await SendingCap.findOne({ _id }, { select: { _id: 1 } })) !== null) return false;
  try {
    await SendingCap.insert({ _id, by: {}, most: null, day, sent: count });
    return true;
  } catch (error) {
    // Another call counted first
    if (!isDuplicateKey(error) || currentSession() !== null) throw error;
    return add();
  }
}

/** Counts tests or rows as `countUse` does, and takes the count back when `work` fails. */
export async function withinCap<T>(
  workspaceId: string,
  { what, count, path }: { what: DailyUse; count: number; path: string },
  work: () => Promise<T>,
): Promise<T> {
  await countUse(workspaceId, what, count, path);
  try {
    return await work();
  } catch (error) {
    // What was counted in a transaction ends with it
    if (currentSession() === null && count > 0) await takeBack(workspaceId, what, count).catch(() => {});
    throw error;
  }
}

async function takeBack(workspaceId: string, what: DailyUse, count: number): Promise<void> {
  const counted = { _id: capIdOf(workspaceId, what), day: utcDay(Date.now()), sent: { $gte: count } };
  await scoped(workspaceId).SendingCap.wrote(counted, { $inc: { sent: -count } });
}

function beyond(what: DailyUse, { most, usedToday, reason, by }: DailyCap, path: string, now: number): AppError {
  const { may, things } = LIMITED[what];
  const details = { limit: most, usedToday, path };
  if (most === 0 && by === "OPERATOR")
    return new AppError(
      "LIMIT_EXCEEDED",
      `This workspace may not ${may} ${things}: ${reason}. The operator's limit is 0 and does not reset`,
      { ...details, resetsAt: null },
    );
  return new AppError(
    "LIMIT_EXCEEDED",
    `This workspace may ${may} at most ${most} ${things} a day, and has used ${usedToday} today: ${reason}`,
    { ...details, resetsAt: nextUtcDay(now).toISOString() },
  );
}
