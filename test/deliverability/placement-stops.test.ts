import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { KEY_POLICY } from "../../domain/access/policy.ts";
import { scoped } from "../../models/scoped.ts";
import { hold } from "../fakes/smtp-answers.ts";
import { until } from "../fakes/wait.ts";
import { endedTest, type PlacementWorld, placesOf, SEEDS, SENDERS, startPlacementWorld } from "./placement-world.ts";

let placing: PlacementWorld;
beforeAll(async () => {
  placing = await startPlacementWorld();
}, 90_000);
afterAll(() => placing.close(), 60_000);

const PATH = "/deliverability/placement-tests";
const [ANN = "", BOB = ""] = SENDERS;
const [INBOX = "", JUNK = "", NEVER = ""] = SEEDS;
const mailsOf = (from: string) => placing.sandbox.ledger.filter((mail) => mail.from === from).length;

async function asking() {
  const workspace = await placing.workspace();
  const { ids } = workspace;
  return { ...workspace, asked: { mailboxIds: [ids[ANN]], testMailboxIds: [ids[INBOX], ids[JUNK]] } };
}

test("a credential that may not send creates no placement test; one under PLAN creates only the planned test, and only once", async () => {
  const { asked, ids, rest, withPolicy } = await asking();
  const before = mailsOf(ANN);
  const none = await withPolicy({ sends: "NONE" });
  expect((await none.post(PATH, asked)).body).toMatchObject({
    code: "SENDING_NOT_ALLOWED",
    details: { reason: "POLICY" },
  });
  const agent = await withPolicy({ sends: "PLAN" });
  expect((await agent.post(PATH, asked)).body.code).toBe("PLAN_REQUIRED");
  const { plan, planToken } = (await agent.post(PATH, { ...asked, planOnly: true })).body;
  expect(plan.effect).toMatchObject({
    kind: "PLACEMENT_TEST",
    people: 2,
    mails: 2,
    cost: 2,
    recipients: [INBOX, JUNK],
    mailboxes: [{ id: ids[ANN], email: ANN }],
    texts: [{ to: INBOX, subject: expect.any(String), stepId: null }],
  });
  expect([(await rest.get(PATH)).body.total, mailsOf(ANN)]).toEqual([0, before]);
  const first = await agent.post(PATH, { ...asked, planToken });
  const again = await agent.post(PATH, { ...asked, planToken });
  expect([first.status, again.body.id, (await rest.get(PATH)).body.total]).toEqual([201, first.body.id, 1]);
  await endedTest(rest, first.body.id);
  expect(mailsOf(ANN)).toBe(before + 2);
  expect((await agent.post(PATH, { ...asked, mailboxIds: [ids[BOB]], planToken })).body.details.issues).toMatchObject([
    { code: "OTHER_REQUEST" },
  ]);
}, 90_000);

test("a plan is stale once the text of its emails has changed, and then creates no placement test", async () => {
  const { asked, rest, withPolicy, workspaceId, ids } = await asking();
  const agent = await withPolicy({ sends: "PLAN" });
  const { planToken } = (await agent.post(PATH, { ...asked, planOnly: true })).body;
  await scoped(workspaceId).Mailbox.updateOne({ _id: ids[ANN] }, { $set: { name: "Another name" } });
  expect((await agent.post(PATH, { ...asked, planToken })).body.code).toBe("PLAN_STALE");
  expect((await rest.get(PATH)).body.total).toBe(0);
}, 60_000);

test("under APPROVAL a person must approve a placement test, and approving twice creates one test", async () => {
  const { asked, rest, withPolicy, person: signIn } = await asking();
  const agent = await withPolicy({ sends: "APPROVAL" });
  const { approval } = (await agent.post(PATH, asked)).body;
  expect(approval).toMatchObject({
    kind: "PLACEMENT_TEST",
    status: "PENDING",
    verb: "placementTests.create",
    effect: { mails: 2 },
  });
  expect((await rest.get(PATH)).body.total).toBe(0);
  expect((await agent.post(`/approvals/${approval.id}`, { action: "approve" })).body.code).toBe("SENDING_NOT_ALLOWED");
  const without = await withPolicy(KEY_POLICY, "inbox:read", "inbox:write");
  expect((await without.post(`/approvals/${approval.id}`, { action: "approve" })).body).toMatchObject({
    details: { requiredScope: "campaigns:launch" },
  });
  const person = await signIn();
  for (const _ of [1, 2])
    expect((await person.post(`/approvals/${approval.id}`, { action: "approve" })).body.status).toBe("APPROVED");
  const { items } = (await rest.get(PATH)).body;
  expect(items).toHaveLength(1);
  await endedTest(rest, items[0].id);
}, 90_000);

