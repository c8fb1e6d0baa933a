import { expect, test } from "@jest/globals";
import { FairQueue } from "../../activities/fair-queue.ts";
import { createSendTurns } from "../../activities/sending/turns.ts";
import { SENDS_IN_FLIGHT } from "../../domain/sending/adaptive-limit.ts";

const wait = { begins() {}, ends() {} };

/** Begins that many sends, each of which ends when `end` is called. */
function begin(count: number, isAtServer: boolean, turns = createSendTurns({ unreadMs: async () => 0 })) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  let running = 0;
  const send = (inTurn: typeof wait) => {
    running++;
    if (isAtServer) inTurn.begins();
    return promise.then(inTurn.ends);
  };
  const sends = Promise.all(Array.from({ length: count }, () => turns.run("wsp_1", wait, send)));
  return { turns, sends, end, running: () => running };
}

const [LEAST, MORE] = [SENDS_IN_FLIGHT.least, SENDS_IN_FLIGHT.least + 4];

test("a send that waits for a stalled mail server frees its place, and the next send starts", async () => {
  const stalled = begin(MORE, true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(stalled.running()).toBe(MORE);
  expect(await stalled.turns.run("wsp_1", wait, async () => "sent")).toBe("sent");
  stalled.end();
  await stalled.sends;
});

test("the number of sends inside database transactions never exceeds the limit, also after mail servers have answered", async () => {
  const busy = begin(MORE, false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(busy.running()).toBe(LEAST);
  busy.end();
  await busy.sends;
  const visits = Array.from({ length: LEAST }, () =>
    busy.turns.run("wsp_1", wait, async ({ begins, ends }) => {
      begins();
      ends();
    }),
  );
  await Promise.all(visits);
  const later = begin(MORE, false, busy.turns);
  await new Promise((resolve) => setImmediate(resolve));
  expect(later.running()).toBe(LEAST);
  later.end();
  await later.sends;
});

test("when a workspace has many sends waiting, the first send of another workspace goes before all but one of them", async () => {
  const busy = begin(LEAST, false);
  const order: string[] = [];
  const send = (workspaceId: string) => busy.turns.run(workspaceId, wait, async () => order.push(workspaceId));
  const many = Array.from({ length: 20 }, () => send("wsp_1"));
  const others = [send("wsp_2"), send("wsp_2"), send("wsp_3")];
  busy.end();
  await Promise.all([busy.sends, ...many, ...others]);
  expect(order.slice(0, 5)).toEqual(["wsp_1", "wsp_2", "wsp_3", "wsp_1", "wsp_2"]);
});

test("a workspace with many sends waiting has its turn also while others never cease to bring single ones", async () => {
  const queue = new FairQueue(1);
  const order: string[] = [];
  const added: Promise<unknown>[] = [];
  const add = (workspaceId: string, next = () => {}) =>
    added.push(queue.add(workspaceId, async () => next() ?? order.push(workspaceId)));
  const again = (workspaceId: string) => () => {
    if (order.length < 30) add(workspaceId, again(workspaceId));
  };
  for (let count = 0; count < 12; count++) add("wsp_1");
  add("wsp_2", again("wsp_2"));
  add("wsp_3", again("wsp_3"));
  for (const one of added) await one;
  const ofMany = order.slice(0, 24).filter((workspaceId) => workspaceId === "wsp_1").length;
  expect(ofMany).toBeGreaterThanOrEqual(8);
});
