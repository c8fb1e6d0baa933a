import { expect } from "@jest/globals";
import { examples } from "../../api/examples.ts";
import { GRANT_POLICY, type Way } from "../../domain/access/policy.ts";
import { EXAMPLE_IDS } from "../../operations/described-ids.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import type { Example, examplesIn, Ids } from "../doors/example-world.ts";
import { byGrant, byRest, byTool, type Door } from "./flood-doors.ts";

/** A policy that treats all four effects alike. */
export const all = (way: Way) => ({ SENDS: way, CHANGES_SENDING: way, DISCLOSES: way, DESTROYS: way });
export const REFUSALS = ["SENDING_NOT_ALLOWED", "EFFECT_NOT_ALLOWED"];

/** Each door with the policy under which a call needs a plan or a person. */
export const DOORS: [name: string, door: Door, planned: object][] = [
  ["the API with a key", byRest, all("PLAN")],
  ["the tools with a key", byTool, all("PLAN")],
  ["the tools with a connector", byGrant, GRANT_POLICY],
];

/** A running campaign beside the examples: people wait in it, and leads that get a tag join it. */
export async function evergreen(
  { workspace: { rest } }: Awaited<ReturnType<typeof examplesIn>>,
  mailboxIds: string[],
  more: object = {},
) {
  const { body: campaign } = await rest.post("/campaigns", { name: "Evergreen" });
  const path = `/campaigns/${campaign.id}`;
  const steps = [
    { subject: "Hello", body: '<p>Hello {{ firstName | default: "you" }}, shall we talk?</p>' },
    {
      subject: "Again",
      body: '<p>{{ company | default: "Your company" }} and ours</p>',
      delay: { value: 1, unit: "DAYS" },
    },
  ];
  const settings = { mailboxIds, windows: ALWAYS, autoRefreshAudience: true, ...more };
  await rest.patch(`${path}/settings`, settings);
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  const rules = [{ field: "tags", operator: "CONTAINS_ANY", value: ["gala"] }];
  const { body: list } = await rest.post("/lead-lists", {
    name: "Everybody at galas",
    type: "DYNAMIC",
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
    [EXAMPLE_IDS.campaignId]: campaign.id,
    [EXAMPLE_IDS.recipientId]: page.items[0].id,
    [EXAMPLE_IDS.leadId]: page.items[0].leadId,
    // People whom the running campaign would add by itself
    "cleo@people.example": "cora@people.example",
    saas: "gala",
    [EXAMPLE_IDS.stepId]: sequence.steps[0].stepId,
    [EXAMPLE_IDS.variantId]: sequence.steps[0].variants[0].variantId,
  };
  return {
    ids,
    path,
    campaignId: String(campaign.id),
    refresh: () => rest.post(`${path}/recipients`, { action: "refreshAudience" }),
  };
}

const MADE = [
  ...[
    "Create a number field",
    "Create a static list",
    "Create a lead with custom fields",
    "Add a note",
    "Add leads to a list",
    "Invite a colleague",
  ],
  ...["Create a deal", "Create a prospect list", "Create a second list", "Create a campaign"],
];

/** Makes what the examples name: a credential that may cause nothing could not make all of it. */
export async function makeWhatExamplesName(started: Awaited<ReturnType<typeof examplesIn>>): Promise<void> {
  for (const example of examples.filter(({ title }) => MADE.includes(title)))
    await started.learn(example.at, await started.send(example, started.workspace.rest));
}

/**
 * The examples in their order. A call on a campaign or a lead is also made on the running campaign and its people,
 * unless that ends them.
 */
const ENDS = ["complete", "archive", "unarchive", "delete", "deleteNote", "bulkRemove"];
export const CALLS: [Example, isRunning: boolean][] = examples
  .filter(({ body }) => body["planOnly"] !== true)
  .flatMap((example): [Example, boolean][] => {
    const isOfRunning =
      /\/campaigns\/:campaignId(?!\/sends)|\/leads(\/manage|\/suppress|$)/.test(example.at) &&
      !ENDS.includes(String(example.body["action"]));
    return [[example, false], ...(isOfRunning ? [[example, true] satisfies [Example, boolean]] : [])];
  });
