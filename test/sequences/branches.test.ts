import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const mail = { stepId: "mail", subject: "One", body: "<p>1</p>" };

async function draft() {
  const { rest, workspaceId } = await world.workspace();
  const { body } = await rest.post("/campaigns", { name: "Spring" });
  const path = `/campaigns/${body.id}/sequence`;
  const replace = (steps: unknown[], more = {}) => rest.put(path, { action: "replaceSteps", steps, ...more });
  const setMode = (mode: string) => rest.put(path, { action: "setMode", mode });
  return { rest, workspaceId, path, replace, setMode, campaignId: body.id as string };
}

async function visual() {
  const campaign = await draft();
  expect(await campaign.setMode("VISUAL")).toMatchObject({ status: 200, body: { mode: "VISUAL" } });
  return campaign;
}

const CONFIGS = {
  WAIT: {},
  TASK: { title: "Call {{firstName}}", note: "soon", assignee: "grace" },
  WEBHOOK: { url: "https://hooks.example.com/a" },
  ADD_TAG: { tags: ["warm"] },
  APPROVAL: { note: "ok?" },
};

test("each step type keeps its config, and writing a sequence back as read changes nothing", async () => {
  const { replace, rest, path } = await visual();
  const target = (await rest.post("/campaigns", { name: "Next" })).body.id;
  const { status, body } = await replace([
    mail,
    ...Object.entries(CONFIGS).map(([type, config]) => ({ type, config, colour: "red" })),
    { type: "CONDITION", conditions: [{ if: "ALWAYS", nextStepId: "move" }] },
    { stepId: "move", type: "MOVE_TO_CAMPAIGN", config: { campaignId: target } },
  ]);
  expect({ status, mode: body.mode }).toEqual({ status: 200, mode: "VISUAL" });
  expect(body.steps[2]).toMatchObject({
    order: 3,
    type: "TASK",
    config: CONFIGS.TASK,
    variants: [],
    conditions: [],
    colour: "red",
  });
  expect(body.steps[6].conditions[0].nextStepId).toBe(body.steps[7].stepId);
  expect((await rest.get(path)).body.steps).toEqual(body.steps);
  expect((await replace(body.steps)).body.steps).toEqual(body.steps);
});

test("references to temporary step names become step ids, and a NOT_ condition without withinDays waits three days", async () => {
  const { replace } = await visual();
  const conditions = [
    { if: "CLICKED", ofStepId: "mail", withinDays: 2, nextStepId: "b" },
    { if: "NOT_OPENED", nextStepId: null, note: "kept" },
  ];
  const { body } = await replace([mail, { stepId: "a", body: "a", conditions }, { stepId: "b", body: "b" }]);
  const [first, second, third] = body.steps;
  expect(second.conditions).toEqual([
    { if: "CLICKED", ofStepId: first.stepId, withinDays: 2, nextStepId: third.stepId },
    { if: "NOT_OPENED", withinDays: 3, nextStepId: null, note: "kept" },
  ]);
});

const branch = (condition: object) => [
  { ...mail, conditions: [condition] },
  { stepId: "b", body: "b" },
];

