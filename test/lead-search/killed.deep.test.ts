import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { grantCredits } from "../../store/credits.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeLeadSearch, startLeadSearch } from "../fakes/lead-search.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";
import { type KilledWorker, killedWorkerOf, randomFrom } from "../system/killed-worker.ts";
import { importRows, peopleOf } from "./data.ts";
import { ledgerOf } from "./ledger.ts";

const PEOPLE = 1_000;
const JOBS = 10;
const KILLS = 2;
/** Jobs that are begun before each kill. */
const BETWEEN_KILLS = Math.ceil(JOBS / KILLS);
/** Each job asks for as many, and shares half of them with the next one. */
const IN_JOB = 200;

let world: World;
let worker: KilledWorker | null = null;
let provider: FakeLeadSearch;
beforeAll(async () => {
  world = await startWorld({ temporal: true });
  provider = await startLeadSearch("key");
}, 60_000);
afterAll(async () => {
  await worker?.kill();
  await world.close();
  await provider.close();
}, 60_000);

async function idsOfPeople(isAtProvider: boolean): Promise<string[]> {
  if (isAtProvider) {
    for (let n = 0; n < PEOPLE; n++) {
      const email = n % 10 === 9 ? null : `p${n}@a.example`;
      provider.people.set(`p${n}`, { id: `p${n}`, title: "CTO", email, phone: null });
    }
    return [...provider.people.keys()];
  }
  await importRows(peopleOf(PEOPLE).map((row, n) => (n % 10 === 9 ? { ...row, email: undefined } : row)));
  const { rest } = await world.workspace();
  const pages = await Promise.all(
    [1, 2, 3, 4, 5].map((page) => rest.post("/lead-search/browse", { filters: {}, page, pageSize: 200 })),
  );
  return pages.flatMap(({ body }) => body.items.map(({ id }: { id: string }) => id));
}

test.each([["the data set", false] as const, ["a provider", true] as const])(
  "1,000 reveals from %s despite repeated worker kills: none is missing or paid twice, and every credit is accounted for",
  async (_name, isAtProvider) => {
    const ids = await idsOfPeople(isAtProvider);
    world.services.settings.hasLeadSearchProvider = isAtProvider;
    const more = isAtProvider ? { leadSearch: { url: provider.url, key: "key" } } : {};
    worker = await killedWorkerOf(world, (await makeCertificate()).cert, undefined, more);
    const { rest, workspaceId } = await world.workspace();
    const { Job } = scoped(workspaceId);
    await grantCredits(workspaceId, { amount: 2 * PEOPLE, reason: "test", actor: "test", key: "all" }, 0);
    const random = randomFrom(7);
    for (let begun = 0; begun < JOBS; begun++) {
      if (begun % BETWEEN_KILLS === 0) worker.start();
      const prospectIds = Array.from({ length: IN_JOB }, (_, n) => ids[(begun * (IN_JOB / 2) + n) % PEOPLE]);
      const { body } = await rest.post("/lead-search/reveal/bulk", { prospectIds });
      const chunks = Math.floor(random() * 3);
      const isUnderWay = async () => {
        const job = await Job.get(body.id);
        // A job whose people were all revealed by earlier jobs may have fewer chunks, or none
        return job?.finishedAt || (job?.status === "RUNNING" && job.nextChunk >= chunks) ? job : null;
      };
      await until(isUnderWay, { deadlineMs: 90_000, what: `job ${begun} to be under way` });
      if (begun % BETWEEN_KILLS === BETWEEN_KILLS - 1 || begun === JOBS - 1) await worker.kill();
    }
    worker.start();
    const isOver = async () => (await Job.count({ finishedAt: null })) === 0;
    await until(isOver, { deadlineMs: 240_000, what: "all jobs to end" });
    await worker.kill();
    const ledger = await ledgerOf(workspaceId);
    const found = (PEOPLE * 9) / 10;
    expect(ledger).toMatchObject({ reveals: found, shown: found, balance: 2 * PEOPLE - found, held: 0, isWhole: true });
    const jobs = await Job.find({});
    expect(jobs.map(({ status }) => status)).toEqual(Array(JOBS).fill("COMPLETED"));
    expect(jobs.reduce((sum, { result }) => sum + Number(result?.["creditsUsed"]), 0)).toBe(found);
  },
  600_000,
);
