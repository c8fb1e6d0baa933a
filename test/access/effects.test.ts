import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { KEY_POLICY, type StoredPolicy, type Way } from "../../domain/access/policy.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { ApiKey } from "../../models/access/api-key.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { WatchedTooLong, watch } from "../../mongo/witness.ts";
import { createKey, verifyApiKey } from "../../operations/access/api-keys.ts";
import { runGated } from "../../operations/sending/gate.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { refusal } from "../sending/permit-parts.ts";
import { agentOf } from "../support/mcp.ts";
import { type Rest, type RestAnswer, restOf } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ settings: { egressAllow: "hooks.test:443" } });
});
afterAll(() => world.close());

/** A running campaign with two people, and the calls that a test can make on it. */
async function running() {
  const made = await world.workspace();
  const { rest, workspaceId } = made;
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, ["ada@people.test", "bob@people.test"]);
  expect((await rest.post(`${path}/control`, { action: "launch" })).status).toBe(200);
  const [ada] = (await rest.get(`${path}/recipients`)).body.items;
  const { body: list } = await rest.post("/lead-lists", { name: "Some", type: "STATIC" });
  const { body: note } = await rest.post("/leads/manage", {
    action: "createNote",
    leadId: ada.leadId,
    body: "Met in May",
  });
  return { ...made, path, campaignId, mailboxId: mailbox._id, ada, list, note };
}
type Running = Awaited<ReturnType<typeof running>>;

/** Calls by the effect that they have beside a running campaign. */
const CAUSING: [effect: string, name: string, call: (by: Rest, at: Running) => Promise<RestAnswer>][] = [
  [
    "SENDS",
    "adds a person",
    (by, { path }) => by.post(`${path}/recipients`, { action: "addManual", emails: ["cid@people.test"] }),
  ],
  [
    "SENDS",
    "goes on with a person",
    (by, { path, ada }) => by.post(`${path}/recipients`, { action: "resumeRecipients", recipientIds: [ada.id] }),
  ],
  [
    "SENDS",
    "takes a suppression back",
    (by, { ada }) => by.post("/leads/suppress", { action: "unsuppress", ids: [ada.leadId] }),
  ],
  ["SENDS", "resumes a mailbox", (by, { mailboxId }) => by.post("/mailboxes/manage", { action: "resume", mailboxId })],
  ["SENDS", "starts warmup", (by, { mailboxId }) => by.post("/warmup/manage", { action: "start", mailboxId })],
  [
    "CHANGES_SENDING",
    "renames a person who waits",
    (by, { ada }) => by.post("/leads/manage", { action: "update", leadId: ada.leadId, patch: { firstName: "Eve" } }),
  ],
  [
    "CHANGES_SENDING",
    "rewrites a step",
    (by, { path }) =>
      by.put(`${path}/sequence`, { action: "replaceSteps", steps: [{ subject: "Other", body: "<p>Other</p>" }] }),
  ],
  ["CHANGES_SENDING", "sets the windows", (by, { path }) => by.patch(`${path}/settings`, { dailyLimit: 9 })],
  [
    "CHANGES_SENDING",
    "sets a reply address",
    (by, { mailboxId }) =>
      by.post("/mailboxes/manage", { action: "updateSettings", mailboxId, patch: { replyTo: "other@people.test" } }),
  ],
  [
    "CHANGES_SENDING",
    "sets the postal address",
    (by) => by.post("/workspace", { action: "update", patch: { postalAddress: "1 Other Street" } }),
  ],
  [
    "DISCLOSES",
    "subscribes a webhook",
    (by) => by.post("/webhooks", { url: "https://hooks.test/in", events: ["REPLIED"] }),
  ],
  [
    "DESTROYS",
    "deletes a note",
    (by, { note }) => by.post("/leads/manage", { action: "deleteNote", noteId: note.noteId }),
  ],
  [
    "DESTROYS",
    "deletes a list",
    (by, { list }) => by.post("/lead-lists/manage", { action: "delete", listId: list.id }),
  ],
  ["DESTROYS", "deletes leads", (by, { ada }) => by.post("/leads/manage", { action: "bulkDelete", ids: [ada.leadId] })],
];
const CODES: Record<string, string> = { SENDS: "SENDING_NOT_ALLOWED" };

