import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { commandsOf } from "../support/profiled.ts";
import { startWorld, type World } from "../support/world.ts";
import { NOW, readyCampaign } from "./campaign-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const HARD = { type: "HARD" as const, reason: "USER_UNKNOWN", code: "5.1.1", diagnostic: null };
const FIRST = Date.parse("2026-03-28T20:00:00Z");

/** One person: what became of the mail of each step it came to, and what it answered, to which of them. */
const person = fc.record({
  mails: fc.array(
    fc.record({
      state: fc.constantFrom("SENT" as const, "BOUNCED" as const),
      variant: fc.nat(1),
      minutes: fc.nat(6_000),
    }),
    { maxLength: 3 },
  ),
  after: fc.constantFrom("RESERVED" as const, "UNKNOWN" as const, "REFUSED" as const, null),
  replies: fc.array(fc.nat(2), { maxLength: 2 }),
  isPositive: fc.boolean(),
  isAutoReply: fc.boolean(),
  isHard: fc.boolean(),
  unsubscribes: fc.boolean(),
});
type Plan = typeof person extends fc.Arbitrary<infer P> ? P : never;

async function campaignWith(people: Plan[]) {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId } = await readyCampaign(rest, workspaceId, []);
  await rest.patch(`${path}/settings`, { timezone: "Europe/Berlin" });
  const steps = ["One", "Two", "Three"].map((subject) => ({
    delay: NOW,
    variants: ["A", "B"].map((label) => ({ label, subject, bodyText: label })),
  }));
  const { body } = await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  if (body.steps === undefined) throw new Error(JSON.stringify(body));
  await store(workspaceId, campaignId, body.steps, people);
  return { rest, workspaceId, path, campaignId, steps: body.steps as StoredStep[] };
}

interface StoredStep {
  stepId: string;
  variants: { variantId: string }[];
}

async function store(workspaceId: string, campaignId: string, steps: StoredStep[], people: Plan[]): Promise<void> {
  const { ActivityEvent, Recipient, Send, Thread } = scoped(workspaceId);
  for (const [index, plan] of people.entries()) {
    const recipientId = newId("rcp");
    const leadId = newId("led");
    const mails = plan.mails.map(({ state, variant, minutes }, place) => ({
      ...{ _id: newId("snd"), campaignId, recipientId, to: "a@b.test", state },
      ...{ stepId: steps[place]?.stepId ?? null, variantId: steps[place]?.variants[variant]?.variantId ?? null },
      sentAt: new Date(FIRST + minutes * MINUTE_MS),
    }));
    const refusedAt = plan.after === "REFUSED" && mails.length < 3 ? steps[mails.length] : undefined;
    const last = { _id: newId("snd"), campaignId, recipientId, to: "a@b.test", stepId: steps[mails.length]?.stepId ?? newId("stp") };
    const failure = { reason: "HARD_BOUNCE", code: "5.1.1", text: null };
    if (mails.length > 0) await Send.insertMany(mails);
    if (refusedAt !== undefined)
      await Send.insert({ ...last, state: "FAILED", variantId: refusedAt.variants[0]?.variantId ?? null, failure });
    else if (plan.after === "RESERVED" || plan.after === "UNKNOWN") await Send.insert({ ...last, state: plan.after });
    const at = new Date(FIRST + (7_000 + index) * MINUTE_MS);
    const replies = plan.replies.filter((place) => place < mails.length);
    for (const place of replies) {
      await ActivityEvent.insert({
        _id: newId("evt"),
        type: "REPLIED",
        at,
        leadId,
        campaignId,
        recipientId,
        data: { stepId: steps[place]?.stepId },
      });
    }
    const isBack = (mails.some(({ state }) => state === "BOUNCED") && plan.isHard) || refusedAt !== undefined;
    const facts: Partial<Recipient> = {
      ...(mails.length > 0 && { lastSentAt: mails.at(-1)?.sentAt ?? null, currentStepId: mails.at(-1)?.stepId ?? null }),
      variantByStep: Object.fromEntries(mails.map(({ stepId, variantId }) => [stepId, variantId ?? ""])),
      nextStepId: steps[mails.length]?.stepId ?? null,
      ...(replies.length > 0 && { repliedAt: at }),
      ...(mails.length > 0 && plan.isAutoReply && { autoRepliedAt: at }),
      ...(mails.length > 0 && plan.unsubscribes && { unsubscribedAt: at }),
      ...(isBack && { bouncedAt: at, bounce: HARD }),
    };
    await Recipient.insert({ _id: recipientId, campaignId, leadId, email: `${index}@b.test`, cid: newId("rcp"), shard: 0, ...facts });
    const thread = { _id: newId("thr"), mailboxId: newId("mbx"), campaignId, recipientId, lastMessageAt: at };
    if (replies.length > 0 && plan.isPositive) await Thread.insert({ ...thread, category: "INTERESTED", sentiment: "POSITIVE" });
  }
}

