import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { programEnv, readConfig } from "../../config.ts";
import { startTemporal } from "../../embedded/temporal.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";
import { endTransactionsOf, namedUri } from "../system/dead-transactions.ts";
import { KilledApi } from "../system/killed-api.ts";
import { KilledWorker, killedWorkerOf, randomFrom } from "../system/killed-worker.ts";
import { type Attempt, Crowd, type Going, type Scene, sceneOf } from "./crowd.ts";
import { proofOf } from "./hits-proof.ts";

const SEED = 20_261_124;
/** In full size: the promised numbers, on the real worker, and times are looked at too. */
const IS_FULL = process.env["HITS"] === "full";
const SIZE = IS_FULL
  ? { people: 2_000, visits: 20_000, conversions: 5_000, mostInBatch: 40, apiKills: 10, workerKills: 10 }
  : { people: 150, visits: 600, conversions: 150, mostInBatch: 12, apiKills: 2, workerKills: 1 };
const PACE = IS_FULL ? { atOnce: 24, aSecond: 150 } : { atOnce: 12, aSecond: 1_000 };
/** Milliseconds that a kill may come later than the moment that was waited for. */
const SOMEWHEN_MS = IS_FULL ? 400 : 50;
const [API, WORKER] = ["hits-api", "hits-worker"] as const;
const random = randomFrom(SEED);

let world: World;
let api: KilledApi;
let worker: KilledWorker;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  world = await startWorld({ apart: true });
  const engine = IS_FULL ? await startEngine() : "127.0.0.1:1";
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
  if (IS_FULL) return killedWorkerOf(world, (await makeCertificate()).cert, engine);
  const secretKey = world.services.keyRing.current.key.toString("base64");
  const nowhere = { temporalAddress: engine, certificate: "", trackUrl: world.baseUrl, codePath: "" };
  return new KilledWorker({ mongodbUri: namedUri(world.mongodbUri, WORKER), secretKey, ...nowhere }, "./settler.ts");
}

test("whenever API and worker are killed, no click that feeds conversions is lost, and each conversion counts once", async () => {
  const scene = await sceneOf(world, random, SIZE);
  const crowd = new Crowd(api.url);
  const traffic = crowd.does(scene.jobs, PACE);
  const [surelyStored] = await Promise.all([killApi(scene, crowd), killWorker(scene), traffic]);
  // An orderly end stores what waits
  expect(await api.stop()).toBe(0);
  const { Hit } = scoped(scene.workspaceId);
  const isSettled = async () => (await Hit.count({ hitClass: null })) === 0;
  await until(isSettled, { deadlineMs: 120_000, what: "every hit to be settled" });
  await worker.kill();
  const { outages } = api;
  const proof = await proofOf(scene, { ...crowd.disturbances, outages, surelyStored, isTimed: IS_FULL });
  if (IS_FULL) console.log(tableOf(proof.told));
  expect(proof.broken).toEqual({});
}, 1_200_000);

/** Kills the API again and again while batches are on their way. Returns whose hits were surely stored before: see `seenStored`. */
async function killApi(scene: Scene, crowd: Crowd): Promise<Going[]> {
  const surelyStored: Going[] = [];
  for (let kill = 1; kill <= SIZE.apiKills; kill++) {
    const share = (kill / (SIZE.apiKills + 1)) * scene.jobs.length;
    await until(() => crowd.done >= share, { deadlineMs: 300_000, what: "some of the jobs to be done", longestMs: 20 });
    if (!IS_FULL) surelyStored.push(...(await seenStored(scene, crowd)));
    await sleep(SOMEWHEN_MS * random());
    const isAmid = () => crowd.batches > 0 || crowd.done === scene.jobs.length;
    await until(isAmid, { deadlineMs: 300_000, what: "a batch to be on its way", longestMs: 1 });
    await api.kill(() => unlockAfter(API));
  }
  return surelyStored;
}

/** Those that were answered before two clicks that were each seen stored: their batch, or the one after it, was stored before the second. */
async function seenStored(scene: Scene, crowd: Crowd): Promise<Going[]> {
  const since = api.outages.at(-1)?.servesAt ?? 0;
  const before = scene.goings.filter(({ attempts }) => isAnswered(attempts.at(-1)) && (attempts.at(-1)?.begunAt ?? 0) >= since);
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
  for (let kill = 1; kill <= SIZE.workerKills; kill++) {
    const share = (kill / (SIZE.workerKills + 1)) * goings.length * 0.9;
    const isAmid = async () => (await Hit.count({ hitClass: trusted({ $ne: null }) })) >= share;
    await until(isAmid, { deadlineMs: 600_000, what: "some of the hits to be settled", longestMs: IS_FULL ? 100 : 10 });
    await sleep(SOMEWHEN_MS * random());
    await worker.kill();
    await unlockAfter(WORKER);
    worker.start();
  }
}

/** In full size nobody helps the database. */
async function unlockAfter(program: string): Promise<void> {
  if (!IS_FULL) await endTransactionsOf(program);
}

function tableOf(told: Record<string, string | number>): string {
  const width = Math.max(...Object.keys(told).map(({ length }) => length));
  const kills = `${SIZE.apiKills} kills of the API, ${SIZE.workerKills} of the worker`;
  return [`\n${kills}`, ...Object.entries(told).map(([what, value]) => `${what.padEnd(width)}  ${value}`)].join("\n");
}
