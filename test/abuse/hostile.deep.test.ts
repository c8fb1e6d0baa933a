import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { CONDUCT_THRESHOLDS } from "../../domain/access/conduct.ts";
import { seal } from "../../domain/access/seal.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { endWorkspaceSuspension, suspend } from "../../operations/abuse/suspend.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeImap, startImap } from "../fakes/imap.ts";
import { type FakeSmtp, startSmtp } from "../fakes/smtp.ts";
import { accept, refuse } from "../fakes/smtp-answers.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const [USER, PASSWORD] = ["all@a.test", "hostile"];
let world: World;
let smtp: FakeSmtp;
let imap: FakeImap;

beforeAll(async () => {
  const certificate = await makeCertificate();
  const rules = (rcpt: string) => (rcpt.startsWith("unknown") ? refuse(550, "5.1.1 User unknown") : accept);
  smtp = await startSmtp({ certificate, secure: true, rules });
  imap = await startImap({ certificate, user: USER, password: PASSWORD, secure: true });
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert }),
    settings: { egressAllow: "localhost:*", conduct: { thresholds: CONDUCT_THRESHOLDS, slowedEmails: 50 } },
  });
}, 120_000);
afterAll(async () => {
  await world.close();
  await Promise.all([smtp.close(), imap.close()]);
}, 60_000);

interface Tenant {
  workspaceId: string;
  rest: Rest;
  /** The start of the addresses that its campaign writes to. */
  mark: string;
  path: string;
}

/** A tenant whose campaign sends as fast as it can, guards of its own switched off. */
async function tenantWith({
  mailboxes,
  people,
  unknownShare,
}: Record<"mailboxes" | "people" | "unknownShare", number>) {
  const { workspaceId, rest } = await world.workspace();
  const mark = randomUUID().slice(0, 8);
  const mailboxIds: string[] = [];
  for (let number = 0; number < mailboxes; number++) {
    const _id = newId("mbx");
    const place = { workspaceId, collection: "mailboxes", documentId: _id, field: "password" };
    await scoped(workspaceId).Mailbox.insert({
      _id,
      email: `from${number}@${mark}.test`,
      username: USER,
      saveToSent: false,
      dailySendLimit: 0,
      smtp: { host: "localhost", port: smtp.port, security: "SSL_TLS" },
      imap: { host: "localhost", port: imap.port, security: "SSL_TLS" },
      sealedPassword: seal(world.services.keyRing, place, PASSWORD),
    });
    mailboxIds.push(_id);
  }
  const { body: campaign } = await rest.post("/campaigns", { name: mark });
  const path = `/campaigns/${campaign.id}`;
  const settings = {
    windows: ALWAYS,
    minGapSeconds: 0,
    maxGapSeconds: 0,
    perMailboxDailyLimit: 0,
    bounceGuard: { enabled: false },
  };
  expect(await rest.patch(`${path}/settings`, { ...settings, mailboxIds })).toMatchObject({ status: 200 });
  await rest.put(`${path}/sequence`, {
    action: "replaceSteps",
    steps: [{ subject: "Offer", body: "<p>Hello</p>", delay: 0 }],
  });
  const isUnknown = (number: number) => Math.floor((number + 1) * unknownShare) > Math.floor(number * unknownShare);
  const emails = Array.from(
    { length: people },
    (_, number) => `${isUnknown(number) ? "unknown" : "person"}${number}@${mark}.people${number % 40}.test`,
  );
  for (let first = 0; first < emails.length; first += 500) {
    const page = { action: "addManual", emails: emails.slice(first, first + 500) };
    expect(await rest.post(`${path}/recipients`, page)).toMatchObject({ status: 200 });
  }
  return { workspaceId, rest, mark, path };
}

async function launch({ rest, path }: Tenant): Promise<void> {
  const { body } = await rest.post(`${path}/control`, { action: "launch" });
  if (body.launched !== true) throw new Error(`Not launched: ${JSON.stringify(body.validation?.errors)}`);
}

/** How many emails of a tenant began to arrive, as the mail server saw it. */
function contentsOf({ mark }: Tenant): number {
  return smtp.attempts.filter(({ stage, to }) => stage === "CONTENT" && to.some((one) => one.includes(mark))).length;
}

test("a tenant whose list has 30 % unknown users is held before 1,000 emails left, and another tenant's emails all leave (rules/access 8.2, 8.3)", async () => {
  const hostile = await tenantWith({ mailboxes: 500, people: 3_000, unknownShare: 0.3 });
  const honest = await tenantWith({ mailboxes: 4, people: 60, unknownShare: 0 });
  await Promise.all([launch(hostile), launch(honest)]);
  const isHeld = async () => {
    const workspace = await Workspace.findOne({ _id: hostile.workspaceId }).lean<Workspace>();
    return (workspace?.suspension ?? null) !== null;
  };
  await until(isHeld, { deadlineMs: 240_000, what: "the hostile workspace to be held" });
  await until(() => contentsOf(honest) === 60, { deadlineMs: 240_000, what: "the emails of the other tenant" });
  await until(async () => (await hostile.rest.get(hostile.path)).body.status === "PAUSED", {
    deadlineMs: 60_000,
    what: "the campaign to be paused",
  });
  await sleep(2_000);
  const left = contentsOf(hostile);
  expect(left).toBeGreaterThan(50);
  expect(left).toBeLessThan(1_000);
  await sleep(5_000);
  expect(contentsOf(hostile)).toBe(left);
  expect((await hostile.rest.get("/workspace")).body.suspension).toMatchObject({ by: "SERVICE" });
  expect((await honest.rest.get("/workspace")).body.suspension).toBeNull();
  process.stderr.write(`emails of the hostile tenant until it was held: ${left}\n`);
}, 600_000);

test("no email of a workspace begins after its suspension has answered, at random moments beside running sends (rules/access 7.1)", async () => {
  const tenant = await tenantWith({ mailboxes: 30, people: 1_500, unknownShare: 0 });
  await launch(tenant);
  await until(() => contentsOf(tenant) > 0, { deadlineMs: 120_000, what: "the first email" });
  const late: number[] = [];
  let stopsWithMails = 0;
  for (let round = 0; round < 12; round++) {
    const before = contentsOf(tenant);
    await sleep(Math.random() * 1_500);
    if (contentsOf(tenant) > before) stopsWithMails++;
    await suspend(tenant.workspaceId, `round ${round}`);
    const answered = contentsOf(tenant);
    await sleep(1_500);
    late.push(contentsOf(tenant) - answered);
    await endWorkspaceSuspension(tenant.workspaceId, undefined);
    await until(() => contentsOf(tenant) > answered || contentsOf(tenant) === 1_500, {
      deadlineMs: 60_000,
      what: "sending to go on",
    });
  }
  expect(late).toEqual(late.map(() => 0));
  // Emails were leaving around the stops, so they had something to stop
  expect(stopsWithMails).toBeGreaterThan(3);
  const twice = Map.groupBy(
    smtp.ledger.filter(({ to }) => to.some((one) => one.includes(tenant.mark))),
    ({ to }) => to[0],
  );
  expect([...twice.values()].filter((mails) => mails.length > 1)).toEqual([]);
}, 600_000);
