import {
  CancellationScope,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
} from "@temporalio/workflow";
import type { JobActivities } from "../activities/jobs.ts";
import { isUnderWay, JOB_WORK, type JobIds, type JobProgress, type JobStatus } from "../domain/job.ts";
import { RECORDS } from "../domain/workflow-contract.ts";

export const cancelSignal = defineSignal("cancel");
export const progressQuery = defineQuery<JobProgress | null>("progress");

const { workOnJob } = proxyActivities<JobActivities>({ ...JOB_WORK, taskQueue: "jobs" });
const { closeJob } = proxyActivities<JobActivities>({ ...RECORDS, taskQueue: "jobs" });

/** Works through a job, slice by slice. The job's document records what has been done, so a run that is lost is simply started again. */
export async function job(ids: JobIds): Promise<JobStatus> {
  const work = new CancellationScope();
  let progress: JobProgress | null = null;
  setHandler(cancelSignal, () => work.cancel());
  setHandler(progressQuery, () => progress);
  try {
    do {
      const slice = await work.run(() => workOnJob(ids));
      progress = slice.progress;
      if (!isUnderWay(slice.status)) return slice.status;
      const { waitMs } = slice;
      if (waitMs !== undefined) await work.run(() => sleep(waitMs));
    } while (work.consideredCancelled || !workflowInfo().continueAsNewSuggested);
  } catch {
    const end = work.consideredCancelled ? "CANCELLED" : "FAILED";
    return (await CancellationScope.nonCancellable(() => closeJob(ids, end))).status;
  }
  return continueAsNew<typeof job>(ids);
}