/** What may not change: who is in the campaign, its texts and settings, leads, destinations and lists. */
async function stateOf({ workspaceId }: Running): Promise<unknown> {
  const { Recipient, Sequence, Campaign, Lead, Mailbox, WebhookSubscription, LeadList, Note, WarmupEnrolment } =
    scoped(workspaceId);
  const all = [Recipient, Sequence, Campaign, Lead, Mailbox, WebhookSubscription, LeadList, Note, WarmupEnrolment];
  const rows = await Promise.all(all.map((model) => model.find({}, { sort: { _id: 1 } })));
  return [...rows, await Workspace.findOne({ _id: workspaceId }).lean<Workspace>()];
}

/** A policy that treats all four effects alike. */
const all = (way: Way) => ({ SENDS: way, CHANGES_SENDING: way, DISCLOSES: way, DESTROYS: way });

test("under NONE no call sends or changes an email, adds a destination or deletes data", async () => {
  const at = await running();
  const by = await at.withPolicy(all("NONE"));
  const before = await stateOf(at);
  for (const [effect, name, call] of CAUSING) {
    const details = { effect, policy: "NONE", reason: "POLICY" };
    expect([name, await call(by, at)]).toMatchObject([
      name,
      refusal(403, CODES[effect] ?? "EFFECT_NOT_ALLOWED", details),
    ]);
  }
  expect(await stateOf(at)).toEqual(before);
}, 60_000);

test("under PLAN each call needs a plan, which changes nothing and shows the effect, and its token does exactly that once", async () => {
  const at = await running();
  const plain = await at.withPolicy(all("PLAN"));
  for (const [effect, name, call] of CAUSING) {
    const before = await stateOf(at);
    expect([name, await call(plain, at)]).toMatchObject([name, refusal(403, "PLAN_REQUIRED")]);
    const planned = await call(withFields(plain, { planOnly: true }), at);
    expect([name, planned.status < 300, planned.body.plan?.effect]).toMatchObject([name, true, { kind: "CHANGE" }]);
    expect([name, planned.body.plan.effect.causes]).toEqual([name, expect.arrayContaining([effect])]);
    expect([name, await stateOf(at)]).toEqual([name, before]);
    const { planToken } = planned.body;
    const done = await call(withFields(plain, { planToken }), at);
    expect([name, done.status < 300, done.body.code]).toEqual([name, true, undefined]);
    if (planned.body.plan.effect.changes.length > 0) expect([name, await stateOf(at)]).not.toEqual([name, before]);
    expect([name, (await call(withFields(plain, { planToken }), at)).status >= 400]).toEqual([name, true]);
  }
}, 120_000);

test("a plan shows people and cost, the next emails before and after, the destination, and what would be deleted", async () => {
  const at = await running();
  const by = withFields(await at.withPolicy(all("PLAN")), { planOnly: true });
  const shown = async (effect: string, name: string) => {
    const found = CAUSING.find(([one, other]) => one === effect && other === name);
    return (await found?.[2](by, at))?.body.plan.effect;
  };
  const added = await shown("SENDS", "adds a person");
  expect(added).toMatchObject({
    people: 1,
    cost: 1,
    recipients: ["cid@people.test"],
    texts: [{ to: "cid@people.test" }],
  });
  const rewritten = await shown("CHANGES_SENDING", "rewrites a step");
  expect(rewritten.differences).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ to: "ada@people.test", after: expect.objectContaining({ subject: "Other" }) }),
    ]),
  );
  expect(await shown("DISCLOSES", "subscribes a webhook")).toMatchObject({ destinations: ["https://hooks.test/in"] });
  const deleted = await shown("DESTROYS", "deletes leads");
  expect(deleted.changes).toContainEqual(
    expect.objectContaining({ what: "leads", deleted: 1, examples: [at.ada.email] }),
  );
}, 60_000);

