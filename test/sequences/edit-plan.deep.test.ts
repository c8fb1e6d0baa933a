import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { OPEN } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { ALWAYS, mail, NOW, other } from "../campaigns/campaign-parts.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { until } from "../fakes/wait.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type KilledWorker, killedWorkerOf, randomFrom } from "../system/killed-worker.ts";

const EDITS = 7;
const PEOPLE = 40;
const MAILBOXES = ["ann@a.test", "bob@b.test"];
/** Longer than a run of the test between two edits. */
const LATER = { value: 40, unit: "MINUTES" };

let sandbox: Sandbox;
let world: World;
let worker: KilledWorker;

beforeAll(async () => {
  sandbox = await startSandbox({ mailboxes: MAILBOXES, reactionMs: { min: 20, max: 60 } });
  world = await startWorld({ temporal: true, settings: { egressAllow: "localhost:*" } });
  worker = await killedWorkerOf(world, sandbox.certificate.cert);
}, 90_000);

afterAll(async () => {
  await worker.kill();
  await world.close();
  await sandbox.close();
}, 30_000);

interface Step {
  stepId: string;
  type: string;
  delay: object;
  conditions: object[];
}

interface Group {
  people: number;
  had: string[];
  waitsFor: string | null;
  after: { surely: string[]; perhaps: string[] };
}

/** What a plan says about one person. */
interface Foretold {
  had: string[];
  surely: string[];
  perhaps: string[];
}

