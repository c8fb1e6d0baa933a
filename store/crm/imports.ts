import { sourceOf } from "../../domain/crm/provider.ts";
import { isUnderWay } from "../../domain/job.ts";
import type { LeadActor } from "../../domain/lead-source.ts";
import { CrmImport } from "../../models/crm/crm-import.ts";
import type { Job } from "../../models/job.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { UNKNOWN_COUNT } from "../jobs.ts";
import { nudge } from "../outbox.ts";
import type { CrmImportParameters } from "./import-page.ts";

export interface AskedImport {
  connectionId: string;
  segmentId: string;
  listId: string | null;
  mapping: [field: string, target: string][];
  /** Whether the list is updated from the segment from now on. */
  isKept: boolean;
  source: string;
  actor: string;
  /** The actor as the audit log names it. */
  by: LeadActor;
}

/**
 * Starts the import of a segment into a list, or joins one that is already running: at most one import runs for each
 * segment and list. Returns its job.
 */
export async function beginCrmImport(workspaceId: string, order: AskedImport): Promise<Job> {
  const { source, ...fields } = order;
  const { connectionId, segmentId, listId } = order;
  try {
    return await inTransaction(async () => {
      const { CrmImport } = scoped(workspaceId);
      const existing = await CrmImport.findOne({ connectionId, segmentId, listId });
      const stored = existing ?? (await CrmImport.insert({ _id: newId("cri"), ...fields }));
      const { isKept, mapping, actor, by } = fields;
      await CrmImport.updateOne({ _id: stored._id }, { $set: { isKept, mapping, actor, by, stoppedBy: null } });
      return beginRound(workspaceId, { ...stored, ...fields }, { isFull: true, source });
    });
  } catch (error) {
    // Two callers that start at the same time create only one import
    if (isDuplicateKey(error)) return beginCrmImport(workspaceId, order);
    throw error;
  }
}

/**
 * Starts the next round of an import and returns its job, or the job of the round that is running. Call it in a
 * transaction.
 */
async function beginRound(
  workspaceId: string,
  { _id: importId, ...one }: CrmImport,
  how: { isFull: boolean; source: string },
): Promise<Job> {
  const { CrmImport, Job } = scoped(workspaceId);
  const running = one.jobId === null ? null : await Job.get(one.jobId);
  if (running !== null && isUnderWay(running.status)) return running;
  const jobId = newId("job");
  const { connectionId, segmentId, listId, mapping, actor, by = null, isKept } = one;
  const round = one.round + 1;
  const parameters: CrmImportParameters = {
    importId,
    connectionId,
    segmentId,
    listId,
    mapping,
    round,
    isKept,
    actor,
    by,
    ...how,
  };
  const fields = {
    type: "CRM_IMPORT",
    fileName: null,
    parameters: { ...parameters },
    state: {},
    chunkCount: UNKNOWN_COUNT,
  } as const;
  const job = await Job.insert({ _id: jobId, ...fields });
  await CrmImport.updateOne({ _id: importId }, { $set: { jobId, round, startedAt: new Date() } });
  await nudge(workspaceId, "JOB", { jobId });
  return job;
}

/**
 * Imports of all workspaces whose list is updated from the segment and whose last round began before `before`, with ids
 * after `after`.
 */
export function findDueImports(after: string, before: Date, limit: number): Promise<CrmImport[]> {
  const filter = { isKept: true, startedAt: trusted({ $lt: before }), _id: trusted({ $gt: after }) };
  return CrmImport.find(filter, null, { acrossWorkspaces: true })
    .sort({ _id: 1 })
    .limit(limit)
    .lean<CrmImport[]>()
    .exec();
}

/**
 * Starts the next round of an import whose list is updated from the segment. The round writes only members that have
 * changed. Returns false when no round must be started.
 */
export function keepInStep({ workspaceId, _id }: CrmImport, before: Date): Promise<boolean> {
  return inTransaction(async () => {
    const { CrmConnection, CrmImport, LeadList } = scoped(workspaceId);
    const one = await CrmImport.get(_id);
    if (one === null || !one.isKept || one.startedAt === null || one.startedAt >= before) return false;
    const connection = await CrmConnection.get(one.connectionId);
    // While its connection needs a person, the import pauses. It continues after the CRM is connected again
    if (connection === null || connection.status !== "CONNECTED") return false;
    if (one.listId !== null && (await LeadList.get(one.listId)) === null) {
      await CrmImport.updateOne({ _id }, { $set: { isKept: false, stoppedBy: "LIST_NOT_FOUND" } });
      return false;
    }
    await beginRound(workspaceId, one, { isFull: false, source: sourceOf(connection.provider) });
    return true;
  });
}

/** Stops updating a list from its segment. `stoppedBy` is the code of the reason. */
export async function stopKeeping(workspaceId: string, importId: string, stoppedBy: string): Promise<void> {
  await scoped(workspaceId).CrmImport.updateOne(
    { _id: importId, isKept: true },
    { $set: { isKept: false, stoppedBy } },
  );
}