const OF_PEOPLE = ["replied", "autoReplied", "positiveReplies", "bounced", "unsubscribed"] as const;
const OF_MAILS = ["sent", "delivered"] as const;
type Row = Record<(typeof OF_PEOPLE)[number] | (typeof OF_MAILS)[number] | "contacted", number>;
const sum = (rows: Row[], figure: keyof Row) => rows.reduce((total, row) => total + row[figure], 0);

test("after any history the totals are the campaign's own metrics, and steps, variants and days sum up to them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(person, { maxLength: 12 }), async (people) => {
      const { rest, path, steps } = await campaignWith(people);
      const { body } = await rest.get(`${path}/metrics`);
      const { metrics } = (await rest.get(path)).body;
      expect(body.totals).toEqual(metrics);
      const mails = people.flatMap(({ mails }) => mails);
      expect(body.totals.sent).toBe(mails.length);
      for (const figure of [...OF_MAILS, ...OF_PEOPLE]) {
        expect([figure, sum(body.steps, figure)]).toEqual([figure, body.totals[figure]]);
        expect([figure, sum(body.days, figure)]).toEqual([figure, body.totals[figure]]);
        for (const step of body.steps) expect(sum(step.variants, figure)).toBe(step[figure]);
      }
      expect(body.steps.map(({ stepId }: StoredStep) => stepId)).toEqual(steps.map(({ stepId }) => stepId));
      for (const [place, step] of body.steps.entries()) {
        expect(step.sent).toBe(people.filter((plan) => plan.mails.length > place).length);
        expect(step.contacted).toBe(people.filter((plan) => reached(plan) > place).length);
        // The events are of one instant, so the first that was written is the first
        expect(step.replied).toBe(people.filter((plan) => plan.replies.find((at) => at < plan.mails.length) === place).length);
      }
      const dates: string[] = body.days.map(({ date }: { date: string }) => date);
      const [first = "", last = ""] = [dates.at(0), dates.at(-1)];
      const span = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
      expect(dates).toHaveLength(dates.length === 0 ? 0 : span);
      expect(dates).toEqual([...new Set(dates)].sort());
    }),
    { numRuns: 20 },
  );
}, 120_000);

/** How many steps have tried to reach the person. */
function reached({ mails, after }: Plan): number {
  return mails.length + (after === "REFUSED" && mails.length < 3 ? 1 : 0);
}

const WROTE: Plan = {
  mails: [
    { state: "SENT", variant: 0, minutes: 200 },
    { state: "SENT", variant: 1, minutes: 6_000 },
  ],
  ...{ after: null, replies: [0], isPositive: true, isAutoReply: false, isHard: false, unsubscribes: true },
};

test("days are those of the campaign's zone, its change of clocks included, and none is left out", async () => {
  const { rest, path } = await campaignWith([WROTE]);
  const { body } = await rest.get(`${path}/metrics`);
  // 23:20 UTC is the next day in Berlin, where the clocks change on the 29th
  expect(body.timezone).toBe("Europe/Berlin");
  const days = body.days.map(({ date, sent, replied }: { date: string } & Row) => [date, sent, replied]);
  expect(days).toEqual([
    ["2026-03-29", 1, 0],
    ["2026-03-30", 0, 0],
    ["2026-03-31", 0, 0],
    ["2026-04-01", 0, 0],
    ["2026-04-02", 1, 1],
  ]);
});

