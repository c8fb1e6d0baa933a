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

/** The collections that are kept when a workspace is deleted: its audit chain, for two years (rules/security 6.1). */
const KEPT: readonly (keyof Workspaced)[] = ["AuditDeed", "AuditEntry", "AuditHead"];
/** The first collection to purge. Once a send is deleted, no link in its email writes anything any more. */
const FIRST: keyof Workspaced = "Send";
/** The number of documents that are deleted together, small enough that other queries need not wait. */
const CHUNK = 500;
/**
 * The number of documents that are read together. A further query in index order would have to skip everything that was
 * just deleted.
 */
const WINDOW = 10_000;
/**
 * The time limit for reading them in milliseconds. It is long, because a collection that many workspaces share may
 * contain many documents to skip.
 */
const LONGEST_MS = 5 * MINUTE_MS;
/** The lease in milliseconds for which only one process purges a workspace. It is renewed while the process works. */
const LEASE_MS = 10 * MINUTE_MS;

/** How long a purge pauses for each millisecond of work, because the service's own reads and writes have priority. */
export const PURGE_REST = 1;

/** A document that is about to be deleted, with the fields that show whether it has a running workflow. */
export interface PurgedDocument {
  _id: string;
  status?: unknown;
  admittedAt?: unknown;
}

export interface PurgeOptions {
  /**
   * Ends the workflow runs of these documents. It is called before the documents are deleted, so if the process dies in
   * between, the next process calls it again.
   */
  endRuns?(model: keyof Workspaced, documents: readonly PurgedDocument[]): Promise<void>;
  /** Milliseconds of pause for each millisecond of work, so that the service can use the database meanwhile. */
  rest?: number;
  signal?: AbortSignal;
}

/**
 * Deletes, chunk by chunk, the remaining data of one workspace that was deleted 30 days ago (rules/evidence 2). The
 * workspace itself is deleted last, so if the process dies, the next one continues. Returns whether there was such a
 * workspace.
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
  // Work in progress may still write documents of the workspace, so rounds are repeated until one finds nothing
  while ((await purgeRound(workspaceId, { ...(endRuns && { endRuns }), afterChunk })) > 0);
  await purgeFromInstallation(workspaceId);
  return true;
}

/**
 * Whether a workspace that was purged, or is being purged, may have sent an email at that instant, in epoch
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
    // With an index by id, reading continues after the last document. Otherwise each query would have to skip the
    // documents of all other workspaces
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
 * Deletes the workspace's documents in collections of the whole deployment. The workspace itself comes last, because
 * the others are found through it.
 */
async function purgeFromInstallation(workspaceId: string): Promise<void> {
  // A warmup email belongs to two workspaces, and the other one has counted it separately
  await WarmupMail.deleteMany({ fromWorkspaceId: workspaceId });
  await WarmupMail.deleteMany({ toWorkspaceId: workspaceId });
  await SignInLink.deleteMany({ workspaceId });
  await Membership.deleteMany({ workspaceId });
  await ApiKey.deleteMany({ workspaceId });
  await Workspace.updateMany({ parentWorkspaceId: workspaceId }, { $set: { parentWorkspaceId: null } });
  await Workspace.deleteOne({ _id: workspaceId });
}
