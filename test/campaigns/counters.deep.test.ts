import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { compareCounter } from "../../store/campaign-counters.ts";
import { startWorld, type World } from "../support/world.ts";
import { readyCampaign } from "./campaign-parts.ts";
import { expectCounted, personOf, sendTo, threadOf } from "./counter-parts.ts";
import type { CountingOrders } from "./counting-process.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const AT = new Date("2026-03-01T10:00:00Z");
const bounceOf = (type: "HARD" | "SOFT") => ({ type, reason: "USER_UNKNOWN", code: "5.1.1", diagnostic: null });

const PEOPLE = 4;
const instant = fc.constantFrom(AT, null);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const HOW = [
  "updateOne",
  "updateMany",
  "pipeline",
  "before",
  "after",
  "wrote",
  "wroteAll",
  "changeOne",
  "bulk",
] as const;
type How = (typeof HOW)[number];

/** Fields of a recipient; those that are left out stay as they are. */
const recipientSet = fc.record({
  lastSentAt: maybe(instant),
  openedAt: maybe(instant),
  proxyOpenedAt: maybe(instant),
  clickedAt: maybe(instant),
  repliedAt: maybe(instant),
  autoRepliedAt: maybe(instant),
  bouncedAt: maybe(instant),
  bounce: maybe(fc.constantFrom(null, bounceOf("HARD"), bounceOf("SOFT"))),
  unsubscribedAt: maybe(instant),
  meetingBooked: maybe(fc.boolean()),
  revenueAmount: maybe(fc.constantFrom(null, "0.0001", "12", "999999999999.99")),
  revenueCurrency: maybe(fc.constantFrom(null, "EUR", "USD")),
});
const STATES = ["RESERVED", "SENDING", "SENT", "BOUNCED", "UNKNOWN", "FAILED", "RELEASED"] as const;
const tracking = fc.record({ opens: fc.boolean(), clicks: fc.boolean() });

const place = { who: fc.nat(PEOPLE - 1), how: fc.constantFrom(...HOW) };
const step = fc.oneof(
  fc.record({ kind: fc.constant("recipient" as const), ...place, set: recipientSet }),
  fc.record({
    kind: fc.constant("send" as const),
    ...place,
    state: fc.constantFrom(...STATES),
    from: maybe(fc.subarray([...STATES], { minLength: 1 })),
    tracking: maybe(tracking),
  }),
  fc.record({
    kind: fc.constant("thread" as const),
    ...place,
    second: fc.boolean(),
    sentiment: maybe(fc.constantFrom("POSITIVE", "NEGATIVE", null)),
    owner: maybe(fc.nat(PEOPLE - 1)),
  }),
  fc.record({ kind: fc.constant("complaint" as const), ...place }),
  fc.record({ kind: fc.constant("conversion" as const), ...place }),
  fc.record({ kind: fc.constant("compare" as const), ...place }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
/** Steps that run in one transaction, which may be undone at its end. */
const group = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 5 }), isUndone: fc.boolean() });

interface Room {
  updateOne(filter: object, change: object): Promise<number>;
  updateMany(filter: object, change: object): Promise<number>;
  findBeforeUpdate(filter: object, change: object): Promise<unknown>;
  findOneAndUpdate(filter: object, change: object): Promise<unknown>;
  wrote(filter: object, change: object): Promise<boolean>;
  wroteAll(statements: { filter: object; change: object }[]): Promise<boolean>;
  changeOne(filter: object, change: object): Promise<unknown>;
  bulk(writes: { update: string; set: object }[]): Promise<void>;
}

async function write(room: Room, how: How, filter: { _id: string }, set: object): Promise<void> {
  if (Object.keys(set).length === 0) return;
  const change = { $set: set };
  const literal = Object.fromEntries(Object.entries(set).map(([name, value]) => [name, { $literal: value }]));
  const ways: Record<How, () => Promise<unknown>> = {
    updateOne: () => room.updateOne(filter, change),
    updateMany: () => room.updateMany(filter, change),
    pipeline: () => room.changeOne(filter, [{ $set: literal }]),
    before: () => room.findBeforeUpdate(filter, change),
    after: () => room.findOneAndUpdate(filter, change),
    wrote: () => room.wrote(filter, change),
    wroteAll: () => room.wroteAll([{ filter, change }]),
    changeOne: () => room.changeOne(filter, change),
    bulk: () => room.bulk([{ update: filter._id, set }]),
  };
  await ways[how]();
}

