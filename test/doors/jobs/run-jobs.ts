import type { Call, Job } from "./job.ts";
import type { JobsWorld } from "./jobs-world.ts";
import { SENDING_JOBS } from "./sending-jobs.ts";
import { UPKEEP_JOBS } from "./upkeep-jobs.ts";

/** A call of a job with its answer, or what happened before the next call. */
export type Step =
  | { tool: string; args: Record<string, unknown>; text: string; shown: string[] | null }
  | { meanwhile: string };

export interface DoneJob extends Omit<Job, "run"> {
  steps: Step[];
}

const JOBS: readonly Job[] = [...SENDING_JOBS, ...UPKEEP_JOBS];

/** Does the jobs one after the other from the answers of the tools alone. @throws Error if a call is refused */
export async function runJobs(world: JobsWorld): Promise<DoneJob[]> {
  const done: DoneJob[] = [];
  for (const { run, ...job } of JOBS) {
    const steps: Step[] = [];
    const call: Call = async (tool, args = {}, shown) => {
      const { isError, body, text } = await world.agent.call(tool, args);
      if (isError) throw new Error(`${job.name}: ${tool} ${JSON.stringify(args)} answered ${text}`);
      steps.push({ tool, args, text, shown: shown?.split(" ") ?? null });
      return body;
    };
    await run(call, world, (meanwhile) => steps.push({ meanwhile }));
    done.push({ ...job, steps });
  }
  return done;
}

/** The number of calls that a job took. */
export function callsOf({ steps }: DoneJob): number {
  return steps.filter((step) => "tool" in step).length;
}
