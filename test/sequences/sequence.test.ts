import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { outboxOf } from "../support/outbox.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const three = [
  { subject: "One", body: "<p>1</p>" },
  { body: "2", delay: 2 },
  { bodyText: "3", delay: { value: 4, unit: "HOURS" } },
];

async function written(steps: unknown[] = three) {
  const { rest, workspaceId } = await world.workspace("campaigns:read", "campaigns:write");
  const { body } = await rest.post("/campaigns", { name: "Spring" });
  const path = `/campaigns/${body.id}/sequence`;
  const put = await rest.put(path, { action: "replaceSteps", steps });
  return { rest, workspaceId, path, put, campaignId: body.id as string };
}

function stepIds(body: { steps: { stepId: string }[] }): string[] {
  return body.steps.map(({ stepId }) => stepId);
}

const replace = (rest: Rest, path: string, steps: unknown[], more = {}) =>
  rest.put(path, { action: "replaceSteps", steps, ...more });

test("a step in short form gets one variant A: body is the HTML, a bare delay is in days, and a step without a subject is a follow-up", async () => {
  const { put, rest, path } = await written();
  expect(put).toMatchObject({
    status: 200,
    body: {
      mode: "DEFAULT",
      version: 2,
      steps: [
        {
          order: 1,
          delay: { value: 0, unit: "DAYS" },
          threadMode: "NEW_THREAD",
          variants: [{ label: "A", subject: "One", bodyHtml: "<p>1</p>", bodyText: null }],
        },
        {
          order: 2,
          delay: { value: 2, unit: "DAYS" },
          threadMode: "SAME_THREAD",
          variants: [{ subject: null, enabled: true }],
        },
        {
          order: 3,
          delay: { value: 4, unit: "HOURS" },
          threadMode: "SAME_THREAD",
          variants: [{ bodyHtml: null, bodyText: "3" }],
        },
      ],
    },
  });
  const { finishedReachable, ...sequence } = put.body;
  expect((await rest.get(path)).body).toEqual(sequence);
  expect(finishedReachable).toBe(0);
});

test("an error about a wrong type in a step or setting names the expected type, and an error about a format describes the format in words", async () => {
  const { put } = await written([
    {
      subject: 5,
      body: "x",
      type: "email",
      delay: { value: "3" },
      variants: [{ weight: "50" }],
      conditions: [{ if: "clicked" }],
    },
  ]);
  expect(put).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  const told = Object.fromEntries(
    put.body.details.issues.map((issue: { path: string; message: string }) => [issue.path, issue.message]),
  );
  expect(told).toEqual({
    "steps.0.subject": "must be a text, not a number",
    "steps.0.type": expect.stringMatching(/^must be one of EMAIL, .*: is EMAIL meant\?$/),
    "steps.0.delay.value": "must be a number, not text",
    "steps.0.variants.0.weight": "must be a number, not text",
    "steps.0.conditions.0.if": expect.stringMatching(/^must be one of OPENED, .*: is CLICKED meant\?$/),
  });
  const { rest, path } = await written();
  const settings = {
    dailyLimit: "5",
    windows: [{ days: [1], from: "9", to: "17:00" }],
    holidayCountry: "Germany",
    trackOpens: "yes",
  };
  const { body } = await rest.patch(path.replace("/sequence", "/settings"), settings);
  expect(body.details.issues).toEqual([
    { path: "windows.0.from", code: "INVALID_FORMAT", message: "must be a time like 09:00, from 00:00 to 23:59" },
    {
      path: "holidayCountry",
      code: "INVALID_FORMAT",
      message: "must be an ISO 3166 code of two capital letters, like DE",
    },
    { path: "dailyLimit", code: "INVALID_TYPE", message: "must be a number, not text" },
    { path: "trackOpens", code: "INVALID_TYPE", message: "must be true or false, not text" },
  ]);
  const { put: unready } = await written([{ type: "TASK", config: { title: 5 } }]);
  expect(unready).toMatchObject({ status: 422, body: { code: "SEQUENCE_NOT_LINEAR" } });
  const visual = await rest.put(path, { action: "setMode", mode: "VISUAL" });
  expect(visual.status).toBe(200);
  const steps = [
    { subject: "One", body: "1" },
    { type: "TASK", config: { title: 5 } },
  ];
  expect((await replace(rest, path, steps)).body.details.issues).toEqual([
    { path: "steps.1.config.title", code: "INVALID_TYPE", message: "must be a text, not a number" },
  ]);
});

test("a sequence can be written back as read, and unknown fields of a step are kept", async () => {
  const { put, rest, path } = await written([{ subject: "One", body: "1", colour: "red", variants: undefined }]);
  const again = await replace(rest, path, put.body.steps);
  expect(again.body.steps).toEqual(put.body.steps);
  expect(again.body.steps[0].colour).toBe("red");
});