test("what a removed step and a removed variant had done stays, and says that they are gone", async () => {
  const { rest, path, steps } = await campaignWith([WROTE]);
  const [one, two, three] = (await rest.get(`${path}/sequence`)).body.steps;
  const left = [{ ...two, variants: two.variants.slice(0, 1) }, three];
  expect((await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: left })).status).toBe(200);
  const { body } = await rest.get(`${path}/metrics`);
  expect(
    body.steps.map(({ stepId, order, isRemoved, sent, replied }: StoredStep & Row & { order: number; isRemoved: boolean }) => [
      stepId,
      order,
      isRemoved,
      sent,
      replied,
    ]),
  ).toEqual([
    [two.stepId, 1, false, 1, 0],
    [three.stepId, 2, false, 0, 0],
    [one.stepId, null, true, 1, 1],
  ]);
  expect(body.steps[0].variants).toMatchObject([
    { label: "A", isRemoved: false, sent: 0, unsubscribed: 0 },
    { variantId: steps[1]?.variants[1]?.variantId, label: null, isRemoved: true, sent: 1, unsubscribed: 1 },
  ]);
});

test("a campaign that has sent nothing has zeros for its steps and no days; opens that nobody looks for are null", async () => {
  const { rest, path, workspaceId } = await campaignWith([]);
  const { body } = await rest.get(`${path}/metrics`);
  expect(body).toMatchObject({ totals: { sent: 0, opened: null, clicked: null }, days: [] });
  expect(body.steps).toHaveLength(3);
  expect(body.steps[0]).toMatchObject({ contacted: 0, sent: 0, opened: null, replyRate: 0, isRemoved: false });
  const other = await world.workspace();
  expect(await other.rest.get(`${path}/metrics`)).toMatchObject({ status: 404, body: { code: "CAMPAIGN_NOT_FOUND" } });
  expect(workspaceId).not.toBe(other.workspaceId);
});

test("a page of campaigns shows what it includes of each, as a single read shows it, and refuses another name", async () => {
  const { rest, path, workspaceId } = await campaignWith([WROTE, { ...WROTE, replies: [] }]);
  const second = await readyCampaign(rest, workspaceId, ["ada@example.test"]);
  await rest.post("/campaigns", { name: "Third" });
  const plain = (await rest.get("/campaigns")).body.items;
  expect(plain.map((one: object) => "metrics" in one || "sendingStatus" in one)).toEqual([false, false, false]);
  const { items } = (await rest.get("/campaigns?include=metrics,sendingStatus")).body;
  expect(items).toHaveLength(3);
  for (const item of items) {
    const { metrics, sendingStatus } = (await rest.get(`/campaigns/${item.id}`)).body;
    expect(item).toMatchObject({ metrics, sendingStatus });
  }
  expect(items.find(({ id }: { id: string }) => path.endsWith(id)).metrics).toMatchObject({ sent: 4, replied: 1 });
  expect(items.find(({ id }: { id: string }) => id === second.campaignId).metrics).toMatchObject({ recipients: 1, sent: 0 });
  const [alone] = (await rest.get("/campaigns?include=metrics&pageSize=1")).body.items;
  expect([alone.metrics.sent, "sendingStatus" in alone]).toEqual([0, false]);
  expect(await rest.get("/campaigns?include=metrics,secrets")).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
});

test("the mails of a campaign are counted from an index, without reading one of them", async () => {
  const { rest, path } = await campaignWith(Array.from({ length: 30 }, () => WROTE));
  const ran = await commandsOf(rest, `${path}/metrics`, "sends");
  const grouped = ran.filter(({ planSummary = "" }) => planSummary.includes("variantId: 1"));
  expect(grouped.map(({ docsExamined }) => docsExamined)).toEqual([0]);
});
