import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { quotaAt } from "../../activities/mailboxes/api-quota.ts";
import { NO_LIMITS, QuotaWait } from "../../connectors/bearer-call.ts";
import { readProfile } from "../../connectors/gmail/history.ts";
import { readInbox } from "../../connectors/graph/mime.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { type ApiLimits, type CallPurpose, shareOf } from "../../domain/sending/api-quota.ts";
import { blockQuota, quotaKey, takeQuota } from "../../store/mailboxes/api-quota.ts";
import { answerWith } from "../fakes/gmail/faults.ts";
import {
  domainPolicy,
  type GmailRefusal,
  quotaExceeded,
  retryAfter,
  userRateLimitExceeded,
} from "../fakes/gmail/refusals.ts";
import { startGmail } from "../fakes/gmail/server.ts";
import { type GraphAnswer, refuse } from "../fakes/graph/faults.ts";
import { startGraph } from "../fakes/graph/server.ts";
import { startWorld, type World } from "../support/world.ts";

const egress = createEgress({ allow: parseAllow("127.0.0.1:*"), ownAddresses: [] });
const { signal } = new AbortController();
let world: World;
let users = 0;
beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(async () => {
  await world.close();
  await egress.close();
});

const GRAPH = { transport: "GRAPH", url: "https://graph.test" } as const;
const LEASE_MS = 30_000;
const OUT_OF_ORDER_MS = 250;
const newUser = () => `user${++users}@a.test`;
const newKey = () => quotaKey(GRAPH, newUser());

const purpose = fc.constantFrom<CallPurpose[]>("SEND", "NEW", "OLDER");
const asked = fc.record({
  purpose,
  units: fc.constantFrom(1, 2, 5, 20, 100),
  pauseMs: fc.integer({ min: 0, max: 90 }),
});
/** What two processes ask, each in its own order. */
const asking = fc.tuple(
  fc.array(asked, { minLength: 15, maxLength: 30 }),
  fc.array(asked, { minLength: 15, maxLength: 30 }),
);

const unitsOf = (taken: { units: number }[]) => taken.reduce((sum, { units }) => sum + units, 0);

