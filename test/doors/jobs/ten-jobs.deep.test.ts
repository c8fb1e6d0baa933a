import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { dayGoesOn } from "../../fakes/wait.ts";
import { type JobsWorld, startJobsWorld } from "./jobs-world.ts";
import { callsOf, type DoneJob, runJobs } from "./run-jobs.ts";
import { TRANSCRIPT_FILE, transcriptOf } from "./transcript.ts";

let world: JobsWorld;
let done: DoneJob[];
beforeAll(async () => {
  await dayGoesOn(180_000);
  world = await startJobsWorld();
  done = await runJobs(world);
}, 400_000);
afterAll(() => world.close(), 60_000);

test("ten everyday jobs are done from the answers of the tools alone, without a refused call and within their calls", () => {
  expect(done).toHaveLength(10);
  const tooMany = done.filter((job) => callsOf(job) > job.most).map((job) => `${job.name}: ${callsOf(job)} calls`);
  expect(tooMany).toEqual([]);
});

test("a person who said no gets no further email, and all others get what was planned", () => {
  const mailsTo = (email: string) => world.sandbox.ledger.filter(({ to }) => to.includes(email)).length;
  const counts = ["ada@engines.example", "ben@looms.example", "cem@mills.example", "refuse.kim@closed.example"].map(
    mailsTo,
  );
  expect(counts).toEqual([2, 1, 1, 0]);
});

test("the page with the transcripts shows these calls (`npm run docs:agents`)", () => {
  expect(readFileSync(TRANSCRIPT_FILE, "utf8")).toBe(transcriptOf(done));
});