test.each([
  ["a TASK without a title", [mail, { type: "TASK", config: {} }], "steps.1.config.title"],
  ["a title that is no text", [mail, { type: "TASK", config: { title: 7 } }], "steps.1.config.title"],
  ["no tags", [mail, { type: "ADD_TAG", config: { tags: [] } }], "steps.1.config.tags"],
  ["a tag that is too long", [mail, { type: "ADD_TAG", config: { tags: ["x".repeat(51)] } }], "steps.1.config.tags.0"],
  ["a WEBHOOK without a URL", [mail, { type: "WEBHOOK", config: {} }], "steps.1.config.url"],
  [
    "a WEBHOOK without TLS",
    [mail, { type: "WEBHOOK", config: { url: "http://hooks.example.com/" } }],
    "steps.1.config.url",
  ],
  ["a text where there is no mail", [mail, { type: "TASK", config: { title: "x" }, subject: "x" }], "steps.1"],
  ["a mail without variants", [{ stepId: "a", variants: [] }], "steps.0.variants"],
  ["a CONDITION without conditions", [mail, { type: "CONDITION" }], "steps.1.conditions"],
  ["a key that reaches a prototype", [mail, { type: "WAIT", config: { $where: 1 } }], "steps.1.config.$where"],
  ["a condition that there is not", branch({ if: "SNEEZED", nextStepId: null }), "steps.0.conditions.0.if"],
  ["a condition that leads nowhere", branch({ if: "ALWAYS" }), "steps.0.conditions.0.nextStepId"],
  ["a step that there is not", branch({ if: "ALWAYS", nextStepId: "c" }), "steps.0.conditions.0.nextStepId"],
  [
    "a mail that there is not",
    branch({ if: "OPENED", ofStepId: "c", nextStepId: "b" }),
    "steps.0.conditions.0.ofStepId",
  ],
  ["more than all", branch({ if: "RANDOM", percent: 101, nextStepId: "b" }), "steps.0.conditions.0.percent"],
  [
    "a circle",
    [mail, { stepId: "b", body: "b", conditions: [{ if: "OPENED", nextStepId: "mail" }] }],
    "steps.1.conditions.0.nextStepId",
  ],
  ["a step that leads to itself", branch({ if: "OPENED", nextStepId: "mail" }), "steps.0.conditions.0.nextStepId"],
])("replaceSteps refuses a faulty sequence and names the path of the fault: %s", async (_what, steps, place) => {
  const { replace } = await visual();
  expect(await replace(steps)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path: place }] } },
  });
});

test("RANDOM conditions of one step that add up to more than 100 percent are refused", async () => {
  const { replace } = await visual();
  const conditions = [
    { if: "RANDOM", percent: 60, nextStepId: "b" },
    { if: "RANDOM", percent: 41, nextStepId: null },
  ];
  expect(
    await replace([
      { ...mail, conditions },
      { stepId: "b", body: "b" },
    ]),
  ).toMatchObject({
    status: 400,
    body: { details: { issues: [{ path: "steps.0.conditions.1.percent" }] } },
  });
});

test("a FIELD_MATCHES condition with a filter rule on events is refused", async () => {
  const { replace } = await visual();
  const filterRules = { combinator: "AND", rules: [{ event: "OPEN", operator: "PERFORMED" }] };
  expect(await replace(branch({ if: "FIELD_MATCHES", filterRules, nextStepId: "b" }))).toMatchObject({
    status: 400,
    body: { code: "FILTER_INVALID", details: { issues: [{ path: "steps.0.conditions.0.filterRules.rules.0.event" }] } },
  });
});

test("a WEBHOOK step whose URL points to a local or internal host is refused", async () => {
  const { replace } = await visual();
  for (const url of ["https://127.0.0.1/", "https://localhost/", "https://hooks.internal/"]) {
    expect(await replace([mail, { type: "WEBHOOK", config: { url } }])).toMatchObject({
      status: 422,
      body: { code: "HOST_NOT_ALLOWED", details: { path: "steps.1.config.url" } },
    });
  }
});

test("a MOVE_TO_CAMPAIGN step must name another campaign of the same workspace", async () => {
  const { replace, campaignId } = await visual();
  const other = await world.workspace();
  const theirs = (await other.rest.post("/campaigns", { name: "Theirs" })).body.id;
  for (const target of [theirs, "cmp_00000000000000000000000000"]) {
    expect(await replace([mail, { type: "MOVE_TO_CAMPAIGN", config: { campaignId: target } }])).toMatchObject({
      status: 404,
      body: { code: "CAMPAIGN_NOT_FOUND" },
    });
  }
  expect(await replace([mail, { type: "MOVE_TO_CAMPAIGN", config: { campaignId } }])).toMatchObject({
    status: 400,
    body: { details: { issues: [{ path: "steps.1.config.campaignId" }] } },
  });
});