test("a plan shows a caller without leads:read how many people it affects, but neither who they are nor what they get", async () => {
  const at = await running();
  const change = { action: "replaceSteps", steps: [{ subject: "Other", body: "<p>Hello from another street</p>" }] };
  const lost = { action: "bulkDelete", ids: [at.ada.leadId] };
  const read = await at.withPolicy(all("PLAN"));
  const blind = await at.withPolicy(all("PLAN"), "campaigns:write", "leads:write");
  const plansOf = async (by: Rest) => {
    const planned = [
      await by.put(`${at.path}/sequence`, { ...change, planOnly: true }),
      await by.post("/leads/manage", { ...lost, planOnly: true }),
    ];
    return planned.map(({ body }) => body.plan.effect);
  };
  const [seen, hidden] = [await plansOf(read), await plansOf(blind)].map((plans) => JSON.stringify(plans));
  expect([seen?.includes(at.ada.email), seen?.includes("another street")]).toEqual([true, true]);
  expect([
    hidden?.includes("another street") || hidden?.includes("@people.test"),
    hidden?.includes('"deleted":1'),
  ]).toEqual([false, true]);
  const asked = await (await at.withPolicy(all("APPROVAL"), "campaigns:write", "leads:write")).post(
    "/leads/manage",
    lost,
  );
  expect([asked.body.approval.kind, JSON.stringify(asked.body).includes("@people.test")]).toEqual(["CHANGE", false]);
  const { body } = await (await at.person()).get(`/approvals/${asked.body.approval.id}`);
  expect(JSON.stringify(body.effect)).toContain(at.ada.email);
}, 60_000);

test("the plan of a launch, its approval and the decision show people only to callers with leads:read", async () => {
  const made = await world.workspace();
  const { path, campaignId } = await readyCampaign(made.rest, made.workspaceId, ["ada@people.test", "bob@people.test"]);
  const steps = [{ subject: "To you", body: "<p>Hello {{ firstName }}, we write from another street</p>" }];
  expect((await made.rest.put(`${path}/sequence`, { action: "replaceSteps", steps })).status).toBe(200);
  const launch = (by: Rest, more = {}) => by.post(`${path}/control`, { action: "launch", ...more });
  const blind = ["campaigns:launch", "inbox:read", "inbox:write"] as const;
  const isShown = (body: object) =>
    ["@people.test", "another street"].map((text) => JSON.stringify(body).includes(text));
  const seen = await launch(await made.withPolicy(all("PLAN")), { planOnly: true });
  expect(isShown(seen.body)).toEqual([true, true]);
  const hidden = await launch(await made.withPolicy(all("PLAN"), ...blind), { planOnly: true });
  expect(hidden.body.plan.effect).toMatchObject({ people: 2, recipients: [], texts: [] });
  expect(isShown(hidden.body)).toEqual([false, false]);
  const by = await made.withPolicy(all("APPROVAL"), ...blind);
  const { approval } = (await launch(by)).body;
  expect(approval).toMatchObject({ kind: "LAUNCH", campaignId, proposedText: null, effect: { people: 2 } });
  const answers = [approval, (await by.get("/approvals")).body, (await by.get(`/approvals/${approval.id}`)).body];
  expect(answers.map(isShown)).toEqual(Array(3).fill([false, false]));
  expect(isShown((await made.rest.get(`/approvals/${approval.id}`)).body)).toEqual([true, true]);
  expect(isShown((await by.post(`/approvals/${approval.id}`, { action: "reject" })).body)).toEqual([false, false]);
}, 60_000);

test("plans of a launch and of a sequence change count the people who lack a variable, and say whether a fallback replaces it", async () => {
  const made = await world.workspace();
  const { path } = await readyCampaign(made.rest, made.workspaceId, [
    "ada@people.test",
    "bob@people.test",
    "cid@people.test",
  ]);
  const [ada] = (await made.rest.get(`${path}/recipients`)).body.items;
  await made.rest.post("/leads/manage", { action: "update", leadId: ada.leadId, patch: { firstName: "Ada" } });
  const write = (by: Rest, body: string, more = {}) =>
    by.put(`${path}/sequence`, { action: "replaceSteps", steps: [{ subject: "Hello", body }], ...more });
  const by = await made.withPolicy(all("PLAN"));
  expect(
    (await write(made.rest, '<p>Dear {{ firstName }} of {{ company | default: "your company" }}</p>')).status,
  ).toBe(200);
  const launch = await by.post(`${path}/control`, { action: "launch", planOnly: true });
  expect(launch.body.plan.effect.lacking).toEqual([
    { name: "company", count: 3, hasFallback: true },
    { name: "firstName", count: 2, hasFallback: false },
  ]);
  expect((await made.rest.post(`${path}/control`, { action: "launch" })).body.launched).toBe(true);
  const planned = await write(by, '<p>Dear {{ firstName | default: "reader" }}, {{ jobTitle }}</p>', {
    planOnly: true,
  });
  expect(planned.body.plan.effect.lacking).toEqual([
    { name: "jobTitle", count: 3, hasFallback: false },
    { name: "firstName", count: 2, hasFallback: true },
  ]);
  const settings = { missingVariablePolicy: "FALLBACK", variableFallbacks: { firstName: "you" } };
  const filled = await by.patch(`${path}/settings`, { ...settings, planOnly: true });
  expect(filled.body.plan.effect.lacking).toContainEqual({ name: "firstName", count: 2, hasFallback: true });
}, 60_000);

