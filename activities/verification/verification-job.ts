import { verificationSettingsOf } from "../../domain/verification.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import {
  endJob,
  type JobAtWork,
  JobMoved,
  type JobSliceLimits,
  loadJob,
  type WaitingJobKind,
} from "../../store/jobs.ts";
import { listMembers, resultOf, stateOf } from "../../store/verification/job.ts";
import { settleOpen } from "../../store/verification/probes.ts";
import { type AskDeps, askHosts } from "./ask-hosts.ts";
import { type LookDeps, type Lookups, lookAtBatch } from "./look-at-batch.ts";

export interface VerificationDeps extends Omit<AskDeps, "helo" | "egress"> {
  egress: AskDeps["egress"] & LookDeps["egress"];
  /** The host name in the EHLO greeting to mail servers; null when servers must not be asked. */
  helo: string | null;
}

/**
 * Verifies addresses: first by lists and DNS, batch by batch, then by asking mail servers, as slowly as etiquette
 * demands.
 */
export function verificationJob(deps: VerificationDeps): WaitingJobKind {
  const { egress, helo, etiquette, log } = deps;

  async function workOnVerification(taken: JobAtWork, limits: JobSliceLimits): Promise<number | null> {
    const settings = await settingsOf(taken);
    let job = taken;
    if (!stateOf(job).isListed) {
      await listMembers(job, limits.signal);
      job = await reload(job);
    }
    const lookups: Lookups = new Map();
    const { VerificationBatch } = scoped(job.workspaceId);
    while (job.nextChunk < job.chunkCount) {
      if (limits.leftMs() <= 0) return 0;
      limits.signal.throwIfAborted();
      const batch = await VerificationBatch.findOne({ jobId: job._id, number: job.nextChunk });
      if (batch === null) throw new Error("A batch of a verification job is missing");
      await lookAtBatch({ egress, areServersAsked: helo !== null }, job, batch, settings, lookups);
      job = await reload(job);
    }
    return helo === null ? null : askHosts({ egress, helo, etiquette, log }, job, limits);
  }

  return { work: workOnVerification, resultOf, settle: settleOpen };
}

/**
 * The workspace's verification settings. If the workspace was deleted, cancels the job. @throws JobMoved in that case
 */
async function settingsOf({ workspaceId, _id: jobId }: JobAtWork) {
  const workspace = await Workspace.findOne({ _id: workspaceId }).lean<Workspace>();
  if (workspace !== null && workspace.deletedAt === null) return verificationSettingsOf(workspace.verification);
  await endJob(workspaceId, jobId, "CANCELLED", { resultOf });
  throw new JobMoved();
}

/** @throws JobMoved when the job is no longer running */
async function reload({ workspaceId, _id }: JobAtWork): Promise<JobAtWork> {
  const job = await loadJob(workspaceId, _id);
  if (job?.status !== "RUNNING") throw new JobMoved();
  return job;
}