test("the mode can be set back to DEFAULT only once the sequence has emails alone and no branches", async () => {
  const { replace, setMode, rest, path } = await visual();
  await replace([mail, { type: "WAIT" }]);
  expect(await setMode("DEFAULT")).toMatchObject({
    status: 422,
    body: { code: "SEQUENCE_NOT_LINEAR", details: { path: "steps.1" } },
  });
  await replace(branch({ if: "OPENED", nextStepId: "b" }));
  expect(await setMode("DEFAULT")).toMatchObject({
    status: 422,
    body: { code: "SEQUENCE_NOT_LINEAR", details: { path: "steps.0" } },
  });
  expect((await rest.get(path)).body.mode).toBe("VISUAL");
  await replace([mail]);
  expect(await setMode("DEFAULT")).toMatchObject({ status: 200, body: { mode: "DEFAULT" } });
});

test("a reorder that would make a condition lead back to an earlier step is refused", async () => {
  const { replace, rest, path } = await visual();
  const { body } = await replace(branch({ if: "OPENED", nextStepId: "b" }));
  const orderedStepIds = body.steps.map(({ stepId }: { stepId: string }) => stepId).reverse();
  expect(await rest.put(path, { action: "reorder", orderedStepIds })).toMatchObject({
    status: 400,
    body: { details: { issues: [{ path: "steps.1.conditions.0.nextStepId" }] } },
  });
});

test("the step that a reorder puts first starts a new thread", async () => {
  const { replace, rest, path } = await draft();
  const { body } = await replace([mail, { subject: "Two", body: "2", threadMode: "SAME_THREAD" }]);
  const orderedStepIds = body.steps.map(({ stepId }: { stepId: string }) => stepId).reverse();
  expect((await rest.put(path, { action: "reorder", orderedStepIds })).body.steps).toMatchObject([
    { order: 1, threadMode: "NEW_THREAD", variants: [{ subject: "Two" }] },
    { order: 2 },
  ]);
});

test("the sequence of an archived campaign cannot be edited", async () => {
  const { rest, path, replace, setMode, campaignId } = await draft();
  const { body } = await rest.get(path);
  await rest.post(`/campaigns/${campaignId}/archive`);
  const orderedStepIds = body.steps.map(({ stepId }: { stepId: string }) => stepId);
  for (const answer of [
    await replace([mail]),
    await setMode("VISUAL"),
    await rest.put(path, { action: "reorder", orderedStepIds }),
  ]) {
    expect(answer).toMatchObject({
      status: 409,
      body: { code: "INVALID_STATE_TRANSITION", details: { from: "ARCHIVED" } },
    });
  }
});

test("when three concurrent edits name the same expectedVersion, one succeeds and the others get VERSION_CONFLICT", async () => {
  const { replace, rest, path } = await draft();
  const { version } = (await rest.get(path)).body;
  const answers = await Promise.all(
    ["a", "b", "c"].map((body) => replace([{ ...mail, body }], { expectedVersion: version })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: "VERSION_CONFLICT",
    details: { currentVersion: version + 1 },
  });
});

test("in a branched sequence each email can be previewed, other steps cannot, and each email that may be sent first needs a subject", async () => {
  const { replace, rest, path, campaignId } = await visual();
  const { body } = await replace([
    { type: "CONDITION", conditions: [{ if: "RANDOM", percent: 50, nextStepId: "b" }] },
    mail,
    { stepId: "b", body: "<p>b</p>", subject: "", threadMode: "SAME_THREAD" },
  ]);
  const [condition, first, second] = body.steps.map(({ stepId }: { stepId: string }) => stepId);
  expect((await rest.post(`${path}/preview`, {})).body).toMatchObject({ stepId: first, subject: "One" });
  expect((await rest.post(`${path}/preview`, { stepId: second })).body).toMatchObject({
    stepId: second,
    subject: "Re: One",
  });
  expect(await rest.post(`${path}/preview`, { stepId: condition })).toMatchObject({
    status: 404,
    body: { code: "STEP_NOT_FOUND" },
  });
  const { errors } = (await rest.get(`/campaigns/${campaignId}/validate`)).body;
  expect(errors).toContainEqual(expect.objectContaining({ code: "FIRST_STEP_NO_SUBJECT", path: "steps.2.variants.0" }));
  expect(errors.filter(({ code }: { code: string }) => code === "NO_ENABLED_VARIANT")).toEqual([]);
});