test("a plan whose effect has changed does nothing and returns a new plan, and its token is valid only for its own request", async () => {
  const at = await running();
  const by = await at.withPolicy(all("PLAN"));
  const add = { action: "addManual", emails: ["one@people.test", "two@people.test"] };
  const path = `${at.path}/recipients`;
  const { body } = await by.post(path, { ...add, planOnly: true });
  expect(body.plan.effect).toMatchObject({ people: 2, cost: 2 });
  await at.rest.post("/block-list", { value: "two@people.test" });
  const stale = await by.post(path, { ...add, planToken: body.planToken });
  expect(stale).toMatchObject(refusal(409, "PLAN_STALE", { plan: { effect: { people: 1, cost: 1 } } }));
  expect((await at.rest.get(path)).body.total).toBe(2);
  const { planToken } = stale.body.details;
  expect(await by.post(path, { ...add, emails: ["three@people.test"], planToken })).toMatchObject(
    refusal(400, "VALIDATION_FAILED"),
  );
  expect((await by.post(path, { ...add, planToken })).status).toBe(200);
  expect((await at.rest.get(path)).body.total).toBe(3);
}, 60_000);

test("a stale plan is refused at once also under an idempotency key, and a current one takes effect once", async () => {
  const at = await running();
  const by = await at.withPolicy(all("PLAN"));
  const path = `${at.path}/settings`;
  const keyed = (body: object, key: string) => by.patch(path, body, { "Idempotency-Key": key });
  const { body } = await by.patch(path, { textOnly: true, planOnly: true });
  expect((await at.rest.patch(path, { dailyLimit: 7 })).status).toBe(200);
  const stale = await keyed({ textOnly: true, planToken: body.planToken }, "one");
  expect(stale).toMatchObject(refusal(409, "PLAN_STALE", { reason: "EFFECT_CHANGED" }));
  expect((await at.rest.get(path)).body).toMatchObject({ textOnly: false, dailyLimit: 7 });
  const again = { textOnly: true, planToken: stale.body.details.planToken };
  expect((await keyed(again, "two")).body.textOnly).toBe(true);
  expect((await keyed(again, "two")).status).toBe(200);
}, 60_000);

test("under APPROVAL each call asks for an approval and takes effect once, when a person approves", async () => {
  const at = await running();
  const by = await at.withPolicy(all("APPROVAL"));
  const person = await at.person();
  for (const [effect, name, call] of CAUSING) {
    const before = await stateOf(at);
    const { status, body } = await call(by, at);
    expect([name, status < 300, body.approval]).toMatchObject([
      name,
      true,
      { kind: "CHANGE", status: "PENDING", effect: { kind: "CHANGE" } },
    ]);
    expect([name, body.approval.effect.causes]).toEqual([name, expect.arrayContaining([effect])]);
    expect([name, await stateOf(at)]).toEqual([name, before]);
    const path = `/approvals/${body.approval.id}`;
    const asKey = await at.rest.post(path, { action: "approve" });
    expect([name, asKey]).toMatchObject([name, refusal(403, "SENDING_NOT_ALLOWED", { reason: "PERSON_NEEDED" })]);
    const approved = await person.post(path, { action: "approve" });
    expect([name, approved]).toMatchObject([name, { status: 200, body: { status: "APPROVED" } }]);
    if (name === "subscribes a webhook") expect(approved.body.answer.signingSecret).toMatch(/^whsec_/);
    if (body.approval.effect.changes.length > 0) expect([name, await stateOf(at)]).not.toEqual([name, before]);
    const again = await person.post(path, { action: "approve" });
    expect([name, again]).toMatchObject([name, { status: 200, body: { status: "APPROVED", answer: null } }]);
  }
}, 120_000);

