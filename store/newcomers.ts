import { NEWCOMER_LIMITS, NEWCOMER_REASON, type NewcomerLimits, newcomerLimitsAt } from "../domain/access/newcomer.ts";
import { HOUR_MS } from "../domain/time/durations.ts";
import { ABUSE_LIMITS, AbuseLimits } from "../models/access/abuse-limits.ts";
import { Workspace } from "../models/access/workspace.ts";
import { scoped } from "../models/scoped.ts";
import { sessionOption } from "../mongo/direct.ts";
import { inTransaction } from "../mongo/transaction.ts";
import { setCap } from "./sending/caps.ts";

/** The limits of new workspaces; null where workspaces are not limited at first. */
export async function loadNewcomerLimits(): Promise<NewcomerLimits | null> {
  const found = await AbuseLimits.findOne({ _id: ABUSE_LIMITS }, null, sessionOption()).lean<AbuseLimits>();
  // A process of an earlier version may have stored them, without the later limits
  return found?.newcomer ? { ...NEWCOMER_LIMITS, ...found.newcomer } : null;
}

/**
 * Limits a workspace that someone who signed up has just made, or a client of such a workspace. Call it in the
 * transaction that makes the workspace.
 */
export async function startAsNewcomer(workspaceId: string, now = new Date()): Promise<void> {
  const limits = await loadNewcomerLimits();
  const first = limits === null ? null : newcomerLimitsAt(limits, now, now.getTime());
  if (first === null) return;
  await Workspace.updateOne({ _id: workspaceId }, { $set: { newSince: now } }, sessionOption());
  await setCap(workspaceId, "NEW", { most: first.emails, reason: NEWCOMER_REASON });
}

/**
 * Brings the limit of emails to the age of a new workspace, and ends it once the workspace is old enough. If the
 * workspace is being slowed while it is new, its age starts anew.
 */
export async function renewNewcomer(
  { _id: workspaceId, newSince = null }: Pick<Workspace, "_id" | "newSince">,
  limits: NewcomerLimits | null,
  isBad: boolean,
  now: number,
): Promise<void> {
  if (newSince === null) return;
  const limitsSince = (since: Date) => (limits === null ? null : newcomerLimitsAt(limits, since, now));
  const isRestarted = isBad && limitsSince(newSince) !== null && now - newSince.getTime() >= HOUR_MS;
  const since = isRestarted ? new Date(now) : newSince;
  const at = limitsSince(since);
  const present = (await scoped(workspaceId).SendingCap.findOne({ _id: workspaceId }))?.by.NEW?.most ?? null;
  if (!isRestarted && (at?.emails ?? null) === present) return;
  await inTransaction(async () => {
    if (isRestarted) await Workspace.updateOne({ _id: workspaceId }, { $set: { newSince: since } }, sessionOption());
    await setCap(workspaceId, "NEW", at && { most: at.emails, reason: NEWCOMER_REASON });
  });
}
