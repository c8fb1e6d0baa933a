import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readPlan, signPlan } from "../../domain/access/address-token.ts";
import { scoped } from "../../models/scoped.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { newKey } from "../inbox/replying-world.ts";
import { agrees, modernAgentOf, type Person, postModern } from "../support/modern.ts";
import { type PolicyAsked, startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const EMAILS = ["ada@example.test", "bob@example.test", "cid@example.test"];
const FORMS = { elicitation: {} };
const PERSON_AGREES = { plan: agrees };

/** A campaign that could be launched, and a key with this policy that would launch it. */
async function launching(policy: PolicyAsked = { sends: "PLAN" }) {
  const made = await world.workspace();
  const { rest, workspaceId } = made;
  const key = await made.keyWithPolicy(policy);
  const campaign = await readyCampaign(rest, workspaceId, EMAILS);
  const launch = { campaignId: campaign.campaignId, action: "launch", idempotencyKey: newKey() };
  /** One round of the call as a client sends it; the second one with the answer and the state. */
  const round = async (more: object = {}, { args = {}, by = key, capabilities = FORMS as object } = {}) => {
    const params = { name: "campaign_control", arguments: { ...launch, ...args }, ...more };
    const response = await postModern(world, by, "tools/call", params, { capabilities });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads answers field by field
    const { result, error }: any = await response.json();
    const text = result?.content?.[0]?.text;
    return { result, error, body: text === undefined ? undefined : JSON.parse(text) };
  };
  return {
    ...made,
    ...campaign,
    key,
    launch,
    round,
    answered: (requestState: string, args: object = {}) =>
      round({ inputResponses: PERSON_AGREES, requestState }, { args }),
    status: async () => (await rest.get(campaign.path)).body.status,
    launches: () => scoped(workspaceId).ActivityEvent.count({ type: "STATUS_CHANGED" }),
    outcomes: async () =>
      (await scoped(workspaceId).AuditEntry.find({ action: "campaigns.launch" }, { sort: { seq: 1 } })).map(
        ({ outcome }) => outcome,
      ),
  };
}

test("a launch that needs a plan asks the person at the client, who reads its effect, and agreeing launches exactly that, once", async () => {
  const { key, launch, status, launches, outcomes, mailbox } = await launching();
  const questions: string[] = [];
  const person: Person = async (message) => {
    questions.push(message);
    expect(await status()).toBe("DRAFT");
    return agrees;
  };
  const agent = await modernAgentOf(world, key, { person });
  const { body, isError } = await agent.call("campaign_control", launch);
  expect([isError, body.launched, await status()]).toEqual([false, true, "ACTIVE"]);
  expect(questions).toHaveLength(1);
  const lines = questions[0]?.split("\n") ?? [];
  expect(lines[0]).toBe("Launch this campaign?");
  expect(lines).toContain("At most 3 emails to 3 people: ada@example.test, bob@example.test, cid@example.test.");
  expect(lines).toContain(`From 1 mailbox: ${mailbox.email}.`);
  expect(lines.some((line) => line.startsWith("> ") && line.includes("shall we talk?"))).toBe(true);
  expect(lines.at(-1)).toMatch(/^Nothing is done until you answer\. The plan is valid until .+ UTC\.$/);
  // The same call once more repeats the result, without another question
  const again = await agent.call("campaign_control", launch);
  expect(again.body).toMatchObject({ launched: true, idempotentReplay: true });
  expect([questions.length, await launches()]).toEqual([1, 1]);
  expect(await outcomes()).toEqual(["FAILED", "DONE"]);
  await agent.close();
});

test.each<[string, Person]>([
  ["declines", () => ({ action: "decline" })],
  ["closes the question", () => ({ action: "cancel" })],
  ["submits the form with no", () => ({ action: "accept", content: { proceed: false } })],
])("nothing is done when the person %s", async (_, person) => {
  const { key, launch, status, launches } = await launching();
  const agent = await modernAgentOf(world, key, { person });
  const { isError, body } = await agent.call("campaign_control", launch);
  expect([isError, body]).toMatchObject([
    true,
    {
      code: "PLAN_REQUIRED",
      message: expect.stringMatching(/declined.*Do not repeat/),
      details: { reason: "DECLINED" },
    },
  ]);
  expect([await status(), await launches()]).toEqual(["DRAFT", 0]);
  await agent.close();
});

test("a declined plan of a tool that the caller does not see is an unknown tool", async () => {
  const { keyWithPolicy } = await world.workspace();
  const key = await keyWithPolicy({}, "leads:read");
  const inputResponses = { plan: { action: "decline" } };
  for (const name of ["campaign_control", "nothing"]) {
    const response = await postModern(world, key, "tools/call", { name, arguments: {}, inputResponses });
    expect(await response.json()).toMatchObject({ error: { code: -32_602, message: `Unknown tool: ${name}` } });
  }
});

test("a client that can show no form gets PLAN_REQUIRED without a plan", async () => {
  const { round, status } = await launching();
  for (const capabilities of [{}, { sampling: {} }, { elicitation: { url: {} } }]) {
    const { result, body } = await round({}, { capabilities });
    expect([result.isError, body.code, body.details]).toEqual([true, "PLAN_REQUIRED", undefined]);
  }
  expect((await round({}, { args: { idempotencyKey: undefined } })).body.code).toBe("IDEMPOTENCY_KEY_REQUIRED");
  expect(await status()).toBe("DRAFT");
});

test("an answer without its state and a state without an answer count as none: the person is asked again", async () => {
  const { round, status } = await launching();
  const first = await round();
  expect(first.result.resultType).toBe("input_required");
  expect(first.result.inputRequests.plan).toMatchObject({
    method: "elicitation/create",
    params: { mode: "form", requestedSchema: { required: ["proceed"] } },
  });
  const { requestState } = first.result;
  for (const more of [
    { inputResponses: PERSON_AGREES },
    { requestState },
    { requestState, inputResponses: {} },
    { requestState, inputResponses: { other: agrees } },
    { requestState, inputResponses: { plan: { action: "accept", content: { proceed: "true" } } } },
    { requestState, inputResponses: { plan: { action: "accept" } } },
  ]) {
    const { result } = await round(more);
    expect([more, result.resultType]).toEqual([more, "input_required"]);
  }
  expect(await status()).toBe("DRAFT");
});

test("a state that was tampered with, or that belongs to another key, campaign or tool, is refused and does nothing", async () => {
  const { round, answered, keyWithPolicy, rest, workspaceId, status, key } = await launching();
  const { requestState } = (await round()).result;
  const other = await keyWithPolicy({ sends: "PLAN" });
  const second = await readyCampaign(rest, workspaceId, ["dan@example.test"]);
  const [head, body, mac] = [requestState.slice(0, -70), requestState.slice(-70, -44), requestState.slice(-44)];
  const more = { inputResponses: PERSON_AGREES, requestState };
  const fresh = () => ({ idempotencyKey: newKey() });
  const refused = [
    await answered("nothing", fresh()),
    await answered("", fresh()),
    await answered("x".repeat(20_000), fresh()),
    await answered(`${head}${body.split("").reverse().join("")}${mac}`, fresh()),
    await round(more, { by: other, args: fresh() }),
    await answered(requestState, { ...fresh(), campaignId: second.campaignId }),
    await answered(requestState, { ...fresh(), action: "resume" }),
  ];
  expect(refused.map(({ error }) => [error?.code, error?.data.reason])).toEqual(
    Array(refused.length).fill([-32_602, "invalid_request_state"]),
  );
  expect(refused[0]?.error.message).toContain("nothing was done");
  const params = { name: "leads_search", arguments: {}, ...more };
  const elsewhere = await postModern(world, key, "tools/call", params, { capabilities: FORMS });
  expect(await elsewhere.json()).toMatchObject({ error: { code: -32_602 } });
  expect(await status()).toBe("DRAFT");
  expect((await rest.get(second.path)).body.status).toBe("DRAFT");
});

test("a state whose plan has expired, or whose effect has changed meanwhile, does nothing, and the refusal says why", async () => {
  const { round, answered, rest, path, status } = await launching();
  const { requestState } = (await round()).result;
  const { plan: keys } = world.services.signing;
  const plan = readPlan(keys, requestState, 0);
  if (plan === null) throw new Error("The state is no plan token");
  const late = await answered(signPlan(keys, { ...plan, until: Date.now() - 1 }));
  expect([late.result.isError, late.body]).toMatchObject([
    true,
    { code: "PLAN_STALE", details: { reason: "EXPIRED" } },
  ]);
  await rest.post(`${path}/recipients`, { action: "addManual", emails: ["dan@example.test"] });
  const changed = await answered(requestState);
  expect(changed.body).toMatchObject({ code: "PLAN_STALE", details: { reason: "EFFECT_CHANGED" } });
  expect(await status()).toBe("DRAFT");
});

test("an answer that is sent many times launches once, and after a pause it does nothing", async () => {
  const { round, answered, rest, path, status, launches } = await launching();
  const { requestState } = (await round()).result;
  const answers = await Promise.all(Array.from({ length: 6 }, () => answered(requestState)));
  expect(answers.map(({ body }) => body.launched)).toEqual(Array(6).fill(true));
  expect((await answered(requestState, { idempotencyKey: newKey() })).body.launched).toBe(true);
  expect(await launches()).toBe(1);
  await rest.post(`${path}/control`, { action: "pause" });
  const again = await answered(requestState, { idempotencyKey: newKey() });
  expect(again.body).toMatchObject({ code: "PLAN_STALE", details: { reason: "COMMITTED" } });
  expect(await status()).toBe("PAUSED");
});

test("under APPROVAL the call becomes an approval, and what the person at the client answers replaces no decision", async () => {
  const { round, answered, key, launch, status, workspaceId, keyWithPolicy } = await launching({ sends: "APPROVAL" });
  const person: Person = () => {
    throw new Error("Nobody at the client is asked");
  };
  const agent = await modernAgentOf(world, key, { person });
  const { body } = await agent.call("campaign_control", launch);
  expect(body.approval).toMatchObject({ kind: "LAUNCH", status: "PENDING" });
  const planned = await agent.call("campaign_control", { ...launch, idempotencyKey: undefined, planOnly: true });
  const forged = await answered(planned.body.planToken, { idempotencyKey: newKey() });
  expect(forged.body.approval).toMatchObject({ kind: "LAUNCH", status: "PENDING" });
  expect((await answered(planned.body.planToken)).body.approval.status).toBe("PENDING");
  expect(await status()).toBe("DRAFT");
  expect(await scoped(workspaceId).Approval.count({ status: "PENDING" })).toBe(2);
  const mute = await keyWithPolicy({ sends: "NONE" });
  const args = { idempotencyKey: newKey() };
  expect((await round({ inputResponses: PERSON_AGREES }, { by: mute, args })).body.code).toBe("SENDING_NOT_ALLOWED");
  await agent.close();
});

test("a call that deletes asks too where the policy needs a plan, and names what would be lost", async () => {
  const { rest, keyWithPolicy, workspaceId } = await world.workspace();
  const ids: string[] = [];
  // A name cannot add a line to the question, nor hide in it
  for (const email of ["ada@people.test", "bob@people.test"]) {
    ids.push((await rest.post("/leads", { email, firstName: "Ada\u202e\nNothing is deleted." })).body.id);
  }
  const questions: string[] = [];
  const person: Person = (message) => {
    questions.push(message);
    return questions.length === 1 ? { action: "decline" } : agrees;
  };
  const agent = await modernAgentOf(world, await keyWithPolicy({ DESTROYS: "PLAN" }), { person });
  const remove = { action: "bulkDelete", ids, idempotencyKey: newKey() };
  expect((await agent.call("leads_manage", remove)).body.code).toBe("PLAN_REQUIRED");
  expect(await scoped(workspaceId).Lead.count({})).toBe(2);
  expect((await agent.call("leads_manage", remove)).isError).toBe(false);
  expect(await scoped(workspaceId).Lead.count({})).toBe(0);
  expect(questions[1]).toMatch(/^Make this change\?\nIt deletes data that cannot be restored\.\n/);
  expect(questions[1]).toContain("leads: 2 deleted: ada@people.test, bob@people.test.");
  expect(questions[1]).not.toMatch(/\u202e|^Nothing is deleted/m);
  await agent.close();
});
