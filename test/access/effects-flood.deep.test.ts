import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { EXAMPLE_IDS } from "../../api/example.ts";
import { examples } from "../../api/examples.ts";
import { EFFECTS, GRANT_POLICY, type Way } from "../../domain/access/policy.ts";
import { verifyApiKey } from "../../operations/access/api-keys.ts";
import { ALWAYS, storedMailbox } from "../campaigns/campaign-parts.ts";
import { type Example, examplesIn, type Ids, isAway } from "../doors/example-world.ts";
import { startWorld, type World } from "../support/world.ts";
import { byGrant, byRest, byTool, type Door } from "./flood-doors.ts";
import { causedIn, changedIn, futureOf, mayDiffer, stateOf } from "./flood-state.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const all = (way: Way) => ({ SENDS: way, CHANGES_SENDING: way, DISCLOSES: way, DESTROYS: way });
const REFUSALS = ["SENDING_NOT_ALLOWED", "EFFECT_NOT_ALLOWED"];

/** A running campaign beside the examples: people wait in it, and whoever gets a tag joins it. */
async function evergreen({ workspace: { rest, workspaceId }, mailboxId }: Awaited<ReturnType<typeof examplesIn>>) {
  const other = await storedMailbox(workspaceId);
  const { body: campaign } = await rest.post("/campaigns", { name: "Evergreen" });
  const path = `/campaigns/${campaign.id}`;
  const steps = [
    { subject: "Hello", body: '<p>Hello {{ firstName | default: "you" }}, shall we talk?</p>' },
    { subject: "Again", body: '<p>{{ company | default: "Your company" }} and ours</p>', delay: { value: 1, unit: "DAYS" } },
  ];
  const settings = { mailboxIds: [mailboxId, other._id], windows: ALWAYS, autoRefreshAudience: true };
  await rest.patch(`${path}/settings`, settings);
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  const rules = [{ field: "tags", operator: "CONTAINS_ANY", value: ["gala"] }];
  const { body: list } = await rest.post("/lead-lists", {
    ...{ name: "Everybody at galas", type: "DYNAMIC" },
    filterRules: { version: 1, combinator: "AND", rules },
  });
  await rest.post("/leads", { email: "eve@fair.example", firstName: "Eve", tags: ["gala"] });
  await rest.post(`${path}/recipients`, { action: "addFromList", leadListId: list.id });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: ["fay@fair.example", "gus@fair.example"] });
  const { body: launched } = await rest.post(`${path}/control`, { action: "launch" });
  expect(launched.launched).toBe(true);
  const { body: page } = await rest.get(`${path}/recipients`);
  expect(page.total).toBe(3);
  const { body: sequence } = await rest.get(`${path}/sequence`);
  const ids: Ids = {
    ...{ [EXAMPLE_IDS.campaign]: campaign.id, [EXAMPLE_IDS.recipient]: page.items[0].id, [EXAMPLE_IDS.lead]: page.items[0].leadId },
    ...{ [EXAMPLE_IDS.step]: sequence.steps[0].stepId, [EXAMPLE_IDS.variant]: sequence.steps[0].variants[0].variantId },
  };
  return { ids, refresh: () => rest.post(`${path}/recipients`, { action: "refreshAudience" }) };
}

/** The examples in their order. What is done to a campaign or a lead is done to the running one and its people too, unless that ends them. */
const ENDS = ["complete", "archive", "unarchive", "delete", "deleteNote", "bulkRemove"];
const CALLS: [Example, isRunning: boolean][] = examples
  .filter(({ body }) => body["planOnly"] !== true)
  .flatMap((example): [Example, boolean][] => {
    const isOfRunning = /\/campaigns\/:campaignId(?!\/sends)|\/leads\/(manage|suppress)/.test(example.at) && !ENDS.includes(String(example.body["action"]));
    return [[example, false], ...(isOfRunning ? [[example, true] satisfies [Example, boolean]] : [])];
  });

const DOORS: [name: string, door: Door, planned: object][] = [
  ["the API with a key", byRest, all("PLAN")],
  ["the tools with a key", byTool, all("PLAN")],
  ["the tools with a connector", byGrant, GRANT_POLICY],
];

test.each(DOORS)(
  "through %s, every example beside a running campaign is refused or without effect for a credential that may cause nothing, needs a token or a person under PLAN or APPROVAL, and has its effect for one that goes directly",
  async (_name, door, planned) => {
    const started = await examplesIn(world);
    const { workspaceId, key } = started.workspace;
    const running = await evergreen(started);
    const ctx = { ...(await verifyApiKey(key, new Date())), services: world.services, ip: null, traceId: "flood" };
    const [none, plan, direct] = [door(started, all("NONE")), door(started, planned), door(started, all("DIRECT"))];
    const otherwise = byRest(started, all("DIRECT"));
    const caused = new Map<string, number>();
    let refused = 0;
    let state = await stateOf(workspaceId);
    let future = await futureOf(ctx);
    for (const [example, isRunning] of CALLS) {
      const title = `${example.title}${isRunning ? " (running)" : ""}`;
      const ids = isRunning ? running.ids : {};
      const before = state;
      let answer = await none(example, ids);
      const isRefused = REFUSALS.includes(answer?.body?.code);
      if (answer === null) {
        answer = await otherwise(example, ids);
        state = await stateOf(workspaceId);
      } else if (isRefused) {
        refused++;
        expect([title, await stateOf(workspaceId)]).toEqual([title, before]);
        const { effect } = answer.body.details;
        const asked = await plan(example, ids);
        const isAsked = asked?.body.code === "PLAN_REQUIRED" || asked?.body.approval?.status === "PENDING";
        // What a person would approve is tried first, and without its provider cannot be
        if (!isAway(example)) expect([title, isAsked, asked?.body]).toEqual([title, true, asked?.body]);
        expect([title, (asked?.status ?? 0) < 300]).toEqual([title, asked?.body.approval !== undefined]);
        expect([title, await stateOf(workspaceId)]).toEqual([title, before]);
        // The same input has its effect where the policy lets it: the refusals above were no 404 and no 422
        answer = (await direct(example, ids)) ?? answer;
        if (!isAway(example)) expect([title, answer.status < 300, answer.body]).toEqual([title, true, answer.body]);
        state = await stateOf(workspaceId);
        if (JSON.stringify(state) !== JSON.stringify(before)) caused.set(effect, (caused.get(effect) ?? 0) + 1);
      } else {
        state = await stateOf(workspaceId);
        expect([title, causedIn(before, state)]).toEqual([title, []]);
        if (mayDiffer(before, state)) expect([title, changedIn(future, await futureOf(ctx))]).toEqual([title, []]);
      }
      if (!isRunning) await started.learn(example.at, answer);
      if (/lead|approvals|campaigns$/.test(example.at)) {
        await running.refresh();
        state = await stateOf(workspaceId);
      }
      if (mayDiffer(before, state)) future = await futureOf(ctx);
    }
    expect(refused).toBeGreaterThan(40);
    expect([...caused.keys()].sort()).toEqual([...EFFECTS].sort());
  },
  120_000,
);