test("each added recipient counts against the key's daily send budget, and a call that exceeds the budget is refused", async () => {
  const at = await running();
  const by = await at.withPolicy({ dailySendBudget: 2 });
  const add = (...emails: string[]) => by.post(`${at.path}/recipients`, { action: "addManual", emails });
  expect(await add("one@people.test", "two@people.test", "three@people.test")).toMatchObject(
    refusal(422, "SEND_BUDGET_EXCEEDED", { left: 2, asked: 3 }),
  );
  expect((await add("one@people.test")).status).toBe(200);
  expect(await add("two@people.test", "three@people.test")).toMatchObject(
    refusal(422, "SEND_BUDGET_EXCEEDED", { left: 1, asked: 2 }),
  );
  expect((await add("two@people.test")).status).toBe(200);
  expect((await at.rest.get(`${at.path}/recipients`)).body.total).toBe(4);
}, 60_000);

test("leads that join a list which feeds a campaign count against the daily send budget, and other leads do not", async () => {
  const at = await running();
  const { rest, path, list } = at;
  expect((await rest.post(`${path}/recipients`, { action: "addFromList", leadListId: list.id })).status).toBe(200);
  expect((await rest.patch(`${path}/settings`, { autoRefreshAudience: true })).status).toBe(200);
  const by = await at.withPolicy({ dailySendBudget: 3 });
  const spent = async () => (await scoped(at.workspaceId).SendBudget.find()).reduce((sum, row) => sum + row.spent, 0);
  const made = await Promise.all([1, 2, 3, 4].map((n) => by.post("/leads", { email: `new${n}@people.test` })));
  expect([made.map(({ status }) => status), await spent()]).toEqual([[201, 201, 201, 201], 0]);
  const [one, ...others] = made.map(({ body }) => String(body.id));
  const add = (leadIds: string[]) => by.post("/lead-lists/manage", { action: "addMembers", listId: list.id, leadIds });
  expect([(await add([one ?? ""])).status, await spent()]).toEqual([200, 1]);
  expect(await add(others)).toMatchObject(refusal(422, "SEND_BUDGET_EXCEEDED", { left: 2, asked: 3 }));
  expect(await spent()).toBe(1);
}, 60_000);

test("a plan token that is used twice takes effect once, also for a key under DIRECT", async () => {
  const at = await running();
  const post = (fields: object) =>
    at.rest.post("/webhooks", { url: "https://hooks.test/once", events: ["REPLIED"], ...fields });
  const { planToken } = (await post({ planOnly: true })).body;
  expect((await post({ planToken })).status).toBe(201);
  expect(await post({ planToken })).toMatchObject(refusal(409, "PLAN_STALE", { reason: "COMMITTED" }));
  expect(await scoped(at.workspaceId).WebhookSubscription.count()).toBe(1);
});

test("a policy from before the four effects keeps its meaning, and becomes stricter for a key that may not send", async () => {
  const at = await running();
  const keys = await Promise.all(
    (["NONE", "PLAN"] as const).map((sends) => storedAs(at, { sends, dailySendBudget: null, undoSeconds: 0 })),
  );
  const [none, plan] = keys.map((key) => restOf(`${world.baseUrl}/api/v1`, key));
  expect((await none?.get("/whoami"))?.body.policy).toMatchObject({
    ...all("NONE"),
    DISCLOSES: "APPROVAL",
    DESTROYS: "PLAN",
  });
  expect((await plan?.get("/whoami"))?.body.policy).toMatchObject({
    ...all("DIRECT"),
    SENDS: "PLAN",
    CHANGES_SENDING: "PLAN",
  });
});

/** A key whose policy stands in the database as an earlier version wrote it. */
async function storedAs({ workspaceId, ownerId }: Running, policy: StoredPolicy): Promise<string> {
  const { id, key } = await createKey({ workspaceId, name: "old", scopes: ALL_SCOPES, createdBy: ownerId });
  await ApiKey.updateOne({ _id: id }, { $set: { policy } });
  return key;
}

/** The same calls with further fields. */
function withFields(rest: Rest, more: object): Rest {
  return {
    ...rest,
    post: (path, body) => rest.post(path, { ...Object(body), ...more }),
    put: (path, body) => rest.put(path, { ...Object(body), ...more }),
    patch: (path, body) => rest.patch(path, { ...Object(body), ...more }),
  };
}

