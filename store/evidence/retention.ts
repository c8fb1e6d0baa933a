import {
  cutOf,
  KEEP_ALL,
  NOTHING_DELETED,
  type Retention,
  type RetentionKind,
  type RetentionRound,
  type RoundKind,
} from "../../domain/evidence/retention.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { IS_INSTANT } from "../../mongo/schema.ts";
import { countOldEntries, deleteOldEntries } from "../audit-retention.ts";
import { dropChunks } from "../jobs.ts";
import {
  countOldEvents,
  countOldProspects,
  countOldRecipients,
  deleteOldEvents,
  deleteOldProspects,
  emptyOldRecipients,
} from "./old-records.ts";
import { countOldTexts, emptyOldTexts } from "./old-texts.ts";

/** How many documents one turn of a round changes. The next turn continues. */
const MOST_A_TURN = 1_000;
/**
 * Milliseconds of pause for each millisecond of a turn. No one waits for a round, so the calls that meet a turn are too
 * few to change what 95 of 100 calls take (`npm run bench retention`).
 */
export const RETENTION_REST = 30;
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

/** How many records of a kind from before `cut` are still there, up to `MOST_COUNTED`. Changes nothing. */
const COUNTS: Record<RetentionKind, (workspaceId: string, cut: Date, now: Date) => Promise<number>> = {
  messageBodies: (workspaceId, cut) => countOldTexts(workspaceId, cut, MOST_COUNTED),
  hitAddresses: (workspaceId, cut, now) => {
    const today = Math.floor(now.getTime() / DAY_MS);
    const old = { cutOn: trusted({ $lte: today, $gte: 0 }), at: trusted({ $lt: cut }) };
    return scoped(workspaceId).Hit.count(old, { limit: MOST_COUNTED });
  },
  jobs: (workspaceId, cut) => scoped(workspaceId).Job.count(finishedBefore(cut), { limit: MOST_COUNTED }),
  events: (workspaceId, cut) => countOldEvents(workspaceId, cut, MOST_COUNTED),
  recipients: (workspaceId, cut) => countOldRecipients(workspaceId, cut, MOST_COUNTED),
  prospects: (workspaceId, cut) => countOldProspects(workspaceId, cut, MOST_COUNTED),
  auditEntries: (workspaceId, cut) => countOldEntries(workspaceId, cut, MOST_COUNTED),
};

/** What a round with this retention would delete now, by kind, up to `MOST_COUNTED` of each. Changes nothing. */
export async function countBeyond(
  workspaceId: string,
  retention: Retention,
  now: Date,
): Promise<Record<RetentionKind, number>> {
  const counted = { ...NOTHING_DELETED, hitAddresses: 0 };
  for (const [kind, count] of Object.entries(COUNTS) as [RetentionKind, (typeof COUNTS)[RetentionKind]][]) {
    const days = retention[kind]; // the keys of a record of all kinds
    if (days !== null) counted[kind] = await count(workspaceId, cutOf(now, days), now);
  }
  return counted;
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
  const { round, failures } = await takeTurn(workspace, now);
  const nextAt = round.finishedAt === null ? now : new Date(round.startedAt.getTime() + DAY_MS);
  const retentionDueAt = failures.length > 0 ? lease : nextAt;
  // A setting that was made meanwhile decides when the next round starts, if there is one
  await Workspace.updateOne(
    { _id: workspace._id, retentionDueAt: lease },
    { $set: { retentionRound: round, retentionDueAt } },
  );
  if (failures.length > 0) throw new AggregateError(failures, "Some kinds of old data could not be deleted");
  return true;
}

/** Deletes records from before `cut`, at most about `most`, and returns how many. */
const DELETIONS: Record<
  Exclude<RoundKind, "messageBodies">,
  (workspaceId: string, cut: Date, most: number) => Promise<number>
> = {
  jobs: deleteJobs,
  events: deleteOldEvents,
  recipients: emptyOldRecipients,
  prospects: deleteOldProspects,
  auditEntries: deleteOldEntries,
};

/** Takes a turn of each kind. A kind that fails does not keep the others from theirs, and is tried again later. */
async function takeTurn(workspace: Workspace, now: Date): Promise<{ round: RetentionRound; failures: unknown[] }> {
  const { _id: workspaceId, retentionRound: before = null } = workspace;
  const retention = retentionOf(workspace);
  const started: RetentionRound = {
    startedAt: now,
    finishedAt: null,
    counts: NOTHING_DELETED,
    place: null,
    emptiedTo: before?.emptiedTo ?? null,
  };
  const round = before === null || before.finishedAt !== null ? started : before;
  const done = { ...NOTHING_DELETED };
  const failures: unknown[] = [];
  for (const [kind, deleteOld] of Object.entries(DELETIONS) as [keyof typeof DELETIONS, typeof deleteJobs][]) {
    const days = retention[kind]; // the keys of the same record
    if (days === null) continue;
    try {
      done[kind] = await deleteOld(workspaceId, cutOf(now, days), MOST_A_TURN);
    } catch (error) {
      failures.push(error);
    }
  }
  const { messageBodies } = retention;
  let emptied = { count: 0, place: null as RetentionRound["place"], emptiedTo: null as RetentionRound["emptiedTo"] };
  if (messageBodies !== null) {
    try {
      emptied = await emptyOldTexts(workspaceId, cutOf(now, messageBodies), round, MOST_A_TURN);
    } catch (error) {
      failures.push(error);
      emptied = { count: 0, place: round.place, emptiedTo: round.emptiedTo };
    }
  }
  done.messageBodies = emptied.count;
  const isFinished = failures.length === 0 && Math.max(...Object.values(done)) < MOST_A_TURN;
  const { place, emptiedTo } = emptied;
  const counts = summed(round.counts, done);
  return { round: { ...round, place, emptiedTo, counts, finishedAt: isFinished ? now : null }, failures };
}

function summed(before: RetentionRound["counts"], done: Record<RoundKind, number>): Record<RoundKind, number> {
  const counts = { ...NOTHING_DELETED };
  for (const kind of Object.keys(counts) as RoundKind[]) counts[kind] = (before[kind] ?? 0) + done[kind]; // its own keys
  return counts;
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
