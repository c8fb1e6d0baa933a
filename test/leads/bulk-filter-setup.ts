import { afterAll, beforeAll, expect } from "@jest/globals";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

export let world: World;

export async function leads(rest: Rest, count: number, tags: string, begin = "n"): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({ email: `${begin}${n}@x.example`, tags }));
  expect((await rest.post("/leads/import", { action: "commit", rows })).body).toMatchObject({ created: count });
}

export async function whenEnded(rest: Rest, jobId: string) {
  let job = (await rest.get(`/jobs/${jobId}`)).body;
  await until(
    async () => {
      job = (await rest.get(`/jobs/${jobId}`)).body;
      return job.finishedAt !== null;
    },
    { deadlineMs: 60_000, what: "the job to end" },
  );
  return job;
}

export const count = async (rest: Rest, query: string) => (await rest.get(`/leads?${query}&pageSize=1`)).body.total;

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld({ worker: realWorker() });
  }, 60_000);
  afterAll(() => world.close());
}
