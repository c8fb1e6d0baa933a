import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { z } from "zod";
import { goBehind } from "../../mongo/precedence.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { operation } from "../../operations/operation.ts";
import { type CallPlaces, createCallPlaces, waitWithoutPlace } from "../../store/call-places.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

const released = Promise.withResolvers<void>();
let begun = 0;
const empty = {
  summary: "A test",
  input: z.strictObject({}),
  output: z.object({}),
  async run() {
    return {};
  },
};
const waits = operation({
  ...empty,
  scope: "leads:read",
  async run() {
    begun++;
    await released.promise;
    return {};
  },
});
const reads = operation({ ...empty, scope: "leads:read" });
const writes = operation({ ...empty, scope: "leads:write" });
const stops = operation({ ...empty, scope: "leads:write", stops: true });

let world: World;
beforeAll(async () => {
  world = await startWorld({
    routes: [
      ["get", "/waits", waits],
      ["get", "/reads", reads],
      ["post", "/writes", writes],
      ["post", "/stops", stops],
    ],
  });
});
afterAll(() => world.close());

test("while a workspace has too many calls under way, its reads are refused, its stops and other workspaces' calls are not, and a write waits for a place", async () => {
  const [{ rest }, other] = [await world.workspace(), await world.workspace()];
  const waiting = Array.from({ length: 24 }, () => rest.get("/waits"));
  await until(() => begun === 24, { ...MAIL_DEADLINE, what: "24 calls to be under way" });
  const refused = await rest.get("/reads");
  expect(refused).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await other.rest.get("/reads")).status).toBe(200);
  expect((await rest.post("/stops", {})).status).toBe(200);
  const write = rest.post("/writes", {});
  released.resolve();
  expect((await write).status).toBe(200);
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
});

const PLACES: CallPlaces = { inAll: 1, ofWorkspace: 1, waitMs: { READ: 60_000, WRITE: 60_000 }, mostMs: 60_000 };

test("a write that waits for a place goes before a read that came earlier", async () => {
  const inPlace = createCallPlaces(PLACES);
  const first = Promise.withResolvers<void>();
  const order: string[] = [];
  const calls = [
    inPlace("wsp_1", "WRITE", () => first.promise),
    ...(["READ", "WRITE", "READ"] as const).map((kind) => inPlace("wsp_1", kind, async () => order.push(kind))),
  ];
  first.resolve();
  await Promise.all(calls);
  expect(order).toEqual(["WRITE", "READ", "READ"]);
});

test("a call that takes too long is answered with 503 and begins no further transaction", async () => {
  const inPlace = createCallPlaces({ ...PLACES, mostMs: 100 });
  const isAnswered = Promise.withResolvers<void>();
  let began = false;
  let work: Promise<void> = Promise.resolve();
  const call = inPlace("wsp_1", "WRITE", (signal) => {
    const store = async () => {
      await isAnswered.promise;
      await inTransaction(async () => {
        began = true;
      });
    };
    work = goBehind("wsp_1", store, signal);
    return work;
  });
  await expect(call).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  isAnswered.resolve();
  await expect(work).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(began).toBe(false);
  expect(await inPlace("wsp_1", "READ", async () => "free")).toBe("free");
});

test("while a call waits for something outside, another one has its place, and it continues before calls that came later", async () => {
  const inPlace = createCallPlaces(PLACES);
  const [outside, inside] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const order: string[] = [];
  const first = inPlace("wsp_1", "READ", async () => {
    order.push("begins");
    await Promise.all([waitWithoutPlace(() => outside.promise), waitWithoutPlace(() => outside.promise)]);
    order.push("continues");
  });
  const second = inPlace("wsp_1", "READ", async () => {
    order.push("second");
    outside.resolve();
    await inside.promise;
  });
  const third = inPlace("wsp_1", "READ", async () => order.push("third"));
  await until(() => order.includes("second"), { ...MAIL_DEADLINE, what: "the second call" });
  inside.resolve();
  await Promise.all([first, second, third]);
  expect(order).toEqual(["begins", "second", "continues", "third"]);
  expect(await inPlace("wsp_1", "READ", async () => "free")).toBe("free");
});

test("calls that come back from outside share the places of their workspace with calls that began meanwhile", async () => {
  const inPlace = createCallPlaces({ ...PLACES, inAll: 4, ofWorkspace: 2 });
  const [outside, inside] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const order: string[] = [];
  const away = Array.from({ length: 2 }, () =>
    inPlace("wsp_1", "READ", async () => {
      await waitWithoutPlace(() => outside.promise);
      order.push("continues");
    }),
  );
  expect(await inPlace("wsp_1", "READ", async () => "free")).toBe("free");
  const long = Array.from({ length: 2 }, () => inPlace("wsp_1", "READ", () => inside.promise));
  await turn();
  outside.resolve();
  await turn();
  expect(await inPlace("wsp_2", "READ", async () => "free")).toBe("free");
  expect(order).toEqual([]);
  inside.resolve();
  await Promise.all([...away, ...long]);
  expect(order).toEqual(["continues", "continues"]);
});

test("no place is lost when a call ends or waits again while one of its waits comes back", async () => {
  const inPlace = createCallPlaces(PLACES);
  const [one, other, busy] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  if (!one || !other || !busy) throw new Error("Three are made");
  const failing = inPlace("wsp_1", "READ", () =>
    Promise.all([waitWithoutPlace(() => Promise.reject(new Error("refused"))), waitWithoutPlace(() => one.promise)]),
  );
  await expect(failing).rejects.toThrow("refused");
  one.resolve();
  expect(await inPlace("wsp_1", "READ", async () => "free")).toBe("free");
  const again = Promise.withResolvers<void>();
  const twice = inPlace("wsp_1", "READ", async () => {
    const first = waitWithoutPlace(() => other.promise);
    await again.promise;
    // The first wait is over and asks for a place, which another call has
    await Promise.all([first, waitWithoutPlace(async () => busy.resolve())]);
  });
  const holder = inPlace("wsp_1", "READ", async () => {
    other.resolve();
    setImmediate(() => again.resolve());
    await busy.promise;
  });
  await Promise.all([twice, holder]);
  expect(await inPlace("wsp_1", "READ", async () => "free")).toBe("free");
}, 30_000);

test("a call that takes too long while it waits for something outside is answered, and its place stays free", async () => {
  const inPlace = createCallPlaces({ ...PLACES, mostMs: 100 });
  const outside = Promise.withResolvers<void>();
  const call = inPlace("wsp_1", "WRITE", () => waitWithoutPlace(() => outside.promise));
  await expect(call).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  outside.resolve();
  expect(await inPlace("wsp_1", "READ", async () => "free")).toBe("free");
});
