import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { Session } from "../../models/sign-in/session.ts";
import { User } from "../../models/sign-in/user.ts";
import { newId } from "../../mongo/ids.ts";
import { operates } from "../../operations/sign-in/session-verbs.ts";
import manifest from "../../package.json" with { type: "json" };
import { parkMailbox } from "../../store/mailboxes/access-faults.ts";
import { nudge } from "../../store/outbox.ts";
import { createEngine } from "../../temporal/engine.ts";
import { readyCampaign, storedMailbox } from "../campaigns/campaign-parts.ts";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

const RUNS = "http://engine.test/namespaces/default/workflows";
let world: World;

beforeAll(async () => {
  world = await startWorld({ temporal: true, settings: { engineRunsUrl: RUNS } });
}, 60_000);
afterAll(() => world?.close());

const ago = (ms: number) => new Date(Date.now() - ms);
const systemOf = ({ browser }: SignedIn) => browser.console(null).get("/system");

/** An operator. In a test of many workspaces no one becomes an operator by coming first. */
async function operator(): Promise<SignedIn> {
  const person = await signedIn(world);
  await User.updateOne({ _id: person.userId }, { $set: { isOperator: true } });
  return person;
}

/**
 * One of each thing that needs an operator: an email of unknown outcome, a recipient that nothing moves, a mailbox that
 * no one reads.
 */
async function neglected({ rest, workspaceId }: SignedIn) {
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, ["late@people.test"]);
  await rest.post(`${path}/control`, { action: "launch" });
  const { Campaign, Mailbox, Recipient, Send } = scoped(workspaceId);
  await Campaign.updateOne({ _id: campaignId }, { $set: { status: "ACTIVE" } });
  const recipient = await Recipient.findOne({ campaignId });
  const recipientId = recipient?._id ?? "";
  const late = { admittedAt: ago(DAY_MS), nextSendAt: ago(20 * MINUTE_MS), status: "IN_PROGRESS" } as const;
  await Recipient.updateOne({ _id: recipientId }, { $set: late });
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { lastSyncAt: ago(DAY_MS) } });
  const lost = { campaignId, recipientId, stepId: newId("stp"), mailboxId: mailbox._id, to: "late@people.test" };
  const heldBack = { times: 1, at: new Date(), until: new Date(Date.now() + MINUTE_MS) };
  await Send.insert({ _id: newId("snd"), ...lost, stepId: newId("stp"), state: "RESERVED", heldBack });
  const { _id: sendId } = await Send.insert({
    _id: newId("snd"),
    ...lost,
    state: "UNKNOWN",
    unknownAt: ago(MINUTE_MS),
  });
  return { campaignId, recipientId, mailboxId: mailbox._id, sendId };
}

test("an operator sees servers, queues, versions and everything that needs attention, with workspace, campaign and recipient", async () => {
  const person = await operator();
  const planted = await neglected(person);
  await nudge(person.workspaceId, "CAMPAIGN", { campaignId: planted.campaignId });
  const { status, body } = await systemOf(person);
  expect(status).toBe(200);
  expect(body.versions).toEqual({ service: manifest.version, node: process.versions.node, schema: expect.any(Number) });
  expect(body.database).toEqual({ version: expect.stringMatching(/^\d+\./), members: 1, lagMs: 0 });
  expect(body.engine).toMatchObject({
    state: { namespace: world.temporal?.namespace, version: expect.stringMatching(/^\d+\./) },
    runsUrl: RUNS,
  });
  expect(body.engine.missing.map(({ code }: { code: string }) => code)).toContain("NO_WORKER");
  expect(body.engine.state.queues).toContainEqual({ name: "engine", backlog: 0, oldestMs: 0, pollers: 0 });
  expect(body.outbox.rows).toBeGreaterThan(0);
  const place = { workspaceId: person.workspaceId, workspaceName: "Acme", isMember: true };
  const campaign = { campaignId: planted.campaignId, campaignName: "Spring" };
  const { recipientId, sendId, mailboxId } = planted;
  expect(body.overdue.count).toBeGreaterThan(0);
  expect(body.overdue.items).toContainEqual({
    ...place,
    ...campaign,
    recipientId,
    email: "late@people.test",
    dueAt: expect.any(String),
  });
  expect(body.heldBack.count).toBeGreaterThan(0);
  expect(body.unknown.items).toContainEqual({
    ...place,
    ...campaign,
    sendId,
    recipientId,
    email: "late@people.test",
    unknownAt: expect.any(String),
  });
  expect(body.mailboxes.items).toContainEqual(
    expect.objectContaining({ ...place, mailboxId, email: expect.stringContaining("@") }),
  );
  expect((await person.browser.console(null).get("/session")).body).toMatchObject({
    isOperator: true,
    engineRunsUrl: RUNS,
  });
});

