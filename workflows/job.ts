import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import type { JobActivities } from "../activities/jobs.ts";
import { isUnderWay, JOB_WORK, type JobIds, type JobProgress, type JobStatus } from "../domain/job.ts";
import { RECORDS } from "../domain/workflow-contract.ts";

const cancelSignal = defineSignal("cancel");
/** There may be more work than before, so a waiting job checks again. */
const wakeSignal = defineSignal("wake");
const progressQuery = defineQuery<JobProgress | null>("progress");

const { workOnJob } = proxyActivities<JobActivities>({ ...JOB_WORK, taskQueue: "jobs" });
const { closeJob } = proxyActivities<JobActivities>({ ...RECORDS, taskQueue: "jobs" });

/**
 * Processes a job slice by slice. The job's document records the progress, so a lost run can simply be started again.
 */
export async function job(ids: JobIds): Promise<JobStatus> {
  const work = new CancellationScope();
  let progress: JobProgress | null = null;
  setHandler(cancelSignal, () => work.cancel());
  let isWoken = false;
  setHandler(wakeSignal, () => {
    isWoken = true;
  });
  setHandler(progressQuery, () => progress);
  try {
    do {
      isWoken = false;
      const slice = await work.run(() => workOnJob(ids));
      progress = slice.progress;
      if (!isUnderWay(slice.status)) return slice.status;
      const { resumeAfterMs } = slice;
      if (resumeAfterMs !== undefined) await work.run(() => condition(() => isWoken, resumeAfterMs));
    } while (work.consideredCancelled || !workflowInfo().continueAsNewSuggested);
  } catch {
    const end = work.consideredCancelled ? "CANCELLED" : "FAILED";
    return (await CancellationScope.nonCancellable(() => closeJob(ids, end))).status;
  }
  return continueAsNew<typeof job>(ids);
}
