import { type Cadence, nextRunAfter } from "../../domain/verification/results.ts";
import { type VerificationSettings, verificationSettingsOf } from "../../domain/verification.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { VerificationSchedule } from "../../models/verification/verification-schedule.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { requestVerification } from "./job.ts";

/** The workspace's verification settings, with the defaults. */
export async function loadVerificationSettings(workspaceId: string): Promise<VerificationSettings> {
  const found = await Workspace.findOne({ _id: workspaceId }, { verification: 1 }, sessionOption()).lean<Workspace>();
  return verificationSettingsOf(found?.verification);
}

export async function changeVerificationSettings(workspaceId: string, changes: object): Promise<void> {
  const set = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined ? [] : [[`verification.${name}`, value]],
  );
  if (set.length > 0)
    await Workspace.updateOne({ _id: workspaceId }, { $set: Object.fromEntries(set) }, sessionOption());
}

/** Sets how often the members of a list are verified. A new schedule runs immediately. Call it in a transaction. */
export async function setSchedule(
  workspaceId: string,
  { listId, cadence, enabled }: { listId: string; cadence: Cadence; enabled: boolean },
): Promise<VerificationSchedule> {
  const schedules = scoped(workspaceId).VerificationSchedule;
  const existing = await schedules.findOne({ listId });
  const nextRunAt = enabled
    ? existing?.lastRunAt
      ? nextRunAfter(cadence, existing.lastRunAt.getTime())
      : new Date()
    : null;
  if (existing === null) return schedules.insert({ _id: newId("vsc"), listId, cadence, enabled, nextRunAt });
  return (
    (await schedules.findOneAndUpdate({ _id: existing._id }, { $set: { cadence, enabled, nextRunAt } })) ?? existing
  );
}

/**
 * Starts the jobs of due schedules of all workspaces, once per period even if several processes call it. If a
 * schedule's last job is still running, the schedule waits for its next period. The schedule of a deleted list is
 * deleted.
 */
export async function runDueSchedules(limit: number, now: Date): Promise<void> {
  const due = await VerificationSchedule.find({ enabled: true, nextRunAt: trusted({ $lte: now }) }, null, {
    acrossWorkspaces: true,
  })
    .sort({ nextRunAt: 1 })
    .limit(limit)
    .lean<VerificationSchedule[]>();
  for (const schedule of due) await inTransaction(() => runOnce(schedule, now));
}

async function runOnce(
  { workspaceId, _id, listId, cadence, nextRunAt }: VerificationSchedule,
  now: Date,
): Promise<void> {
  const { LeadList, VerificationSchedule } = scoped(workspaceId);
  const next = { $set: { lastRunAt: now, nextRunAt: nextRunAfter(cadence, now.getTime()) } };
  if ((await VerificationSchedule.updateOne({ _id, enabled: true, nextRunAt }, next)) === 0) return;
  const workspace = await Workspace.findById(workspaceId).lean<Workspace>();
  if (workspace === null || workspace.deletedAt !== null || (await LeadList.get(listId)) === null) {
    await VerificationSchedule.deleteOne({ _id });
    return;
  }
  await requestVerification(workspaceId, { listId }, "SCHEDULE", { key: _id });
}

/** How many addresses of a workspace were checked on each day. Days without any are left out. */
export async function loadUsage(
  workspaceId: string,
  from: string,
  to: string,
): Promise<{ date: string; count: number }[]> {
  const days = await scoped(workspaceId).VerificationDay.find(
    { day: trusted({ $gte: from, $lte: to }) },
    { sort: { day: 1 } },
  );
  return days.map(({ day: date, count }) => ({ date, count }));
}
