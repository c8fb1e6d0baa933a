import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { MockActivityEnvironment } from "@temporalio/testing";
import pLimit from "p-limit";
import { campaignActivities } from "../../activities/campaigns/feeder.ts";
import { OPEN } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { endRecipient } from "../../store/recipients/stop.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { mail } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { runningCampaign } from "./finished-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const PEOPLE = ["ada@example.test", "bob@example.test", "cleo@example.test"];
const ORDERS = 16;
const AT_ONCE = 6;
const LENGTH = 14;

type Running = Awaited<ReturnType<typeof runningCampaign>>;

const activities = campaignActivities({
  validate: async () => ({ valid: true, errors: [] }),
  findProviders: () => async () => [],
  log: { warn: () => {} },
});
const complete = ({ workspaceId, campaignId }: Running): Promise<boolean> =>
  new MockActivityEnvironment().run(activities.checkCompletion, { v: 1 as const, workspaceId, campaignId });

const reply = ({ workspaceId }: Running, recipientId: string) =>
  inTransaction(() => endRecipient(workspaceId, recipientId, { status: "REPLIED", stopReason: "REPLIED", from: [...OPEN, "COMPLETED"] }));

async function statusesOf({ workspaceId, campaignId }: Running): Promise<string[]> {
  return (await scoped(workspaceId).Recipient.find({ campaignId }, { sort: { _id: 1 } })).map(({ status }) => status);
}

/** The steps that each recipient was sent, in the order of the people. */
async function mailsOf({ workspaceId, campaignId, ids }: Running): Promise<(string | null)[][]> {
  const sends = await scoped(workspaceId).Send.find({ campaignId, state: "SENT" }, { sort: { sentAt: 1, _id: 1 } });
  return ids.map((id) => sends.filter(({ recipientId }) => recipientId === id).map(({ stepId }) => stepId));
}

