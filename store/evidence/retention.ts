import {
  cutOf,
  KEEP_ALL,
  type Retention,
  type RetentionKind,
  type RetentionRound,
} from "../../domain/evidence/retention.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { IS_INSTANT } from "../../mongo/schema.ts";
import { dropChunks } from "../jobs.ts";
import { countOldTexts, emptyOldTexts } from "./old-texts.ts";

/** How many documents one turn of a round changes. The next turn continues. */
const MOST_A_TURN = 1_000;
/** How many documents a dry run counts of each kind. */
export const MOST_COUNTED = 100_000;
/** A new setting can be corrected for this long before the first round (rules/evidence 5.2). */
const FIRST_AFTER_MS = HOUR_MS;
/** After a turn that did not end, because its process died, another process may continue. */
const LEASE_MS = 10 * MINUTE_MS;

/** The retention of a workspace. Workspaces of earlier versions have none. */
export function retentionOf({ retention }: Pick<Workspace, "retention">): Retention {
  return { ...KEEP_ALL, ...retention };
}

/** Sets for how many days kinds of data are kept. Call it in a transaction. */
export async function setRetention(workspace: Workspace, change: Partial<Retention>): Promise<void> {
  const retention = { ...retentionOf(workspace), ...change };
  const isAny = Object.values(retention).some((days) => days !== null);
  const retentionDueAt = isAny ? new Date(Date.now() + FIRST_AFTER_MS) : null;
  await Workspace.updateOne({ _id: workspace._id }, { $set: { retention, retentionDueAt } }, sessionOption());
}

/** What a round with this retention would delete now, by kind, up to `MOST_COUNTED` of each. Changes nothing. */
export async function countBeyond(
  workspaceId: string,
  retention: Retention,
  now: Date,
): Promise<Record<RetentionKind, number>> {
  const { Hit, Job } = scoped(workspaceId);
  const { messageBodies, hitAddresses, jobs } = retention;
  const today = Math.floor(now.getTime() / DAY_MS);
  return {
    messageBodies:
      messageBodies === null ? 0 : await countOldTexts(workspaceId, cutOf(now, messageBodies), MOST_COUNTED),
    hitAddresses:
      hitAddresses === null
        ? 0
        : await Hit.count(
            { cutOn: trusted({ $lte: today, $gte: 0 }), at: trusted({ $lt: cutOf(now, hitAddresses) }) },
            { limit: MOST_COUNTED },
          ),
    jobs: jobs === null ? 0 : await Job.count(finishedBefore(cutOf(now, jobs)), { limit: MOST_COUNTED }),
  };
}

/**
 * Takes one turn of the daily round of the workspace that is due first (rules/evidence 5). Returns whether there was one.
 */
export async function retainNext(now: Date): Promise<boolean> {
  const due = [{ retentionDueAt: trusted(IS_INSTANT) }, { retentionDueAt: trusted({ $lte: now }) }];
  const lease = new Date(now.getTime() + LEASE_MS);
  const workspace = await Workspace.findOneAndUpdate(
    { $and: due, deletedAt: null },
    { $set: { retentionDueAt: lease } },
    { sort: { retentionDueAt: 1 } },
  ).lean<Workspace>();
  if (workspace === null) return false;
  const round = await takeTurn(workspace, now);
  const retentionDueAt = round.finishedAt === null ? now : new Date(round.startedAt.getTime() + DAY_MS);
  // A setting that was made meanwhile decides when the next round starts, if there is one
  await Workspace.updateOne(
    { _id: workspace._id, retentionDueAt: lease },
    { $set: { retentionRound: round, retentionDueAt } },
  );
  return true;
}

async function takeTurn(workspace: Workspace, now: Date): Promise<RetentionRound> {
  const { _id: workspaceId, retentionRound: before = null } = workspace;
  const { messageBodies, jobs } = retentionOf(workspace);
  const started: RetentionRound = {
    startedAt: now,
    finishedAt: null,
    counts: { messageBodies: 0, jobs: 0 },
    place: null,
    emptiedTo: before?.emptiedTo ?? null,
  };
  const round = before === null || before.finishedAt !== null ? started : before;
  const { counts } = round;
  const deleted = jobs === null ? 0 : await deleteJobs(workspaceId, cutOf(now, jobs), MOST_A_TURN);
  const emptied =
    messageBodies === null
      ? { count: 0, place: null, emptiedTo: null }
      : await emptyOldTexts(workspaceId, cutOf(now, messageBodies), round, MOST_A_TURN);
  return {
    ...round,
    place: emptied.place,
    emptiedTo: emptied.emptiedTo,
    counts: { messageBodies: counts.messageBodies + emptied.count, jobs: counts.jobs + deleted },
    finishedAt: Math.max(deleted, emptied.count) < MOST_A_TURN ? now : null,
  };
}

function finishedBefore(cut: Date) {
  return { $and: [{ finishedAt: trusted(IS_INSTANT) }, { finishedAt: trusted({ $lt: cut }) }] };
}

async function deleteJobs(workspaceId: string, cut: Date, most: number): Promise<number> {
  const { Job } = scoped(workspaceId);
  const old = await Job.find(finishedBefore(cut), { select: { _id: 1 }, limit: most });
  for (const { _id } of old) await dropChunks(workspaceId, _id);
  return Job.deleteMany({ _id: trusted({ $in: old.map(({ _id }) => _id) }) });
}
