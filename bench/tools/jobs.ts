import { startJobsWorld } from "../../test/doors/jobs/jobs-world.ts";
import { callsOf, type DoneJob, runJobs } from "../../test/doors/jobs/run-jobs.ts";
import { startServerHost } from "../../test/support/server-host.ts";
import type { Row } from "../table.ts";
import { CHARACTERS_A_TOKEN, tokens } from "./costs.ts";

/** Counts the calls of the ten jobs of docs/guides/agent-jobs.md, and what a model writes and reads for them. */
export async function run(): Promise<Row> {
  const host = await startServerHost();
  process.env["TEST_SERVER_HOST"] = host.url;
  try {
    const world = await startJobsWorld();
    try {
      return rowOf(await runJobs(world));
    } finally {
      await world.close();
    }
  } finally {
    await host.stop();
  }
}

function rowOf(jobs: readonly DoneJob[]): Row {
  const sums = jobs.map((job) => ({ ...job, calls: callsOf(job), ...tokensOf(job) }));
  const sum = (field: "calls" | "written" | "read") => sums.reduce((all, job) => all + job[field], 0);
  return {
    title: "Ten jobs of an agent",
    how: `The jobs of test/doors/jobs, done by the tools alone, about ${CHARACTERS_A_TOKEN} characters a token. Written: names and arguments of the calls. Read: their answers.`,
    measured: [
      ...sums.map(({ name, most, calls, written, read }) => ({
        what: name,
        goal: `at most ${most} calls`,
        measured: `${calls} calls, ${written} tokens written, ${read} read`,
        met: calls <= most,
      })),
      {
        what: "all ten",
        goal: "",
        measured: `${sum("calls")} calls, ${sum("written")} tokens written, ${sum("read")} read`,
        met: null,
      },
    ],
  };
}

function tokensOf({ steps }: DoneJob): { written: number; read: number } {
  const calls = steps.flatMap((step) => ("tool" in step ? [step] : []));
  return {
    written: tokens(calls.reduce((all, { tool, args }) => all + tool.length + JSON.stringify(args).length, 0)),
    read: tokens(calls.reduce((all, { text }) => all + text.length, 0)),
  };
}
