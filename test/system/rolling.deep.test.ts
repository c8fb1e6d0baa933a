import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { freePort } from "../../embedded/ports.ts";
import { loadDeployment } from "../../temporal/deployment.ts";
import { until } from "../fakes/wait.ts";
import { restOf } from "../support/rest.ts";
import { randomFrom } from "./killed-worker.ts";
import { type ProgramWorld, startProgramWorld, WatchedCampaign } from "./program-world.ts";
import { type Program, runCommand } from "./programs.ts";
import { newestRelease, unpackRelease, WITHOUT_RELEASE } from "./two-releases.ts";

/** An upgrade and the return while a campaign sends, with the programs of the newest release and of this version. */
const SEED = 20_261_130;
const PEOPLE = 200;
const DEADLINE = { deadlineMs: 120_000 };
const withRelease = newestRelease().isHere ? test : test.skip;
const HERE = process.cwd();

let world: ProgramWorld;
let release: string;
beforeAll(async () => {
  if (!newestRelease().isHere) return;
  world = await startProgramWorld(SEED);
  release = unpackRelease(join(world.folder, "release"));
}, 120_000);
afterAll(() => world?.close(), 120_000);

withRelease(
  `an upgrade from release ${newestRelease().version || "before"} and the return to it, with kills in every phase, send no email twice, lose none and send none during a pause${WITHOUT_RELEASE}`,
  async () => {
    const random = randomFrom(SEED);
    const PORT = String(await freePort());
    const [oldApi, newApi] = [release, HERE].map((root) => world.program(root, "api/main.ts", { PORT }));
    const [older, newer] = [release, HERE].map((root) => world.program(root, "worker/main.ts"));
    if (!oldApi || !newApi || !older || !newer) throw new Error("A program is missing");
    await Promise.all([oldApi.start(), older.start()]);
    await runCommand(release, "workspace-create", ["--name", "Acme", "--email", "owner@acme.test"], world.variables);
    const key = await runCommand(release, "key-create", [], world.variables);
    const rest = restOf(`http://127.0.0.1:${PORT}/api/v1`, key);
    const campaign = await WatchedCampaign.launch(world, rest, PEOPLE);
    const currentOf = async () => (await loadDeployment(world.client))?.current;
    const isKilled = async (workers: Program) => {
      await world.comesToWork(random());
      await campaign.noteInFlight();
      await workers.end("SIGKILL");
      await workers.start();
    };
    // Temporal accepts it once the workers poll every queue
    const deployment = (...args: string[]) => {
      const isDone = () => runCommand(HERE, "deployment", args, world.variables).then(Boolean, () => false);
      return until(isDone, { ...DEADLINE, what: `deployment ${args.join(" ")}` });
    };

    await isKilled(older);
    const oldId = await currentOf();
    await newer.start();
    expect(await currentOf()).toBe(oldId);
    await isKilled(newer);
    await deployment("ramp", "50");
    await isKilled(newer);
    await campaign.pauseForAWhile(rest);
    await deployment("current");
    const newId = await currentOf();
    expect(newId).not.toBe(oldId);
    await world.comesToWork(random());
    await older.end("SIGTERM");
    await oldApi.end("SIGTERM");
    await newApi.start();
    await isKilled(newer);
    await campaign.pauseForAWhile(rest);
    const sentByNew = campaign.accepted().length;
    expect(sentByNew).toBeLessThan(PEOPLE);

    // Workers of 1.1.0 make their version current by themselves
    await older.start();
    await until(async () => (await currentOf()) === oldId, { ...DEADLINE, what: "the release to be current again" });
    await isKilled(newer);
    await newer.end("SIGTERM");
    await newApi.end("SIGTERM");
    await oldApi.start();
    await isKilled(older);
    await campaign.pauseForAWhile(rest);
    await campaign.expectEachOnce();
    expect(campaign.accepted().length).toBeGreaterThan(sentByNew);
  },
  1_200_000,
);
