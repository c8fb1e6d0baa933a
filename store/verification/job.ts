import {
  BATCH_SIZE,
  NO_RESULTS,
  type VerificationCounts,
  type VerificationSource,
} from "../../domain/verification/results.ts";
import type { Job } from "../../models/job.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { newId, pagesOf } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { membersOf } from "../campaigns/audience.ts";
import { type JobAtWork, JobMoved } from "../jobs.ts";
import { nudge } from "../outbox.ts";

/** The subject of a verification: the members of a list, leads, or addresses that need not belong to leads. */
export type VerificationSubject = { listId: string } | { leadIds: readonly string[] } | { emails: readonly string[] };

/** The parameters that a verification job stores, besides its batches. */
interface VerificationParameters {
  source: VerificationSource;
  listId: string | null;
  /** Requests with the same key join the job while it is running. */
  key: string | null;
}

/**
 * Creates the job that verifies the addresses, and requests its start. A repeated call with the same `requestId`
 * creates nothing. Each address is checked once, however often the request contains it.
 */
export function requestVerification(
  workspaceId: string,
  subject: VerificationSubject,
  source: VerificationSource,
  { key = null, requestId = null }: { key?: string | null; requestId?: string | null } = {},
): Promise<Job> {
  const work = () => inTransaction(() => storeRequest(workspaceId, subject, { source, key, requestId }));
  // When the same request arrives twice at the same moment, the second one reads what the first has stored
  return work().catch((error) => (isDuplicateKey(error) ? work() : Promise.reject(error)));
}

async function storeRequest(
  workspaceId: string,
  subject: VerificationSubject,
  { source, key, requestId }: { source: VerificationSource; key: string | null; requestId: string | null },
): Promise<Job> {
  const { Job, VerificationBatch } = scoped(workspaceId);
  const firstBatch = requestId === null ? null : await VerificationBatch.get(`${requestId}:0`);
  const before = firstBatch === null ? null : await Job.get(firstBatch.jobId);
  if (before !== null) return before;
  const pages = batchesOf(subject);
  const total = pages.reduce((sum, { leadIds, emails }) => sum + leadIds.length + emails.length, 0);
  const joined = key === null ? null : await joinJob(workspaceId, key, pages.length, total);
  const job =
    joined ??
    (await Job.insert({
      _id: newId("job"),
      type: "VERIFICATION",
      fileName: null,
      parameters: { source, listId: "listId" in subject ? subject.listId : null, key } satisfies VerificationParameters,
      state: { counts: { ...NO_RESULTS }, creditsUsed: 0, isListed: !("listId" in subject) },
      total,
      chunkCount: pages.length,
    }));
  const first = job.chunkCount - pages.length;
  await VerificationBatch.storeAll(
    pages.map((page, index) => ({
      _id: `${requestId ?? job._id}:${index}`,
      jobId: job._id,
      number: first + index,
      ...page,
    })),
  );
  await nudge(workspaceId, "VERIFICATION", { jobId: job._id });
  return job;
}

/**
 * Extends a running job with the same key by further batches, and returns it. If the job ends at the same moment, the
 * two conflict and this is repeated.
 */
function joinJob(workspaceId: string, key: string, batches: number, total: number): Promise<Job | null> {
  const underWay = {
    type: "VERIFICATION",
    status: trusted({ $in: ["QUEUED", "RUNNING"] }),
    "parameters.key": key,
  } as const;
  return scoped(workspaceId).Job.findOneAndUpdate(underWay, { $inc: { chunkCount: batches, total } });
}

/** Batches of distinct leads or addresses. For a list there are none, because the job itself reads the members. */
function batchesOf(subject: VerificationSubject): { leadIds: string[]; emails: string[] }[] {
  if ("listId" in subject) return [];
  const all = [...new Set("leadIds" in subject ? subject.leadIds : subject.emails)];
  return pagesOf(all, BATCH_SIZE).map((page) =>
    "leadIds" in subject ? { leadIds: page, emails: [] } : { leadIds: [], emails: page },
  );
}

/** The state of a verification job. */
interface VerificationProgress {
  counts: VerificationCounts;
  /** How many addresses were newly checked, without a stored result. */
  creditsUsed: number;
  /** Whether the members of its list have been read. */
  isListed: boolean;
}

export function parametersOf({ parameters }: Pick<JobAtWork, "parameters">): VerificationParameters {
  return parameters as unknown as VerificationParameters; // only `requestVerification` writes them
}

export function stateOf({ state }: Pick<JobAtWork, "state">): VerificationProgress {
  return { counts: NO_RESULTS, creditsUsed: 0, isListed: true, ...(state as Partial<VerificationProgress>) }; // as above
}

/** The `result` of a job that has ended. */
export function resultOf(job: Pick<JobAtWork, "parameters" | "state">): Record<string, unknown> {
  const { counts, creditsUsed } = stateOf(job);
  const { source, listId } = parametersOf(job);
  return { source, listId, counts: { ...counts }, creditsUsed };
}

/**
 * Stores the current members of a list as batches of the job. If an earlier worker was killed, it is not known how many
 * of its batches are missing, so it starts again. Returns the job after that.
 * @throws JobMoved when another worker was first
 */
export async function listMembers(job: JobAtWork, signal: AbortSignal): Promise<void> {
  const { workspaceId, _id: jobId } = job;
  const { VerificationBatch, LeadList, Job } = scoped(workspaceId);
  const { listId } = parametersOf(job);
  await VerificationBatch.deleteMany({ jobId });
  const list = listId === null ? null : await LeadList.get(listId);
  let [number, total] = [0, 0];
  if (list !== null) {
    let open: string[] = [];
    const close = async () => {
      if (open.length > 0)
        await VerificationBatch.store({ _id: `${jobId}:${number}`, jobId, number, leadIds: open, emails: [] });
      number += open.length > 0 ? 1 : 0;
      total += open.length;
      open = [];
    };
    for await (const members of membersOf(list)) {
      signal.throwIfAborted();
      for (const { _id } of members) {
        open.push(_id);
        if (open.length === BATCH_SIZE) await close();
      }
    }
    await close();
  }
  const listed = { $set: { chunkCount: number, total, "state.isListed": true } } as const;
  const moved = await inTransaction(() =>
    Job.updateOne({ _id: jobId, status: "RUNNING", "state.isListed": false }, listed),
  );
  if (moved === 0) throw new JobMoved();
}
