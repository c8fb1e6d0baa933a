import { BATCH_SIZE } from "../../domain/verification/results.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { membersOf } from "../campaigns/audience.ts";
import { type JobAtWork, JobMoved } from "../jobs.ts";
import { parametersOf } from "./job-state.ts";

/**
 * Turns the members that a list has now into the batches of its job. A worker that was killed meanwhile has left batches of which nobody
 * knows how many are missing, so the next one begins anew. Returns the job as it is then. @throws JobMoved when another was first
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
      if (open.length > 0) await VerificationBatch.store({ _id: `${jobId}:${number}`, jobId, number, leadIds: open, emails: [] });
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
  const moved = await inTransaction(() => Job.updateOne({ _id: jobId, status: "RUNNING", "state.isListed": false }, listed));
  if (moved === 0) throw new JobMoved();
}