test("each email of a placement test counts against the credential's daily budget, and a test beyond the budget is refused", async () => {
  const { asked, rest, withPolicy } = await asking();
  const agent = await withPolicy({ dailySendBudget: 3 });
  const { body } = await agent.post(PATH, asked);
  expect(body.mails).toBe(2);
  expect((await agent.post(PATH, asked)).body).toMatchObject({
    code: "SEND_BUDGET_EXCEEDED",
    details: { left: 1, asked: 2 },
  });
  expect((await rest.get(PATH)).body.total).toBe(1);
  await endedTest(rest, body.id);
}, 90_000);

test("creating and cancelling placement tests requires campaigns:launch, and deliverability:read is enough to list them", async () => {
  const { asked, withScopes } = await asking();
  const reader = await withScopes("deliverability:read");
  expect((await reader.post(PATH, asked)).body).toMatchObject({
    code: "INSUFFICIENT_SCOPE",
    details: { requiredScope: "campaigns:launch" },
  });
  expect((await reader.post(`${PATH}/plt_1/cancel`)).status).toBe(403);
  expect((await reader.get(PATH)).body).toMatchObject({ total: 0 });
  expect((await reader.get(`${PATH}/plt_1`)).body.code).toBe("TEST_NOT_FOUND");
}, 60_000);

test("after a cancel no email of the placement test is sent, not even one already claimed, and a second cancel changes nothing", async () => {
  const { rest, ids, workspaceId } = await asking();
  const before = mailsOf(BOB);
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  placing.sandbox.smtp.setRules((rcpt) => (rcpt === INBOX ? hold("RCPT", promise) : { act: "accept" }));
  const { body } = await rest.post(PATH, {
    mailboxIds: [ids[BOB]],
    testMailboxIds: [ids[INBOX], ids[JUNK], ids[NEVER]],
  });
  const { Send } = scoped(workspaceId);
  await until(async () => (await Send.count({ phase: "CLAIMED" })) === 1, {
    deadlineMs: 30_000,
    what: "the first claim",
  });
  const cancelled = await rest.post(`${PATH}/${body.id}/cancel`);
  expect(cancelled.body).toMatchObject({ status: "CANCELLED", finishedAt: expect.any(String) });
  placing.sandbox.smtp.setRules(() => ({ act: "accept" }));
  letGo();
  const states = async () => (await Send.find({})).map(({ state }) => state);
  await until(async () => (await states()).every((state) => state === "FAILED"), {
    deadlineMs: 120_000,
    what: "every mail to be given up",
  });
  expect(mailsOf(BOB)).toBe(before);
  const { updatedAt, ...shown } = (await rest.post(`${PATH}/${body.id}/cancel`)).body;
  expect(shown).toMatchObject({ status: "CANCELLED", finishedAt: cancelled.body.finishedAt });
  expect(placesOf(shown, ids).every((place) => /: (?:CANCELLED|GONE)$/.test(place))).toBe(true);
}, 180_000);

test("a completed placement test cannot be cancelled", async () => {
  const { rest, asked } = await asking();
  const { body } = await rest.post(PATH, asked);
  await endedTest(rest, body.id);
  expect((await rest.post(`${PATH}/${body.id}/cancel`)).body).toMatchObject({
    code: "INVALID_STATE_TRANSITION",
    details: { from: "COMPLETED", action: "cancel" },
  });
}, 60_000);

test("paused sending and a suppressed address stop emails of a placement test like any other email", async () => {
  const { rest, ids, asked } = await asking();
  const before = mailsOf(ANN);
  await rest.post("/block-list", { value: INBOX });
  const first = await endedTest(rest, (await rest.post(PATH, asked)).body.id);
  expect(placesOf(first, ids)).toEqual([`${ANN} > ${INBOX}: RECIPIENT_SUPPRESSED`, `${ANN} > ${JUNK}: SPAM`]);
  await rest.post("/workspace", { action: "pauseSending" });
  const second = await endedTest(rest, (await rest.post(PATH, asked)).body.id);
  expect(second).toMatchObject({ status: "FAILED", inboxRate: null, spamRate: null });
  expect(mailsOf(ANN)).toBe(before + 1);
}, 90_000);
