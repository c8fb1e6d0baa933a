import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { type SlowTcp, startSlowTcp } from "../fakes/slow-tcp.ts";
import { until } from "../fakes/wait.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

const SLOW = Array.from({ length: 60 }, (_, index) => `slow${index}@a.test`);
const QUICK = "quick@b.test";
/**
 * Each answer of the slow servers comes this late, so that one email takes about two minutes, longer than the quick
 * workspace on a busy machine.
 */
const LATE_MS = 15_000;

let sandbox: Sandbox;
let world: World;
let smtp: SlowTcp;

beforeAll(async () => {
  const certificate = await makeCertificate();
  sandbox = await startSandbox({ mailboxes: [...SLOW, QUICK], certificate, reactionMs: { min: 20, max: 60 } });
  smtp = await startSlowTcp({ port: sandbox.smtpPort });
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*" },
  });
}, 120_000);
afterAll(async () => {
  smtp.delay(0);
  await world.close();
  await sandbox.close();
  await smtp.close();
}, 60_000);

/** Launches a campaign in a new workspace; returns the workspace. */
async function launched(mailboxes: string[], emails: string[], through?: SlowTcp): Promise<string> {
  const { rest, workspaceId } = await world.workspace();
  const mailboxIds = await Promise.all(mailboxes.map((email) => mailboxIn(world, workspaceId, email, sandbox)));
  if (through !== undefined) await scoped(workspaceId).Mailbox.updateMany({}, { $set: { "smtp.port": through.port } });
  const { body } = await rest.post("/campaigns", { name: "Servers" });
  const path = `/campaigns/${body.id}`;
  const settings = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0, mailboxIds };
  expect(await rest.patch(`${path}/settings`, settings)).toMatchObject({ status: 200 });
  const steps = [{ subject: "Hello", body: "<p>Hello</p>", delay: { value: 0, unit: "MINUTES" } }];
  expect(await rest.put(`${path}/sequence`, { action: "replaceSteps", steps })).toMatchObject({ status: 200 });
  expect(await rest.post(`${path}/recipients`, { action: "addManual", emails })).toMatchObject({ status: 200 });
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
  return workspaceId;
}

test("a workspace with slow mail servers does not delay the emails of another workspace", async () => {
  smtp.delay(LATE_MS);
  await launched(
    SLOW,
    SLOW.map((_, index) => `plain${index}@far.test`),
    smtp,
  );
  await until(() => smtp.connections() >= 30, { deadlineMs: 60_000, what: "the slow workspace to send" });
  const launchedAt = Date.now();
  const emails = Array.from({ length: 5 }, (_, index) => `plain${index}@near.test`);
  await launched([QUICK], emails);
  const quick = () => sandbox.ledger.filter(({ from }) => from === QUICK);
  await until(() => quick().length === emails.length, {
    deadlineMs: 90_000,
    what: "the emails of the quick workspace",
  });
  console.log(`The quick workspace was done after ${Date.now() - launchedAt} ms, with ${smtp.open()} slow connections`);
  // The slow servers are still at their first emails
  expect(sandbox.ledger.length - quick().length).toBeLessThan(10);
  expect(smtp.open()).toBeLessThan(50);
  smtp.delay(0);
  await until(() => sandbox.ledger.length === emails.length + SLOW.length, { deadlineMs: 150_000, what: "all emails" });
}, 300_000);