test("an operator sees one entry for each provider whose mailboxes wait for the operator, and a client secret that expires within 30 days", async () => {
  const person = await operator();
  const { settings } = world.services;
  const before = settings.providers;
  const secretExpires = new Date(Date.now() + 29 * DAY_MS);
  settings.providers = { ...before, B: { ...before.B, name: "Microsoft", secretExpires } };
  for (const email of ["one@a.test", "two@a.test"]) {
    const { _id } = await storedMailbox(person.workspaceId, { email, provider: "PROVIDERB", grantId: "grt_1" });
    const mailbox = await scoped(person.workspaceId).Mailbox.get(_id);
    if (mailbox !== null) await parkMailbox(mailbox, "CLIENT_REFUSED");
  }
  const { body } = await systemOf(person);
  settings.providers = before;
  const day = secretExpires.toISOString().slice(0, 10);
  expect(body.providers).toEqual([
    {
      provider: "B",
      code: "CLIENT_REFUSED",
      message: expect.stringContaining("Microsoft: the client id or its secret is refused"),
      mailboxes: 2,
      since: expect.any(String),
    },
    {
      provider: "B",
      code: "SECRET_EXPIRES",
      message: expect.stringContaining(`expires on ${day}`),
      mailboxes: 0,
      since: null,
    },
  ]);
});

test("an operator sees problems in workspaces of others, but neither email addresses nor campaign names", async () => {
  const other = await signedIn(world);
  const planted = await neglected(other);
  const { body } = await systemOf(await operator());
  const foreign = [body.overdue, body.unknown, body.mailboxes].map(({ items }) =>
    items.find(({ workspaceId }: { workspaceId: string }) => workspaceId === other.workspaceId),
  );
  for (const item of foreign) expect(item).toMatchObject({ workspaceName: "Acme", isMember: false, email: null });
  expect(foreign[1]).toMatchObject({ campaignId: planted.campaignId, campaignName: null });
  expect(JSON.stringify(foreign)).not.toContain("late@people.test");
});

test("only an operator signed in outside a portal sees the system overview; other users and API keys do not", async () => {
  const person = await signedIn(world);
  expect(await systemOf(person)).toMatchObject({ status: 403, body: { code: "ROLE_NOT_ALLOWED" } });
  expect((await person.browser.console(null).get("/session")).body).toMatchObject({
    isOperator: false,
    engineRunsUrl: null,
  });
  const { rest } = await world.workspace();
  expect((await rest.get("/system")).status).toBe(404);
  // At a portal no one is an operator
  const session = await Session.findOne({ userId: person.userId }).lean<Session>();
  if (session === null) throw new Error("There is no session");
  const both = [null, "wsp_1"].map((portalId) => operates({ isOperator: true }, { ...session, portalId }));
  expect(both).toEqual([true, false]);
});

test("the system overview reports an unreachable Temporal, together with everything that does not depend on Temporal", async () => {
  const person = await operator();
  await storedMailbox(person.workspaceId, { lastSyncAt: new Date() });
  const { engine } = world.services;
  world.services.engine = createEngine(() => null);
  try {
    const { status, body } = await systemOf(person);
    expect([status, body.engine.state]).toEqual([200, null]);
    expect(body.engine.missing.map(({ code }: { code: string }) => code)).toEqual(["ENGINE_UNREACHABLE"]);
    expect(body.mailboxes.byStatus["CONNECTED"]).toBeGreaterThan(0);
  } finally {
    world.services.engine = engine;
  }
});
