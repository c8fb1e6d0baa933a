import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { mail } from "../campaigns/campaign-parts.ts";
import { runningCampaign } from "./finished-parts.ts";
import { complete, mailsOf, PEOPLE, reply, statusesOf, useSetup, world } from "./finished-setup.ts";

useSetup();

test("a step appended to a finished campaign reaches finished recipients once, if requested, and reopens the campaign", async () => {
  const running = await runningCampaign(world, PEOPLE);
  const { rest, path, ids, put, resume, run } = running;
  const [ada = "", bob = "", cleo = ""] = ids;
  await run();
  expect(await statusesOf(running)).toEqual(["COMPLETED", "COMPLETED", "COMPLETED"]);
  expect(await complete(running)).toBe(true);
  const { steps } = (await rest.get(`${path}/sequence`)).body;
  expect((await put(steps)).body).toMatchObject({ finishedReachable: 0 });
  expect((await resume(ids, { finished: true })).body).toMatchObject({
    changed: 0,
    items: ids.map((id) => ({ id, ok: false, error: { code: "NO_STEP_LEFT" } })),
  });
  const appended = await put([...steps, mail("two", "Two")]);
  expect(appended).toMatchObject({ status: 200, body: { finishedReachable: 3, steps: [{}, {}] } });
  expect((await rest.get(path)).body.status).toBe("COMPLETED");
  await reply(running, bob);
  await suppressAddress(running.workspaceId, "cleo@example.test", "MANUAL");
  expect((await put(appended.body.steps)).body.finishedReachable).toBe(2);
  expect((await resume([ada])).body.items).toEqual([
    { id: ada, ok: false, error: expect.objectContaining({ code: "INVALID_STATE_TRANSITION" }) },
  ]);
  expect((await resume([ada, cleo], { finished: true })).body).toMatchObject({
    matched: 2,
    changed: 1,
    items: [
      { id: ada, ok: true, error: null },
      { id: cleo, ok: false, error: { code: "SUPPRESSED" } },
    ],
  });
  expect((await rest.get(path)).body).toMatchObject({ status: "ACTIVE", completedReason: null });
  expect((await resume([ada], { finished: true })).body).toMatchObject({ matched: 1, changed: 0 });
  await run();
  const [one, two] = appended.body.steps.map(({ stepId }: { stepId: string }) => stepId);
  expect(await mailsOf(running)).toEqual([[one, two], [one], [one]]);
  expect(await statusesOf(running)).toEqual(["COMPLETED", "REPLIED", "COMPLETED"]);
  expect((await put(appended.body.steps)).body.finishedReachable).toBe(1);
});

test("resumed finished recipients get a step inserted before the last one, and a step that they skipped stays skipped", async () => {
  const running = await runningCampaign(world, PEOPLE.slice(0, 2), [mail("one", "One"), mail("two", "Two")]);
  const { workspaceId, rest, path, ids, put, resume, run } = running;
  const { steps } = (await rest.get(`${path}/sequence`)).body;
  const [bob = ""] = ids.slice(1);
  await run();
  // Bob's second email was skipped, as a missing variable would skip it
  const { Recipient, Send } = scoped(workspaceId);
  const failure = { reason: "MISSING_VARIABLE", code: null, text: "firstName" };
  await Send.updateOne(
    { recipientId: bob, stepId: steps[1].stepId },
    { $set: { state: "FAILED", failure, sentAt: null } },
  );
  await Recipient.updateOne({ _id: bob }, { $set: { currentStepId: steps[0].stepId, sentCount: 1 } });
  const inserted = await put([steps[0], mail("between", "Between"), steps[1]]);
  expect(inserted.body.finishedReachable).toBe(2);
  const appended = await put([...inserted.body.steps, mail("three", "Three")]);
  expect(appended.body.finishedReachable).toBe(2);
  expect((await resume(ids, { finished: true })).body.changed).toBe(2);
  await run();
  const [first, between, second, third] = appended.body.steps.map(({ stepId }: { stepId: string }) => stepId);
  expect(await mailsOf(running)).toEqual([
    [first, second, between, third],
    [first, between, third],
  ]);
});

test("a recipient who finishes while a step is being added gets that step, at the end or before the received steps", async () => {
  for (const place of [0, 1]) {
    const running = await runningCampaign(world, PEOPLE.slice(0, 1));
    const { rest, path, ids, put, run } = running;
    const { steps } = (await rest.get(`${path}/sequence`)).body;
    let edited = steps;
    const edit = async () => {
      if (edited === steps) edited = (await put(steps.toSpliced(place, 0, mail("two", "Two")))).body.steps;
    };
    await run(ids, edit);
    const added = edited[place].stepId;
    expect(await mailsOf(running)).toEqual([[steps[0].stepId, added]]);
    expect(await statusesOf(running)).toEqual(["COMPLETED"]);
  }
});

test("in a sequence with branches, a recipient whose conditions led to an end does not get a step added after the end", async () => {
  const ended = [{ if: "FIELD_MATCHES", filterRules: { firstName: "Ada" }, nextStepId: null }];
  const running = await runningCampaign(
    world,
    PEOPLE.slice(0, 2),
    [mail("one", "One", { conditions: ended })],
    "VISUAL",
  );
  const { workspaceId, rest, path, ids, put, resume, run } = running;
  await scoped(workspaceId).Lead.updateOne({ email: "ada@example.test" }, { $set: { firstName: "Ada" } });
  await run();
  expect(await statusesOf(running)).toEqual(["COMPLETED", "COMPLETED"]);
  const { steps } = (await rest.get(`${path}/sequence`)).body;
  const appended = await put([...steps, mail("two", "Two")]);
  expect(appended.body.finishedReachable).toBe(1);
  expect((await resume(ids, { finished: true })).body.items).toMatchObject([
    { error: { code: "NO_STEP_LEFT" } },
    { ok: true },
  ]);
  await run();
  expect((await mailsOf(running)).map(({ length }) => length)).toEqual([1, 2]);
});