test("two processes never take more units in any window than are allowed, and reads leave the rest to sends", async () => {
  const limits: ApiLimits = { units: 300, windowMs: 1_200, atOnce: null };
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(asking, async (processes) => {
      const key = newKey();
      const taken: { at: number; units: number; purpose: CallPurpose }[] = [];
      const run = async (requests: (typeof processes)[number]) => {
        for (const { purpose, units, pauseMs } of requests) {
          const one = await takeQuota(key, units, LEASE_MS, shareOf(limits, purpose));
          if (one.isTaken) taken.push({ at: one.at.getTime(), units, purpose });
          else refused++;
          await sleep(pauseMs);
        }
      };
      await Promise.all(processes.map(run));
      for (const { at, purpose } of taken) {
        const most = shareOf(limits, purpose).units;
        const before = taken.filter((one) => one.at <= at && one.at > at - limits.windowMs);
        expect(unitsOf(before)).toBeLessThanOrEqual(limits.units);
        // The database may write two in another order than it began them, and the second may be one that is allowed more
        const isSurelyBefore = (one: (typeof taken)[number]) =>
          shareOf(limits, one.purpose).units <= most || one.at < at - OUT_OF_ORDER_MS;
        expect(unitsOf(before.filter(isSurelyBefore))).toBeLessThanOrEqual(most);
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );
  expect(refused).toBeGreaterThan(0);
}, 120_000);

test("two processes never make more than four requests together, and reads leave one place to sends", async () => {
  const limits: ApiLimits = { units: 10_000, windowMs: 60_000, atOnce: 4 };
  const held = fc.record({ purpose, heldMs: fc.integer({ min: 0, max: 60 }) });
  const all = fc.array(held, { minLength: 10, maxLength: 20 });
  let most = 0;
  await fc.assert(
    fc.asyncProperty(all, all, async (...processes) => {
      const user = newUser();
      const running: CallPurpose[] = [];
      const ask = async ({ purpose, heldMs }: (typeof processes)[number][number]) => {
        const end = await quotaAt(GRAPH, user, purpose, { limits }).begin(1);
        running.push(purpose);
        most = Math.max(most, running.length);
        expect(running.length).toBeLessThanOrEqual(4);
        expect(running.filter((one) => one !== "SEND").length).toBeLessThanOrEqual(3);
        await sleep(heldMs);
        running.splice(running.indexOf(purpose), 1);
        await end();
      };
      const asked = processes.map((requests) => requests.map((one) => ask(one)));
      const ended = await Promise.allSettled(asked.flat());
      for (const one of ended) if (one.status === "rejected") expect(one.reason).toBeInstanceOf(QuotaWait);
    }),
    { numRuns: 5, endOnFailure: true },
  );
  expect(most).toBe(4);
}, 120_000);

test("the lease of a killed process ends", async () => {
  const limits: ApiLimits = { units: 1_000, windowMs: 60_000, atOnce: 4 };
  const key = newKey();
  for (let one = 0; one < 4; one++) expect(await takeQuota(key, 1, 1_500, limits)).toMatchObject({ isTaken: true });
  expect(await takeQuota(key, 1, 1_500, limits)).toMatchObject({ isTaken: false });
  await sleep(1_600);
  expect(await takeQuota(key, 1, 1_500, limits)).toMatchObject({ isTaken: true });
});

test("while a provider wants a mailbox to wait, no request of any workspace may begin, and a shorter wait changes nothing", async () => {
  const limits: ApiLimits = { units: 1_000, windowMs: 60_000, atOnce: 4 };
  const user = newUser();
  await quotaAt(GRAPH, user, "NEW", { limits }).block(60_000);
  await quotaAt(GRAPH, user.toUpperCase(), "SEND", { limits }).block(10);
  for (const purpose of ["SEND", "NEW", "OLDER"] as const)
    await expect(quotaAt(GRAPH, user, purpose, { limits }).begin(1)).rejects.toBeInstanceOf(QuotaWait);
  const refusal = await takeQuota(quotaKey(GRAPH, user), 1, LEASE_MS, limits);
  expect(refusal).toMatchObject({ isTaken: false });
  // The same address at another provider is another mailbox
  const end = await quotaAt({ ...GRAPH, transport: "GMAIL_API" }, user, "SEND", { limits }).begin(1);
  await end();
});

test("a request that is refused for its units may begin after the wait that it was given", async () => {
  const limits: ApiLimits = { units: 100, windowMs: 1_200, atOnce: null };
  const key = newKey();
  for (const units of [60, 40]) {
    expect(await takeQuota(key, units, LEASE_MS, limits)).toMatchObject({ isTaken: true });
    await sleep(150);
  }
  const refused = await takeQuota(key, 50, LEASE_MS, limits);
  if (refused.isTaken) throw new Error("More than the limit was taken");
  await sleep(refused.waitMs + 5);
  expect(await takeQuota(key, 50, LEASE_MS, limits)).toMatchObject({ isTaken: true });
});

test("a wait that has ended lets requests begin", async () => {
  const limits: ApiLimits = { units: 100, windowMs: 1_200, atOnce: null };
  const key = newKey();
  await blockQuota(key, 400);
  const refused = await takeQuota(key, 1, LEASE_MS, limits);
  if (refused.isTaken) throw new Error("The mailbox did not wait");
  await sleep(refused.waitMs + 5);
  expect(await takeQuota(key, 1, LEASE_MS, limits)).toMatchObject({ isTaken: true });
});

test.each<[string, () => GmailRefusal, number | null]>([
  ["a date in its text", () => retryAfter(new Date(Date.now() + 90_000)), 90_000],
  ["no time", () => userRateLimitExceeded(), 60_000],
  ["a full quota of the minute", () => quotaExceeded(6_000), 60_000],
  ["a policy", () => domainPolicy(), null],
])("after a refusal of Gmail that names %s, the mailbox waits as long as it says", async (_, refusal, waitMs) => {
  const { quota, waits } = recordingQuota();
  const gmail = await startGmail({ knows: () => "ann@a.test" });
  gmail.fault("getProfile", answerWith(refusal));
  await expect(readProfile({ egress, url: gmail.url, token: "ann", signal, quota })).rejects.toThrow();
  await gmail.close();
  expect(waits.map((ms) => Math.round(ms / 10_000) * 10_000)).toEqual(waitMs === null ? [] : [waitMs]);
});

test.each<[string, GraphAnswer, number | null]>([
  ["seconds", refuse("ApplicationThrottled", { retryAfter: 70 }), 70_000],
  ["no time", refuse("ApplicationThrottled"), 60_000],
  ["seconds for a busy server", refuse("ServiceUnavailable", { retryAfter: 30 }), 30_000],
  ["no right", refuse("ErrorAccessDenied"), null],
])("after a refusal of Graph that names %s, the mailbox waits as long as it says", async (_, answer, waitMs) => {
  const { quota, waits } = recordingQuota();
  const graph = await startGraph({ mailboxes: [{ address: "ann@a.test" }], knows: (address) => ({ address }) });
  graph.fault({ on: "any", answer });
  const access = { egress, url: `${graph.url}/v1.0`, token: "ann@a.test", signal, quota, mailbox: "/me" as const };
  await expect(readInbox(access)).rejects.toThrow();
  await graph.close();
  expect(waits).toEqual(waitMs === null ? [] : [waitMs]);
});

function recordingQuota() {
  const waits: number[] = [];
  const quota = { ...NO_LIMITS, block: async (ms: number) => void waits.push(ms) };
  return { quota, waits };
}
