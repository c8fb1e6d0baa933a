import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { programEnv, readConfig } from "../../config.ts";
import { startTemporal } from "../../embedded/temporal.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { endTransactionsOf, namedUri } from "../database/dead-transactions.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";
import { KilledApi } from "../system/killed-api.ts";
import { KilledWorker, killedWorkerOf, randomFrom } from "../system/killed-worker.ts";
import { type Attempt, Crowd, type Going, type Scene, sceneOf } from "./crowd.ts";
import { proofOf } from "./hits-proof.ts";

const SEED = 20_261_124;
/**
 * In full size the real worker runs, and times are compared too. `somewhenMs`: how much later than the awaited moment a
 * kill may come.
 */
const SIZES = {
  small: {
    people: 150,
    visits: 600,
    conversions: 150,
    mostInBatch: 12,
    apiKills: 2,
    workerKills: 1,
    pace: { atOnce: 12, aSecond: 1_000 },
    somewhenMs: 50,
    isFull: false,
  },
  full: {
    people: 2_000,
    visits: 20_000,
    conversions: 5_000,
    mostInBatch: 40,
    apiKills: 10,
    workerKills: 10,
    pace: { atOnce: 24, aSecond: 150 },
    somewhenMs: 400,
    isFull: true,
  },
};
let size = SIZES.small;
const [API, WORKER] = ["hits-api", "hits-worker"] as const;
const random = randomFrom(SEED);

let world: World;
let api: KilledApi;
let worker: KilledWorker;
const closing: (() => Promise<unknown>)[] = [];

async function startEngine(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "outreach-hits-"));
  const programs = { env: programEnv(), log: () => {}, binary: readConfig().TEMPORAL_BIN ?? undefined };
  const temporal = await startTemporal({ dataDir: folder, port: 0, pages: null, ...programs });
  closing.push(
    () => temporal.stop(),
    () => rm(folder, { recursive: true, force: true }),
  );
  return temporal.address;
}

async function newWorker(engine: string): Promise<KilledWorker> {
  if (size.isFull) return killedWorkerOf(world, (await makeCertificate()).cert, engine);
  const secretKey = world.services.keyRing.current.key.toString("base64");
  const nowhere = { temporalAddress: engine, certificate: "", trackUrl: world.baseUrl, codePath: "" };
  return new KilledWorker(
    { mongodbUri: namedUri(world.mongodbUri, WORKER), secretKey, ...nowhere },
    new URL("../system/settler.ts", import.meta.url),
  );
}

/** Visits and conversions while API and worker are killed. */
export function runHits(which: keyof typeof SIZES): void {
  size = SIZES[which];
  beforeAll(async () => {
    world = await startWorld({ apart: true });
    const engine = size.isFull ? await startEngine() : "127.0.0.1:1";
    api = await KilledApi.on(world, { engine, mongodbUri: namedUri(world.mongodbUri, API) });
    worker = await newWorker(engine);
    worker.start();
    await api.start();
  }, 180_000);

  afterAll(async () => {
    await worker?.kill();
    await api?.stop();
    await world?.close();
    for (const close of closing) await close();
  });

  test("whenever API and worker are killed, no click that feeds conversions is lost, and each conversion counts once", async () => {
    const scene = await sceneOf(world, random, size);
    const crowd = new Crowd(api.url);
    const traffic = crowd.does(scene.jobs, size.pace);
    const [surelyStored] = await Promise.all([killApi(scene, crowd), killWorker(scene), traffic]);
    // An orderly end stores the waiting hits
    expect(await api.stop()).toBe(0);
    const { Hit } = scoped(scene.workspaceId);
    const isSettled = async () => (await Hit.count({ hitClass: null })) === 0;
    await until(isSettled, { deadlineMs: 120_000, what: "every hit to be settled" });
    await worker.kill();
    const { outages } = api;
    const proof = await proofOf(scene, { ...crowd.disturbances, outages, surelyStored, isTimed: size.isFull });
    if (size.isFull) console.log(tableOf(proof.told));
    expect(proof.broken).toEqual({});
  }, 1_200_000);
}

/**
 * Kills the API again and again while batches are on their way. Returns the visits whose hits were surely stored
 * before: see `seenStored`.
 */
async function killApi(scene: Scene, crowd: Crowd): Promise<Going[]> {
  const surelyStored: Going[] = [];
  for (let kill = 1; kill <= size.apiKills; kill++) {
    const share = (kill / (size.apiKills + 1)) * scene.jobs.length;
    await until(() => crowd.done >= share, { deadlineMs: 300_000, what: "some of the jobs to be done", longestMs: 20 });
    if (!size.isFull) surelyStored.push(...(await seenStored(scene, crowd)));
    await sleep(size.somewhenMs * random());
    const isAmid = () => crowd.batches > 0 || crowd.done === scene.jobs.length;
    await until(isAmid, { deadlineMs: 300_000, what: "a batch to be on its way", longestMs: 1 });
    await api.kill(() => unlockAfter(API));
  }
  return surelyStored;
}

/**
 * Those that were answered before two clicks that were each seen stored: their batch, or the one after it, was stored
 * before the second.
 */
async function seenStored(scene: Scene, crowd: Crowd): Promise<Going[]> {
  const since = api.outages.at(-1)?.servesAt ?? 0;
  const before = scene.goings.filter(
    ({ attempts }) => isAnswered(attempts.at(-1)) && (attempts.at(-1)?.begunAt ?? 0) >= since,
  );
  for (let round = 0; round < 2; round++) {
    const click = scene.aClick();
    await crowd.goes(click);
    const address = click.attempts.at(-1)?.address ?? "";
    const isStored = async () => (await scoped(scene.workspaceId).Hit.count({ address })) === 1;
    await until(isStored, { deadlineMs: 30_000, what: "a click to be stored" });
  }
  return before;
}

function isAnswered(attempt: Attempt | undefined): boolean {
  return attempt?.end === 200 || attempt?.end === 302;
}

/** Kills the worker again and again while it settles hits. */
async function killWorker({ workspaceId, goings }: Scene): Promise<void> {
  const { Hit } = scoped(workspaceId);
  for (let kill = 1; kill <= size.workerKills; kill++) {
    const share = (kill / (size.workerKills + 1)) * goings.length * 0.9;
    const isAmid = async () => (await Hit.count({ hitClass: trusted({ $ne: null }) })) >= share;
    await until(isAmid, {
      deadlineMs: 600_000,
      what: "some of the hits to be settled",
      longestMs: size.isFull ? 100 : 10,
    });
    await sleep(size.somewhenMs * random());
    await worker.kill();
    await unlockAfter(WORKER);
    worker.start();
  }
}

/** In full size no one helps the database. */
async function unlockAfter(program: string): Promise<void> {
  if (!size.isFull) await endTransactionsOf(program);
}

function tableOf(told: Record<string, string | number>): string {
  const width = Math.max(...Object.keys(told).map(({ length }) => length));
  const kills = `${size.apiKills} kills of the API, ${size.workerKills} of the worker`;
  return [`\n${kills}`, ...Object.entries(told).map(([what, value]) => `${what.padEnd(width)}  ${value}`)].join("\n");
}
