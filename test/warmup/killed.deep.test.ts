import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { listened } from "../inbox/mailbox-in.ts";
import { type KilledWorker, killedWorkerOf, randomFrom } from "../system/killed-worker.ts";
import { expectAgreement, expectUnseen, ledgerOf } from "./agreement.ts";
import {
  allMails,
  HASTY,
  press,
  startWarmupWorld,
  untilQuiet,
  WATCHING,
  type Warming,
  type WarmupWorld,
} from "./warmup-world.ts";

const SEED = 20_261_124;
const KILLS = 4;
const DOMAINS = ["alpha.test", "beta.test", "gamma.test", "delta.test"];
const WORKSPACES = ["ann", "bob", "cid"].map((name) => DOMAINS.map((domain) => `${name}@${domain}`));
/** Mail to these is filed into Junk. */
const STRICT = ["ann@delta.test", "cid@beta.test"];
/** Emails of a day of a mailbox that campaigns use, those of its warmup, and what these leave at least. */
const LIMIT = 10;
const WARMUP = 8;
const ROOM = LIMIT - WARMUP;
const LEADS = 24;

let here: WarmupWorld;
let worker: KilledWorker;

beforeAll(async () => {
  const filing = (recipient: string) => (STRICT.includes(recipient) ? "Junk" : "INBOX");
  here = await startWarmupWorld({ workspaces: WORKSPACES, filing, isWorked: false });
  worker = await killedWorkerOf(here.world, here.sandbox.certificate.cert, undefined, {
    warmupWaits: HASTY,
    watching: WATCHING,
  });
  worker.start();
  await Promise.all([...here.mailboxes.values()].map(({ workspaceId, mailboxId }) => listened(workspaceId, mailboxId)));
}, 120_000);
afterAll(async () => {
  await worker.kill();
  await here.close();
}, 60_000);

/** A campaign of one workspace that wants more than its mailboxes have room for. */
async function launchCampaign(mailboxes: readonly Warming[]): Promise<void> {
  const [{ rest, workspaceId }] = mailboxes as [Warming]; // there are some
  await scoped(workspaceId).Mailbox.updateMany({}, { $set: { dailySendLimit: LIMIT } });
  const path = `/campaigns/${(await rest.post("/campaigns", { name: "Beside" })).body.id}`;
  const settings = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };
  await rest.patch(`${path}/settings`, { ...settings, mailboxIds: mailboxes.map(({ mailboxId }) => mailboxId) });
  await rest.put(`${path}/sequence`, {
    action: "replaceSteps",
    steps: [{ subject: "About {{email}}", body: "<p>Hello</p>" }],
  });
  const emails = Array.from({ length: LEADS }, (_, index) => `lead${index}@people.test`);
  await rest.post(`${path}/recipients`, { action: "addManual", emails });
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
}

/**
 * How much of a mailbox's room the campaign used: its emails that arrived, and those that a kill left UNKNOWN before
 * they arrived, which are not sent again.
 */
async function campaignUse({ email, workspaceId, mailboxId }: Warming): Promise<number> {
  const arrived = here.sandbox.ledger.filter(({ from, to }) => from === email && to[0]?.startsWith("lead"));
  const unknown = await scoped(workspaceId).Send.find({ mailboxId, kind: "CAMPAIGN", state: "UNKNOWN" });
  const lost = unknown.filter(({ messageId }) => !arrived.some((mail) => mail.messageId === messageId));
  return arrived.length + lost.length;
}

test("twelve mailboxes warm up beside a campaign while the worker is killed repeatedly: nothing is sent twice, and all records agree", async () => {
  const random = randomFrom(SEED);
  const byWorkspace = [...Map.groupBy(here.mailboxes.values(), ({ workspaceId }) => workspaceId).entries()];
  for (const [, own] of byWorkspace) {
    const onboard = { mailboxIds: own.map(({ mailboxId }) => mailboxId), config: { start: WARMUP, replyRate: 0.5 } };
    const { body } = await (own[0] as Warming).rest.post("/warmup/manage", { action: "onboard", onboard });
    expect(body).toMatchObject({ matched: 4, changed: 4 });
  }
  const isPlanned = async () =>
    new Set((await allMails()).map(({ fromMailboxId }) => fromMailboxId)).size === here.mailboxes.size;
  await until(isPlanned, { deadlineMs: 60_000, what: "the plan of everybody's day" });
  const [first = []] = byWorkspace.map(([, own]) => own);
  await launchCampaign(first);
  await press(here.mailboxes.values(), 15_000);

  let inFlight = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(1_500 + 2_000 * random());
    await worker.kill();
    for (const [workspaceId] of byWorkspace) {
      // Leases of the dead end now instead of in two minutes
      inFlight += await scoped(workspaceId).Send.updateMany(
        { state: "SENDING" },
        { $set: { leaseUntil: new Date(0) } },
      );
    }
    worker.start();
  }
  await untilQuiet(here, 240_000);
  const isUsed = async () => (await Promise.all(first.map(campaignUse))).every((used) => used >= ROOM);
  await until(isUsed, { deadlineMs: 120_000, what: "the campaign to use the room of each mailbox" });

  await expectAgreement(here, inFlight);
  for (const mailbox of here.mailboxes.values())
    await expectUnseen(mailbox, mailbox.workspaceId === first[0]?.workspaceId ? LEADS : 0);
  const ids = here.sandbox.ledger.map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const mailbox of first) {
    const { email } = mailbox;
    const own = here.sandbox.ledger.filter(({ from }) => from === email);
    expect([email, own.length <= LIMIT, (await campaignUse(mailbox)) >= ROOM]).toEqual([email, true, true]);
  }
  expect((await ledgerOf(here)).length).toBeGreaterThan(40);
}, 600_000);
