import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Client } from "@temporalio/client";
import type { Queue } from "../../domain/workflow-contract.ts";
import { buildIdOfSources } from "../../runtime/build-id.ts";
import { createLog } from "../../runtime/log.ts";
import { DEPLOYMENT } from "../../temporal/deployment.ts";
import { followVersion } from "../../worker/deployment.ts";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

const ANN = "ann@a.test";
const DORA = "dora@people.test";
const log = createLog("silent");

let sandbox: Sandbox;
let world: World;
let extraCa: string;

beforeAll(async () => {
  const certificate = await makeCertificate();
  extraCa = certificate.cert;
  sandbox = await startSandbox({ mailboxes: [ANN], certificate });
  world = await startWorld({ temporal: true, settings: { egressAllow: "localhost:*,127.0.0.1:*" } });
}, 90_000);

afterAll(async () => {
  await world.close();
  await sandbox.close();
}, 30_000);

test("a run started without a version continues on the latest current version; a version that polls only one queue does not become current", async () => {
  const unversioned = await start();
  const { rest, path } = await launched();
  await until(() => sandbox.ledger.length === 1, { ...MAIL_DEADLINE, what: "the first email" });
  await unversioned();
  const first = await start("1");
  await becomesCurrent("1");
  const second = await start("2");
  await becomesCurrent("2");
  await first();
  await until(() => sandbox.ledger.length === 2, { deadlineMs: 120_000, what: "the second email" });
  await until(async () => (await rest.get(`${path}/recipients`)).body.items[0].status === "COMPLETED", {
    deadlineMs: 20_000,
    what: "the end of the sequence",
  });
  expect(sandbox.ledger.map(({ to }) => to)).toEqual([[DORA], [DORA]]);

  // A version that polls one queue alone would leave the work of the others without a worker
  const third = await start("3", ["smtp"]);
  const ending = new AbortController();
  const waiting = followVersion({ client, buildId: "3", log, stopping: ending.signal, takesOver: true });
  expect(await Promise.race([waiting.settled.then(() => "current"), delay(3_000, "waiting")])).toBe("waiting");
  expect(await currentBuild()).toBe("2");
  ending.abort();
  await waiting.ended;
  await Promise.all([second(), third()]);
}, 240_000);

test("the build id consists of the release and a hash of the workflow code, and stays the same for the same sources", () => {
  expect(buildIdOfSources()).toMatch(/^\d+\.\d+\.\d+-[0-9a-f]{12}$/);
  expect(buildIdOfSources()).toBe(buildIdOfSources());
});

async function launched() {
  const { rest } = await world.workspace();
  const servers = {
    smtpHost: "localhost",
    smtpPort: sandbox.smtpPort,
    imapHost: "localhost",
    imapPort: sandbox.imapPortOf(ANN),
  };
  const credentials = { email: ANN, password: sandbox.password, name: "Ann", security: "SSL_TLS", ...servers };
  const mailbox = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
  const { body } = await rest.post("/campaigns", { name: "Upgrade" });
  const path = `/campaigns/${body.id}`;
  const settings = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, mailboxIds: [mailbox.body.id] };
  expect(await rest.patch(`${path}/settings`, settings)).toMatchObject({ status: 200 });
  const steps = [mail("one", "One"), mail("two", "Two", { delay: { value: 1, unit: "MINUTES" } })];
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: [DORA] });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body.launched).toBe(true);
  return { rest, path };
}

function start(buildId?: string, queues?: Queue[]): Promise<() => Promise<void>> {
  const { services, temporal } = world;
  if (temporal === null) throw new Error("The world has no Temporal");
  return realWorker({ extraCa, ...(buildId !== undefined && { buildId }), ...(queues !== undefined && { queues }) })({
    services,
    temporal,
  });
}

async function becomesCurrent(buildId: string): Promise<void> {
  const ending = new AbortController();
  const following = followVersion({ client, buildId, log, stopping: ending.signal, takesOver: true });
  await until(() => following.state() === "CURRENT", { deadlineMs: 30_000, what: `${buildId} to be current` });
  ending.abort();
  await following.ended;
  expect(await currentBuild()).toBe(buildId);
}

function client(): Client | null {
  return world.temporal?.client ?? null;
}

async function currentBuild(): Promise<string | null | undefined> {
  const asked = { namespace: world.temporal?.namespace ?? null, deploymentName: DEPLOYMENT };
  const described = await client()?.workflowService.describeWorkerDeployment(asked);
  return described?.workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId;
}