test("known steps and variants keep their ids, temporary names get new ids, and references follow the new ids", async () => {
  const { put, rest, path } = await written();
  const [first] = put.body.steps;
  const variants = [
    { ...first.variants[0], label: "kept" },
    { variantId: "tmp", subject: "Two", bodyHtml: "2", weight: 20 },
  ];
  const { body } = await replace(rest, path, [
    { ...first, variants, winner: { mode: "AUTO", winnerVariantId: "tmp" } },
    { stepId: "new", body: "x" },
  ]);
  const [step, added] = body.steps;
  expect(step.stepId).toBe(first.stepId);
  expect(step.variants[0].variantId).toBe(first.variants[0].variantId);
  expect(step.variants[1]).toMatchObject({ label: "B", weight: 20, variantId: expect.stringMatching(/^var_/) });
  expect(step.winner).toMatchObject({ mode: "AUTO", minSends: 50, winnerVariantId: step.variants[1].variantId });
  expect(added.stepId).toMatch(/^stp_/);
});

test.each([
  [
    "two steps of one id",
    [
      { stepId: "a", subject: "1", body: "1" },
      { stepId: "a", body: "2" },
    ],
    "steps.1.stepId",
  ],
  [
    "a weight out of range",
    [{ variants: [{ subject: "1", bodyHtml: "1", weight: 101 }] }],
    "steps.0.variants.0.weight",
  ],
  ["a delay beyond a year", [{ subject: "1", body: "1", delay: { value: 366, unit: "DAYS" } }], "steps.0.delay"],
  ["an unknown type", [{ type: "CALL" }], "steps.0.type"],
  [
    "a name that reaches a prototype",
    [{ subject: "1", body: "1", config: { constructor: 1 } }],
    "steps.0.config.constructor",
  ],
  ["both a text and variants", [{ subject: "1", variants: [{ subject: "1", bodyHtml: "1" }] }], "steps.0"],
  [
    "a winner that is no variant",
    [{ subject: "1", body: "1", winner: { winnerVariantId: "x" } }],
    "steps.0.winner.winnerVariantId",
  ],
  ["a control character in a subject", [{ subject: "a\u0007b", body: "1" }], "steps.0.subject"],
  ["active HTML", [{ subject: "1", body: "<script>1</script>" }], "steps.0.bodyHtml"],
])("replaceSteps refuses a faulty sequence and names the path of the fault: %s", async (_what, steps, place) => {
  const { put } = await written(steps);
  expect(put).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path: place }] } },
  });
});

test("a template that cannot be parsed is refused with line and column, and nothing is stored", async () => {
  const { put, rest, path } = await written([{ variants: [{ subject: "1", bodyHtml: "a\n{% for x in y %}" }] }]);
  expect(put).toMatchObject({
    status: 400,
    body: { code: "TEMPLATE_INVALID", details: { line: 2, column: 1, path: "steps.0.variants.0.bodyHtml" } },
  });
  expect((await rest.get(path)).body).toMatchObject({ version: 1, steps: [{ order: 1 }] });
});

test.each([
  ["a wait", [{ type: "WAIT", subject: "1", body: "1" }]],
  ["a condition", [{ subject: "1", body: "1", conditions: [{ if: "OPENED", nextStepId: null }] }]],
])("a linear sequence refuses %s", async (_what, steps) => {
  const { put } = await written(steps);
  expect(put).toMatchObject({ status: 422, body: { code: "SEQUENCE_NOT_LINEAR" } });
});

test("a sequence has at most 50 steps, and a step at most 26 variants", async () => {
  const { rest, path, put } = await written(Array.from({ length: 50 }, () => ({ subject: "1", body: "1" })));
  expect(put.body.steps).toHaveLength(50);
  expect(await replace(rest, path, [...put.body.steps, { body: "1" }])).toMatchObject({ status: 400 });
  const variants = Array.from({ length: 27 }, () => ({ subject: "1", bodyHtml: "1" }));
  expect(await replace(rest, path, [{ variants }])).toMatchObject({ status: 400 });
});

test("a reorder must name every step exactly once", async () => {
  const { rest, path, put } = await written();
  const [a, b, c] = stepIds(put.body);
  const reorder = (orderedStepIds: (string | undefined)[]) => rest.put(path, { action: "reorder", orderedStepIds });
  const { body } = await reorder([c, a, b]);
  expect(stepIds(body)).toEqual([c, a, b]);
  expect(body.steps.map(({ order }: { order: number }) => order)).toEqual([1, 2, 3]);
  for (const wrong of [
    [a, b],
    [a, b, b],
    [a, b, "stp_x"],
    [a, b, c, c],
  ]) {
    expect(await reorder(wrong)).toMatchObject({
      status: 400,
      body: { details: { issues: [{ path: "orderedStepIds" }] } },
    });
  }
});