async function prepared() {
  const { rest, workspaceId } = await world.workspace();
  const ids: string[] = [];
  for (let count = 0; count < 2; count++) ids.push((await readyCampaign(rest, workspaceId, [])).campaignId);
  const { Recipient, Send, Thread } = scoped(workspaceId);
  const people = Array.from({ length: PEOPLE }, (_, index) => personOf(ids[index % 2] ?? ""));
  const sends = people.map(sendTo);
  const threads = people.flatMap((person) => [threadOf(person), threadOf(person)]);
  await Recipient.insertMany(people);
  await Send.insertMany(sends);
  await Thread.insertMany(threads);
  return { workspaceId, ids, people, sends, threads };
}

async function take(stage: Awaited<ReturnType<typeof prepared>>, one: Step): Promise<void> {
  const { ActivityEvent, Campaign, Message, Recipient, Send, Thread } = scoped(stage.workspaceId);
  const rooms = { Recipient, Send, Thread } as unknown as Record<"Recipient" | "Send" | "Thread", Room>;
  const person = stage.people[one.who];
  if (person === undefined) throw new Error("There is no such person");
  const { campaignId, _id: recipientId, leadId } = person;
  const given = (set: object) => Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
  if (one.kind === "recipient") await write(rooms.Recipient, one.how, { _id: recipientId }, given(one.set));
  if (one.kind === "send") {
    const filter = { _id: stage.sends[one.who]?._id ?? "", ...(one.from && { state: stateFilter(one.from) }) };
    await write(rooms.Send, one.how, filter, given({ state: one.state, tracking: one.tracking }));
  }
  if (one.kind === "thread") {
    const owner = one.owner === undefined ? undefined : stage.people[one.owner];
    const set = { sentiment: one.sentiment, recipientId: owner?._id, campaignId: owner?.campaignId };
    const threadId = stage.threads[2 * one.who + Number(one.second)]?._id ?? "";
    await write(rooms.Thread, one.how, { _id: threadId }, given(set));
  }
  const _id = newId("msg");
  if (one.kind === "complaint")
    await Message.insert({ _id, mailboxId: newId("mbx"), contentKey: _id, campaignId, kind: "COMPLAINT" });
  if (one.kind === "conversion") {
    const ids = { leadId, campaignId, recipientId, actor: null, data: {} };
    await ActivityEvent.store({ _id: newId("evt"), type: "CONVERTED", at: AT, ...ids });
  }
  if (one.kind === "compare") {
    const campaign = await Campaign.get(campaignId);
    if (campaign !== null) await compareCounter(campaign);
  }
}

function stateFilter(states: readonly string[]) {
  return states.length === 1 ? states[0] : trusted({ $in: [...states] });
}

async function takeGroup(
  stage: Awaited<ReturnType<typeof prepared>>,
  { steps, isUndone }: { steps: Step[]; isUndone: boolean },
) {
  const done = inTransaction(async () => {
    for (const one of steps) if (one.kind !== "compare") await take(stage, one);
    if (isUndone) throw new Error("undone");
  });
  if (isUndone) await expect(done).rejects.toThrow("undone");
  else await done;
}

test("in any order of all kinds of writes, alone, in transactions and undone, the counters equal the records", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(step, group), { minLength: 1, maxLength: 25 }), async (all) => {
      const stage = await prepared();
      for (const one of all) await ("steps" in one ? takeGroup(stage, one) : take(stage, one));
      await expectCounted(stage.workspaceId, stage.ids);
    }),
    { numRuns: 150 },
  );
}, 300_000);

test("writes and comparisons at the same time lose and double nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 8 }),
      async (lanes) => {
        const stage = await prepared();
        const run = async (steps: Step[]) => {
          for (const one of steps) await take(stage, one);
        };
        await Promise.all(lanes.map(run));
        await expectCounted(stage.workspaceId, stage.ids);
      },
    ),
    { numRuns: 60 },
  );
}, 300_000);

const SCRIPT = fileURLToPath(new URL("./counting-process.ts", import.meta.url));

test("the counters equal the records after a process was killed at any moment of its transactions", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { campaignId } = await readyCampaign(rest, workspaceId, []);
  const people = Array.from({ length: 40 }, () => personOf(campaignId));
  await scoped(workspaceId).Recipient.insertMany(people);
  const recipientIds = people.map(({ _id }) => _id);
  const orders: CountingOrders = { mongodbUri: world.mongodbUri, workspaceId, recipientIds };
  for (let kill = 1; kill <= 12; kill++) {
    const child = spawn(process.execPath, ["--no-warnings", SCRIPT, JSON.stringify(orders)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    let points = 0;
    for await (const data of child.stdout) {
      points += String(data).length;
      if (points >= 23 * kill) break;
    }
    child.kill("SIGKILL");
    await ended;
    await expectCounted(workspaceId, [campaignId]);
  }
  const [sum] = await expectCounted(workspaceId, [campaignId]);
  expect(Object.keys(sum?.counts ?? {}).length).toBeGreaterThan(0);
}, 300_000);