test("under DIRECT each call that sends, changes sending, discloses or deletes takes effect", async () => {
  const at = await running();
  for (const [, name, call] of CAUSING) {
    const before = JSON.stringify(await stateOf(at));
    const { status, body } = await call(at.rest, at);
    expect([name, status < 300, body.code]).toEqual([name, true, undefined]);
    if (!["goes on with a person", "takes a suppression back", "resumes a mailbox"].includes(name))
      expect([name, JSON.stringify(await stateOf(at)) !== before]).toEqual([name, true]);
  }
}, 60_000);

test("under NONE a key may read, stop sending and change a campaign that does not run", async () => {
  const at = await running();
  const by = await at.withPolicy({ sends: "NONE" });
  const { body: draft } = await by.post("/campaigns", { name: "Draft" });
  const steps = [{ subject: "Hello", body: "<p>Hello</p>" }];
  const free: [string, RestAnswer][] = [
    ["settings", await by.patch(`/campaigns/${draft.id}/settings`, { dailyLimit: 9 })],
    ["sequence", await by.put(`/campaigns/${draft.id}/sequence`, { action: "replaceSteps", steps })],
    [
      "people",
      await by.post(`/campaigns/${draft.id}/recipients`, { action: "addManual", emails: ["dan@people.test"] }),
    ],
    ["lead", await by.post("/leads", { email: "eve@people.test" })],
    ["suppression", await by.post("/leads/suppress", { action: "suppress", ids: [at.ada.leadId] })],
    ["block", await by.post("/block-list", { value: "fay@people.test" })],
    ["mailbox", await by.post("/mailboxes/manage", { action: "pause", mailboxId: at.mailboxId })],
    ["campaign", await by.post(`${at.path}/control`, { action: "pause" })],
    ["kill switch", await by.post("/workspace", { action: "pauseSending" })],
    ["reading", await by.get(`${at.path}/recipients`)],
  ];
  expect(free.filter(([, { status }]) => status >= 300).map(([name, { body }]) => [name, body])).toEqual([]);
  // Someone else launches the draft: from then on it is like any other campaign
  expect(await by.post(`${at.path}/control`, { action: "resume" })).toMatchObject(refusal(403, "SENDING_NOT_ALLOWED"));
});

test("tools refuse the calls of a key under NONE as endpoints do", async () => {
  const at = await running();
  const policy = { ...KEY_POLICY, ...all("NONE") };
  const { key } = await createKey({
    workspaceId: at.workspaceId,
    name: "bound",
    scopes: ALL_SCOPES,
    createdBy: at.ownerId,
    policy,
  });
  const agent = await agentOf(world, key);
  const { campaignId } = at;
  const add = await agent.call("recipients_manage", { campaignId, action: "addManual", emails: ["gus@people.test"] });
  expect([add.isError, add.body.code]).toEqual([true, "SENDING_NOT_ALLOWED"]);
  const hook = await agent.call("webhooks_manage", { action: "create", url: "https://hooks.test/in" });
  expect([hook.isError, hook.body.code]).toEqual([true, "EFFECT_NOT_ALLOWED"]);
  await agent.close();
});

test("a watched operation that exceeds its time limit fails at its next write", async () => {
  const { workspaceId } = await world.workspace();
  const { LeadList } = scoped(workspaceId);
  const late = watch(() => LeadList.insert({ _id: newId("lst"), name: "Late" }), performance.now() - 1);
  await expect(late).rejects.toThrow(WatchedTooLong);
  expect(await LeadList.count()).toBe(0);
});

test("a verb that only at its end turns out to send is undone, in its own transaction and in an open one", async () => {
  const { key, workspaceId } = await world.workspace();
  const principal = { ...(await verifyApiKey(key, new Date())), policy: { ...KEY_POLICY, ...all("NONE") } };
  const ctx = { ...principal, services: world.services, ip: null, traceId: "late" };
  const { LeadList } = scoped(workspaceId);
  const late = async () => {
    let isLaunched = false;
    const perform = () =>
      inTransaction(async () => {
        isLaunched = true;
        return LeadList.insert({ _id: newId("lst"), name: "Late" });
      });
    const call = { verb: "things.change", raw: {}, input: {}, needsKey: false };
    return runGated(ctx, call, { effects: { SENDS: () => isLaunched }, input: {}, perform });
  };
  for (const run of [late, () => inTransaction(late)]) {
    await expect(run()).rejects.toMatchObject({ code: "SENDING_NOT_ALLOWED" });
    expect(await LeadList.count()).toBe(0);
  }
});
