import { setTimeout } from "node:timers/promises";
import { PURGED_AFTER_MS } from "../domain/access/workspace-limits.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import { ApiKey } from "../models/access/api-key.ts";
import { Membership } from "../models/access/membership.ts";
import { PurgedWorkspace } from "../models/access/purged-workspace.ts";
import { Workspace } from "../models/access/workspace.ts";
import { type CollectionShape, describeCollections, scoped, type Workspaced } from "../models/scoped.ts";
import { SignInLink } from "../models/sign-in/sign-in-link.ts";
import { WarmupMail } from "../models/warmup/warmup-mail.ts";
import { trusted } from "../mongo/collection.ts";
import { IS_INSTANT } from "../mongo/schema.ts";

/** What remains when a workspace is deleted: its audit chain, which is kept for two years (rules/security 6.1). */
const KEPT: readonly (keyof Workspaced)[] = ["AuditDeed", "AuditEntry", "AuditHead"];
/** The first collection to purge: once an email's row is gone, no link in the email writes anything any more. */
const FIRST: keyof Workspaced = "Send";
/** Documents that are deleted together, few enough that no one waits for them. */
const CHUNK = 500;
/**
 * Documents that are found together: a further search in the order of an index would have to pass over everything that
 * was just deleted.
 */
const WINDOW = 10_000;
/** Milliseconds for finding them: in a collection that many workspaces share, many documents may have to be skipped. */
const LONGEST_MS = 5 * MINUTE_MS;
/** Milliseconds for which one process has a workspace to itself, renewed while it works. */
const LEASE_MS = 10 * MINUTE_MS;

/** How long a purge pauses for each millisecond of work: the service's own reads and writes come first. */
export const PURGE_REST = 1;

/** A document that is about to be deleted, with the fields that show whether its run is open. */
export interface PurgedDocument {
  _id: string;
  status?: unknown;
  admittedAt?: unknown;
}

export interface PurgeOptions {
  /**
   * Ends the runs of these documents. The documents are deleted afterwards, so if a process dies in between, the next
   * one repeats this.
   */
  endRuns?(model: keyof Workspaced, documents: readonly PurgedDocument[]): Promise<void>;
  /** Milliseconds of pause for each millisecond of work, so that the service has the database to itself for as long. */
  rest?: number;
  signal?: AbortSignal;
}

/**
 * Deletes, chunk by chunk, what is left of one workspace that was deleted 30 days ago (rules/evidence 2). A process
 * that dies in the middle leaves the workspace itself, so the next one continues. Returns whether there was one.
 */
export async function purgeDeletedWorkspace(
  now: Date,
  { endRuns, rest = 0, signal }: PurgeOptions = {},
): Promise<boolean> {
  const workspace = await takeDeleted(now);
  if (workspace === null) return false;
  const { _id: workspaceId, createdAt: openedAt, deletedAt } = workspace;
  await PurgedWorkspace.updateOne(
    { _id: workspaceId },
    { $setOnInsert: { openedAt, deletedAt: deletedAt ?? now } },
    { upsert: true },
  );
  let renewAt = performance.now() + LEASE_MS / 2;
  const afterChunk = async (workMs: number) => {
    signal?.throwIfAborted();
    if (performance.now() >= renewAt) {
      renewAt = performance.now() + LEASE_MS / 2;
      await Workspace.updateOne({ _id: workspaceId }, { $set: { purgingUntil: new Date(Date.now() + LEASE_MS) } });
    }
    if (rest > 0) await setTimeout(workMs * rest, undefined, signal === undefined ? {} : { signal });
  };
  // Work under way may still write some of its documents: only a round that finds nothing is the last
  while ((await purgeRound(workspaceId, { ...(endRuns && { endRuns }), afterChunk })) > 0);
  await purgeFromInstallation(workspaceId);
  return true;
}

/**
 * Whether a purged workspace, or one that is being purged, may have made an email at that instant, in epoch
 * milliseconds.
 */
export async function mayHaveBeenPurged(at: number): Promise<boolean> {
  const around = { openedAt: trusted({ $lte: new Date(at) }), deletedAt: trusted({ $gte: new Date(at) }) };
  return (await PurgedWorkspace.findOne(around, { _id: 1 }).lean()) !== null;
}

/** The workspace that was deleted first among those that no other process is purging. */
function takeDeleted(now: Date): Promise<Workspace | null> {
  const longAgo = { $lt: new Date(now.getTime() - PURGED_AFTER_MS) };
  const due = [{ deletedAt: trusted(IS_INSTANT) }, { deletedAt: trusted(longAgo) }];
  const free = { $or: [{ purgingUntil: null }, { purgingUntil: trusted({ $lt: now }) }] };
  return Workspace.findOneAndUpdate(
    { $and: [...due, free] },
    { $set: { purgingUntil: new Date(now.getTime() + LEASE_MS) } },
    { sort: { deletedAt: 1 } },
  ).lean<Workspace>();
}

interface Round extends Pick<PurgeOptions, "endRuns"> {
  afterChunk(workMs: number): Promise<void>;
}

async function purgeRound(workspaceId: string, round: Round): Promise<number> {
  let deleted = 0;
  for (const shape of SHAPES) deleted += await purgeCollection(workspaceId, shape, round);
  return deleted;
}

const SHAPES = describeCollections()
  .filter(({ model }) => !KEPT.includes(model))
  .sort((one, other) => Number(other.model === FIRST) - Number(one.model === FIRST));

async function purgeCollection(
  workspaceId: string,
  shape: CollectionShape,
  { endRuns, afterChunk }: Round,
): Promise<number> {
  const { model, idIndex, workspaceIndex } = shape;
  const documents = scoped(workspaceId)[model];
  const options = { select: { _id: 1, status: 1, admittedAt: 1 }, limit: WINDOW, maxTimeMs: LONGEST_MS } as const;
  const isPaged = idIndex.startsWith("workspaceId") || workspaceIndex === null;
  let deleted = 0;
  for (let after = ""; ; ) {
    // Ordered by id, a walk continues after the last document; otherwise it would pass over the documents of all other
    // workspaces each time
    const found: PurgedDocument[] = await (isPaged
      ? documents.read({ _id: { $gt: after } }, { ...options, sort: { _id: 1 }, hint: idIndex })
      : documents.read({}, { ...options, hint: workspaceIndex ?? idIndex }));
    if (found.length === 0) return deleted;
    for (let start = 0; start < found.length; start += CHUNK) {
      const started = performance.now();
      const chunk = found.slice(start, start + CHUNK);
      await endRuns?.(model, chunk);
      deleted += await documents.deleteMany({ _id: trusted({ $in: chunk.map(({ _id }) => _id) }) });
      await afterChunk(performance.now() - started);
    }
    after = found.at(-1)?._id ?? after;
  }
}

/**
 * Purges the workspace's documents in collections of the deployment, and last the workspace itself, by which the rest
 * is found.
 */
async function purgeFromInstallation(workspaceId: string): Promise<void> {
  // A warmup email belongs to two workspaces: the other one has its own counts of it
  await WarmupMail.deleteMany({ fromWorkspaceId: workspaceId });
  await WarmupMail.deleteMany({ toWorkspaceId: workspaceId });
  await SignInLink.deleteMany({ workspaceId });
  await Membership.deleteMany({ workspaceId });
  await ApiKey.deleteMany({ workspaceId });
  await Workspace.updateMany({ parentWorkspaceId: workspaceId }, { $set: { parentWorkspaceId: null } });
  await Workspace.deleteOne({ _id: workspaceId });
}