test.each([
  ["emails alone", "DEFAULT", 5],
  ["branches, tasks and a hold-out", "VISUAL", 8],
] as const)(
  "under random edits and worker kills each recipient gets what the plan of the edit announced, and no step twice: %s",
  async (_what, mode, seed) => {
    const random = randomFrom(seed);
    const below = (count: number) => Math.floor(random() * count);
    const { workspaceId, rest } = await world.workspace();
    const db = scoped(workspaceId);
    const mailboxIds: string[] = [];
    for (const email of MAILBOXES) mailboxIds.push(await mailboxIn(world, workspaceId, email, sandbox));
    const campaignId: string = (await rest.post("/campaigns", { name: `Edited ${seed}` })).body.id;
    const path = `/campaigns/${campaignId}`;
    const pace = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0, mailboxIds };
    await rest.patch(`${path}/settings`, { ...pace, ...(mode === "VISUAL" && { holdOut: 0.2 }) });
    await rest.put(`${path}/sequence`, { action: "setMode", mode });
    let written = 0;
    const delay = () => (below(4) === 0 ? LATER : NOW);
    const fresh = () => {
      const name = `${mode} ${++written}`;
      return mode === "VISUAL" && below(3) === 0
        ? other("TASK", { title: name }, { delay: delay() })
        : mail(name, name, { delay: delay() });
    };
    const branch = mode === "VISUAL" ? { conditions: [{ if: "RANDOM", percent: 50, nextStepId: "far" }] } : {};
    const first = [mail("one", "One", branch), fresh(), { ...fresh(), stepId: "far" }, fresh()];
    expect(await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: first })).toMatchObject({ status: 200 });
    await rest.post(`${path}/recipients`, {
      action: "addManual",
      emails: Array.from({ length: PEOPLE }, (_, index) => `edit${seed}x${index}@people.test`),
    });
    expect((await rest.post(`${path}/control`, { action: "launch" })).body).toMatchObject({ launched: true });
    // Temporal carries out a part of the edits, as in a large campaign
    const settle = (isLarge: boolean) =>
      db.Campaign.updateOne({ _id: campaignId }, { $set: { recipientCount: isLarge ? 5_000 : PEOPLE } });
    const stepsNow = async (): Promise<Step[]> => (await rest.get(`${path}/sequence`)).body.steps;
    const openNow = () => db.Recipient.find({ campaignId, status: trusted({ $in: [...OPEN] }) });

    let foretold = new Map<string, Foretold>();
    const plans: { heldOut: number; open: string[] }[] = [];
    let checked = 0;
    for (let edit = 0; edit < EDITS; edit++) {
      worker.start();
      await untilSomeAreSent(5 + below(15));
      await worker.kill();
      await expectForetold(foretold);
      const asked = edit === EDITS - 1 ? await allAtOnce() : await edited();
      const planned = await rest.put(`${path}/sequence`, { ...asked, planOnly: true });
      expect([200, 400, 422]).toContain(planned.status);
      if (planned.status !== 200 || planned.body.plan.effect.edit === null) continue;
      const plan = planned.body.plan.effect.edit;
      expect(plan).toMatchObject({ repeated: 0, otherPeople: 0 });
      const open = await openNow();
      foretold = await foretoldTo(open, plan.groups);
      plans.push({ heldOut: open.length - plan.people, open: open.map(({ _id }) => _id) });
      await settle(below(2) === 0);
      const committed = await rest.put(`${path}/sequence`, { ...asked, planToken: planned.body.planToken });
      expect(committed).toMatchObject({ status: 200 });
    }
    worker.start();
    const isEnded = async () => {
      const unknown = (await db.Send.find({ campaignId, state: "UNKNOWN" })).map(({ recipientId }) => recipientId);
      return (await openNow()).every(({ _id }) => unknown.includes(_id));
    };
    await until(isEnded, { deadlineMs: 150_000, what: "every recipient to come to an end" });
    await worker.kill();
    await expectForetold(foretold, "WHOLE");
    expect(checked).toBeGreaterThan(PEOPLE);
    // No plan counts those who are then held out
    const heldOut = (await db.Recipient.find({ campaignId, stopReason: "HOLD_OUT" })).map(({ _id }) => _id);
    expect(heldOut.length > 0).toBe(mode === "VISUAL");
    for (const plan of plans) expect(plan.heldOut).toBe(heldOut.filter((id) => plan.open.includes(id)).length);
    const mails = (await db.Send.find({ campaignId, state: "SENT" })).map(
      ({ recipientId, stepId }) => `${recipientId} ${stepId}`,
    );
    expect(new Set(mails).size).toBe(mails.length);
    expect(mails.length).toBeGreaterThan(PEOPLE);
    const tasks = await db.ActivityEvent.find({ campaignId, type: "TASK_ADDED" });
    const done = tasks.map(({ recipientId, data }) => `${recipientId} ${data["stepId"]}`);
    expect(new Set(done).size).toBe(done.length);
    expect(sandbox.report().duplicates).toEqual([]);

    /** A random edit: another order, a new step, a removed one, another delay, or an earlier version. */
    async function edited(): Promise<object> {
      const steps = await stepsNow();
      const replace = (next: object[]) => ({ action: "replaceSteps", steps: next });
      switch (below(5)) {
        case 0:
          return { action: "reorder", orderedStepIds: steps.map(({ stepId }) => stepId).sort(() => random() - 0.5) };
        case 1:
          return replace(steps.toSpliced(below(steps.length + 1), 0, fresh() as never));
        case 2:
          return replace(steps.length > 2 ? steps.toSpliced(below(steps.length), 1) : [...steps, fresh()]);
        case 3:
          return { ...replace(steps.map((step) => ({ ...step, delay: delay() }))), keepBooked: below(2) === 0 };
        default: {
          const { items } = (await rest.get(`${path}/versions`)).body;
          return { action: "revert", version: items[below(items.length)].version };
        }
      }
    }

    /** The last edit: another order where there are no branches, two more emails, and no step waits any more. */
    async function allAtOnce(): Promise<object> {
      const known = (await stepsNow()).map((step) => ({ ...step, delay: NOW }));
      const ordered = mode === "DEFAULT" ? known.toReversed() : known;
      return { action: "replaceSteps", steps: [...ordered, mail("last", "Last"), mail("very last", "Very last")] };
    }

    /** Waits for this many more emails, or only for a moment where everyone waits for a delay. */
    async function untilSomeAreSent(more: number): Promise<void> {
      const sent = () => db.Send.count({ campaignId, state: "SENT" });
      const before = await sent();
      for (let left = 20; left > 0 && (await sent()) < before + more; left--) await sleep(150);
    }

    /** What the plan says about each person to whom no email is on its way. */
    async function foretoldTo(open: readonly Recipient[], groups: readonly Group[]): Promise<Map<string, Foretold>> {
      const onTheirWay = await db.Send.find({ campaignId, state: trusted({ $in: ["SENDING", "UNKNOWN"] }) });
      const settled = open.filter(({ _id }) => !onTheirWay.some(({ recipientId }) => recipientId === _id));
      expect(groups.reduce((sum, { people }) => sum + people, 0)).toBeLessThanOrEqual(open.length);
      return new Map(
        settled.map(({ _id, had: steps, nextStepId }) => {
          const had = steps.map(({ stepId }) => stepId);
          const group = groups.find((one) => one.had.join() === had.join() && one.waitsFor === nextStepId);
          if (group === undefined)
            throw new Error(`No group of the plan has ${JSON.stringify([_id, had, nextStepId])}`);
          return [_id, { had, ...group.after }];
        }),
      );
    }

    /** Each person has had the steps that the plan named first, and in the end all of them. */
    async function expectForetold(
      said: ReadonlyMap<string, Foretold>,
      how: "SO_FAR" | "WHOLE" = "SO_FAR",
    ): Promise<void> {
      for (const { _id, had, stopReason } of await db.Recipient.find({ campaignId })) {
        const one = said.get(_id);
        if (one === undefined || stopReason === "HOLD_OUT") continue;
        const since = had.map(({ stepId }) => stepId).slice(one.had.length);
        const sure = since.slice(0, one.surely.length);
        checked += since.length;
        expect([_id, sure]).toEqual([_id, one.surely.slice(0, sure.length)]);
        expect(since.slice(sure.length).filter((stepId) => !one.perhaps.includes(stepId))).toEqual([]);
        if (how === "WHOLE" && stopReason === "SEQUENCE_FINISHED") expect([_id, sure]).toEqual([_id, one.surely]);
      }
    }
  },
  300_000,
);
