import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { freePort } from "../../embedded/ports.ts";
import { restOf } from "../support/rest.ts";
import { randomFrom } from "./killed-worker.ts";
import { type ProgramWorld, startProgramWorld, WatchedCampaign } from "./program-world.ts";
import { type Program, runCommand } from "./programs.ts";

const SIZES = {
  small: { kills: 8, people: 80, seed: () => 20_261_130 },
  /** About ten minutes of kills. */
  full: { kills: 80, people: 900, seed: () => Date.now() % 1_000_000_000 },
};
const QUEUES = ["engine,feed", "engine,webhook", "smtp", "smtp,jobs", "imap", "imap,jobs"];
const HERE = process.cwd();

/** Two processes of each role, one of which is killed at random instants while a campaign sends. */
export function runManyPrograms(size: keyof typeof SIZES): void {
  const { kills, people, seed: draw } = SIZES[size];
  const seed = draw();
  let world: ProgramWorld;
  beforeAll(async () => {
    world = await startProgramWorld(seed);
  }, 120_000);
  afterAll(() => world?.close(), 120_000);

  test("while two processes of each role are killed in turns, no email is sent twice, lost or sent during a pause", async () => {
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    const ports = [String(await freePort()), String(await freePort())];
    const apis = ports.map((PORT) => world.program(HERE, "api/main.ts", { PORT }));
    const workers = QUEUES.map((WORKER_QUEUES) => world.program(HERE, "worker/main.ts", { WORKER_QUEUES }));
    await Promise.all([...apis, ...workers].map((one) => one.start()));
    await runCommand(HERE, "workspace-create", ["--name", "Acme", "--email", "owner@acme.test"], world.variables);
    const key = await runCommand(HERE, "key-create", [], world.variables);
    const doors = ports.map((port) => restOf(`http://127.0.0.1:${port}/api/v1`, key));
    const [first, second] = doors;
    if (first === undefined || second === undefined) throw new Error("There is no API");
    const campaign = await WatchedCampaign.launch(world, first, people);
    const isKilled = async (program: Program) => {
      await world.comesToWork(random());
      await campaign.noteInFlight();
      await program.end("SIGKILL");
      await program.start();
    };
    const all = [...workers, ...apis];
    for (let kill = 0; kill < kills; kill++) {
      const victim = size === "small" ? all[kill] : all[Math.floor(random() * all.length)];
      if (victim !== undefined) await isKilled(victim);
      if (kill % 10 === 3) await campaign.pauseForAWhile(kill % 20 === 3 ? first : second);
    }
    await campaign.expectEachOnce();
    expect(campaign.accepted().length).toBeGreaterThan(people);
  }, 2_700_000);
}