test("setMode stores the mode, and an edit with an outdated expectedVersion changes nothing", async () => {
  const { rest, path } = await written();
  expect((await rest.put(path, { action: "setMode", mode: "VISUAL", expectedVersion: 2 })).body).toMatchObject({
    mode: "VISUAL",
    version: 3,
  });
  expect(await replace(rest, path, [], { expectedVersion: 2 })).toMatchObject({
    status: 409,
    body: { code: "VERSION_CONFLICT", details: { currentVersion: 3 } },
  });
  expect((await rest.get(path)).body.steps).toHaveLength(3);
});

test("a read-only credential cannot edit a sequence, and an unknown action is refused", async () => {
  const { rest } = await world.workspace("campaigns:read");
  expect(await rest.put("/campaigns/cmp_x/sequence", { action: "setMode", mode: "DEFAULT" })).toMatchObject({
    status: 403,
  });
  const writer = await written();
  expect(await writer.rest.put(writer.path, { action: "shuffle" })).toMatchObject({
    status: 400,
    body: { details: { issues: [{ path: "action" }] } },
  });
});

/** Three recipients that wait for the second of three steps, booked for tomorrow. */
async function waiting() {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, ["a@x.test", "b@x.test", "c@x.test"]);
  const { body } = await replace(rest, `${path}/sequence`, three);
  const { Campaign, Recipient, Send } = scoped(workspaceId);
  await Campaign.updateOne({ _id: campaignId }, { $set: { launchedAt: new Date() } });
  const [first, second] = stepIds(body);
  for (const { _id, email } of await Recipient.find({ campaignId })) {
    const at = new Date(Date.now() + DAY_MS);
    await Recipient.updateOne(
      { _id },
      { $set: { status: "IN_PROGRESS", currentStepId: first, nextStepId: second, nextSendAt: at, sentCount: 1 } },
    );
    await Send.insert({
      _id: newId("snd"),
      campaignId,
      recipientId: _id,
      stepId: second ?? null,
      mailboxId: mailbox._id,
      to: email,
      slotAt: at,
    });
  }
  return { rest, workspaceId, path: `${path}/sequence`, campaignId, steps: body.steps, ids: stepIds(body) };
}

test("when the step that recipients wait for is removed, they wait for the next step, and their booked slots are released", async () => {
  const { rest, workspaceId, path, campaignId, steps, ids } = await waiting();
  const [, second, third] = ids;
  await replace(rest, path, [steps[0], steps[2]]);
  const { Recipient, Send } = scoped(workspaceId);
  expect(await Recipient.count({ campaignId, nextStepId: third, status: "IN_PROGRESS" })).toBe(3);
  expect(await Send.count({ campaignId, stepId: second, state: "RELEASED" })).toBe(3);
  expect((await outboxOf(workspaceId, "RECIPIENT")).filter(({ payload }) => payload.signal === "replan")).toHaveLength(
    3,
  );
});

test("a reorder does not move a recipient whose email is being sent, and moves the others", async () => {
  const { rest, workspaceId, path, campaignId, ids } = await waiting();
  const { Recipient, Send } = scoped(workspaceId);
  const [first = "", second = "", third = ""] = ids;
  const under = await Send.findOne({ campaignId, stepId: second });
  await Send.updateOne(
    { _id: under?._id ?? "" },
    { $set: { state: "SENDING", phase: "DATA", leaseUntil: new Date(Date.now() + DAY_MS) } },
  );
  expect(await rest.put(path, { action: "reorder", orderedStepIds: [first, third, second] })).toMatchObject({
    status: 200,
  });
  const waits = await Recipient.find({ campaignId });
  expect(waits.map(({ _id, nextStepId }) => [_id === under?.recipientId, nextStepId]).sort()).toEqual([
    [false, third],
    [false, third],
    [true, second],
  ]);
});

test("a recipient that waits for the last step completes the sequence when that step is removed", async () => {
  const { rest, workspaceId, path, campaignId, steps } = await waiting();
  await replace(rest, path, [steps[0]]);
  expect(
    await scoped(workspaceId).Recipient.count({ campaignId, status: "COMPLETED", stopReason: "SEQUENCE_FINISHED" }),
  ).toBe(3);
});

test("after an edit, recipients wait for the first step they have not had, even if it was inserted earlier or replaces a removed step", async () => {
  const { rest, workspaceId, path, campaignId, steps, ids } = await waiting();
  const { Recipient } = scoped(workspaceId);
  const inserted = await replace(rest, path, [steps[0], { body: "new" }, steps[1], steps[2]]);
  expect(await Recipient.count({ campaignId, nextStepId: stepIds(inserted.body)[1] })).toBe(3);
  expect(
    await rest.put(path, { action: "reorder", orderedStepIds: [ids[0], ids[2], ids[1], stepIds(inserted.body)[1]] }),
  ).toMatchObject({
    status: 200,
  });
  expect(await Recipient.count({ campaignId, nextStepId: ids[2] })).toBe(3);
  const { body } = await replace(rest, path, [steps[0], { body: "instead" }, steps[2]]);
  expect(await Recipient.count({ campaignId, nextStepId: stepIds(body)[1] })).toBe(3);
});