test("a step that is appended to a finished campaign reaches whoever had finished if asked, once, and the campaign opens again", async () => {
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

test("a step that is inserted before the last one reaches nobody who had finished, and a step they were passed by at is not taken up", async () => {
  const running = await runningCampaign(world, PEOPLE.slice(0, 2), [mail("one", "One"), mail("two", "Two")]);
  const { workspaceId, rest, path, ids, put, resume, run } = running;
  const { steps } = (await rest.get(`${path}/sequence`)).body;
  const [bob = ""] = ids.slice(1);
  await run();
  // Bob's second mail was skipped, as a missing variable does it
  const { Recipient, Send } = scoped(workspaceId);
  const failure = { reason: "MISSING_VARIABLE", code: null, text: "firstName" };
  await Send.updateOne({ recipientId: bob, stepId: steps[1].stepId }, { $set: { state: "FAILED", failure, sentAt: null } });
  await Recipient.updateOne({ _id: bob }, { $set: { currentStepId: steps[0].stepId, sentCount: 1 } });
  const inserted = await put([steps[0], mail("between", "Between"), steps[1]]);
  expect(inserted.body.finishedReachable).toBe(0);
  expect((await resume(ids, { finished: true })).body.changed).toBe(0);
  const appended = await put([...inserted.body.steps, mail("three", "Three")]);
  expect(appended.body.finishedReachable).toBe(2);
  expect((await resume(ids, { finished: true })).body.changed).toBe(2);
  await run();
  const [first, , second, third] = appended.body.steps.map(({ stepId }: { stepId: string }) => stepId);
  expect(await mailsOf(running)).toEqual([
    [first, second, third],
    [first, third],
  ]);
});

test("in a sequence with branches, whoever its conditions lead to an end is not reached by a step behind it", async () => {
  const ended = [{ if: "FIELD_MATCHES", filterRules: { firstName: "Ada" }, nextStepId: null }];
  const running = await runningCampaign(world, PEOPLE.slice(0, 2), [mail("one", "One", { conditions: ended })], "VISUAL");
  const { workspaceId, rest, path, ids, put, resume, run } = running;
  await scoped(workspaceId).Lead.updateOne({ email: "ada@example.test" }, { $set: { firstName: "Ada" } });
  await run();
  expect(await statusesOf(running)).toEqual(["COMPLETED", "COMPLETED"]);
  const { steps } = (await rest.get(`${path}/sequence`)).body;
  const appended = await put([...steps, mail("two", "Two")]);
  expect(appended.body.finishedReachable).toBe(1);
  expect((await resume(ids, { finished: true })).body.items).toMatchObject([{ error: { code: "NO_STEP_LEFT" } }, { ok: true }]);
  await run();
  expect((await mailsOf(running)).map(({ length }) => length)).toEqual([1, 2]);
});

test("a campaign that completes while finished recipients are resumed never ends them", async () => {
  const running = await runningCampaign(world, PEOPLE.slice(0, 1));
  const { rest, path, ids, put, resume, run } = running;
  for (let round = 0; round < 20; round++) {
    await run();
    const { steps } = (await rest.get(`${path}/sequence`)).body;
    await put([...steps, mail(`more${round}`, "More")]);
    const [resumed] = await Promise.all([resume(ids, { finished: true }), complete(running)]);
    expect(resumed.body).toMatchObject({ changed: 1 });
    expect((await rest.get(path)).body.status).toBe("ACTIVE");
    expect(await statusesOf(running)).toEqual(["IN_PROGRESS"]);
  }
});

interface Modelled {
  state: "OPEN" | "PAUSED" | "FINISHED" | "STOPPED";
  isSuppressed: boolean;
  sent: string[];
}

const VERBS = ["append", "rewrite", "resumeFinished", "resumeFinished", "reply", "suppress", "pause", "unpause"] as const;
const MORE = ["pausePerson", "resumePerson", "run", "run", "run", "complete"] as const;
type Verb = (typeof VERBS)[number] | (typeof MORE)[number];

/** The rules as a model, beside the real campaign: what each person may have been sent, and in which state they are. */
async function playOrder(seed: number): Promise<Verb[]> {
  const random = randomFrom(seed);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const running = await runningCampaign(world, PEOPLE);
  const { rest, workspaceId, path, ids, people, put, resume, run } = running;
  const model: Modelled[] = ids.map(() => ({ state: "OPEN", isSuppressed: false, sent: [] }));
  let campaign: "ACTIVE" | "PAUSED" | "COMPLETED" = "ACTIVE";
  let steps: { stepId: string }[] = (await rest.get(`${path}/sequence`)).body.steps;
  const lacksStep = ({ sent }: Modelled) => sent.at(-1) !== steps.at(-1)?.stepId;
  const hasOpen = () => model.some(({ state }) => state === "OPEN" || state === "PAUSED");
  const played: Verb[] = [];

  async function act(verb: Verb, index: number): Promise<void> {
    const person = model[index];
    const id = ids[index];
    if (person === undefined || id === undefined) return;
    switch (verb) {
      case "append":
      case "rewrite": {
        const { status, body } = await put(verb === "append" ? [...steps, mail(`s${played.length}`, "More")] : steps);
        expect(status).toBe(200);
        steps = body.steps;
        expect(body.finishedReachable).toBe(model.filter((one) => one.state === "FINISHED" && lacksStep(one)).length);
        return;
      }
      case "resumeFinished": {
        const asked = model.flatMap((one, at) => (one.state === "STOPPED" ? [] : [{ one, id: ids[at] ?? "" }]));
        if (asked.length === 0) return;
        const { body } = await resume(
          asked.map(({ id }) => id),
          { finished: true },
        );
        const changing = asked.filter(
          ({ one }) => one.state === "PAUSED" || (one.state === "FINISHED" && !one.isSuppressed && lacksStep(one)),
        );
        expect(body.changed).toBe(changing.length);
        for (const { one } of changing) one.state = "OPEN";
        if (changing.length > 0 && campaign === "COMPLETED") campaign = "ACTIVE";
        return;
      }
      case "reply":
        await reply(running, id);
        person.state = "STOPPED";
        return;
      case "suppress":
        await suppressAddress(workspaceId, people[index]?.email ?? "", "MANUAL");
        person.isSuppressed = true;
        if (person.state === "OPEN" || person.state === "PAUSED") person.state = "STOPPED";
        return;
      case "pause":
      case "unpause": {
        const isPause = verb === "pause";
        if (campaign !== (isPause ? "ACTIVE" : "PAUSED") || (!isPause && !hasOpen())) return;
        expect(await rest.post(`${path}/control`, { action: isPause ? "pause" : "resume" })).toMatchObject({ status: 200 });
        campaign = isPause ? "PAUSED" : "ACTIVE";
        return;
      }
      case "pausePerson":
        await rest.post(`${path}/recipients`, { action: "pauseRecipients", recipientIds: [id] });
        if (person.state === "OPEN") person.state = "PAUSED";
        return;
      case "resumePerson":
        if (person.state !== "PAUSED") return;
        expect((await resume([id])).body.changed).toBe(1);
        person.state = "OPEN";
        return;
      case "run":
        await admitBack(running, id);
        await run([id]);
        if (campaign !== "ACTIVE" || person.state !== "OPEN") return;
        person.sent.push(...steps.map(({ stepId }) => stepId).slice(person.sent.length));
        person.state = "FINISHED";
        return;
      case "complete":
        expect(await complete(running)).toBe(campaign === "ACTIVE" && !hasOpen());
        if (campaign === "ACTIVE" && !hasOpen()) campaign = "COMPLETED";
    }
  }

  for (let turn = 0; turn < LENGTH; turn++) {
    const verb = pick<Verb>([...VERBS, ...MORE]);
    if (verb === undefined) break;
    played.push(verb);
    await act(verb, Math.floor(random() * ids.length));
    const found = { mails: await mailsOf(running), campaign: (await rest.get(path)).body.status, order: `${seed}: ${played.join(", ")}` };
    expect(found).toEqual({ mails: model.map(({ sent }) => sent), campaign, order: found.order });
  }
  return played;
}

/** The feeder admits whoever waits for it, a recipient that was paused before its first mail among them. */
async function admitBack({ workspaceId, campaignId }: Running, recipientId: string): Promise<void> {
  const { Mailbox, Recipient, Sequence } = scoped(workspaceId);
  const [mailbox] = await Mailbox.find({});
  const sequence = await Sequence.findOne({ campaignId });
  await Recipient.updateOne(
    { _id: recipientId, status: "PENDING", admittedAt: null },
    {
      $set: {
        admittedAt: new Date(),
        mailboxId: mailbox?._id ?? null,
        nextStepId: sequence?.steps[0]?.stepId ?? null,
        nextSendAt: new Date(),
      },
    },
  );
}

test("in whatever order steps are appended and people finish, are resumed, stopped and paused, each gets each step once and none after a stop", async () => {
  const limit = pLimit(AT_ONCE);
  const orders = await Promise.all(Array.from({ length: ORDERS }, (_, seed) => limit(() => playOrder(seed + 1))));
  const resumed = orders.flat().filter((verb) => verb === "resumeFinished").length;
  // Orders in which nobody is ever taken on again would prove nothing
  expect(resumed).toBeGreaterThan(ORDERS);
}, 120_000);
