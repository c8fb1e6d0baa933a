import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import {
  coolDown,
  recordAuthFailure,
  recordHostFailure,
  recordSuccess,
  slowDown,
  wakeMailboxes,
} from "../../store/mailboxes/faults.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let workspaceId: string;
beforeAll(async () => {
  world = await startWorld();
  ({ workspaceId } = await world.workspace());
});
afterAll(() => world.close());

const hoursAhead = (at: Date | null | undefined) => Math.round(((at?.getTime() ?? 0) - Date.now()) / HOUR_MS);
const minutesAhead = (at: Date | null | undefined) => Math.round(((at?.getTime() ?? 0) - Date.now()) / MINUTE_MS);

async function newMailbox(more: Partial<Mailbox> = {}): Promise<string> {
  const _id = newId("mbx");
  const server = { host: "h", port: 465, security: "SSL_TLS" as const };
  await scoped(workspaceId).Mailbox.insert({
    _id,
    email: `${_id}@a.test`,
    username: "u",
    smtp: server,
    imap: server,
    ...more,
  });
  return _id;
}

const now = async (_id: string) => scoped(workspaceId).Mailbox.get(_id);

async function times(count: number, act: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) await act();
}

test("the tenth refused login in a row makes a mailbox RECONNECT_REQUIRED, and a successful login restarts the count", async () => {
  const id = await newMailbox();
  await times(9, () => recordAuthFailure(workspaceId, id, "AUTH_FAILED"));
  const nearly = await now(id);
  expect(nearly).toMatchObject({
    status: "CONNECTED",
    authFailures: 9,
    lastError: { code: "AUTH_FAILED", at: expect.any(Date) },
  });
  if (nearly !== null) await recordSuccess(nearly);
  expect(await now(id)).toMatchObject({ authFailures: 0, lastError: null });
  await times(10, () => recordAuthFailure(workspaceId, id, "AUTH_FAILED"));
  expect(await now(id)).toMatchObject({ status: "RECONNECT_REQUIRED", statusReason: "AUTH_FAILED" });
});

test.each(["PAUSED", "DISCONNECTED"] as const)(
  "failures do not change the status of a mailbox that a user has made %s",
  async (status) => {
    const id = await newMailbox({ status });
    await times(10, () => recordAuthFailure(workspaceId, id, "AUTH_FAILED"));
    await times(6, () => recordHostFailure(workspaceId, id, "TIMEOUT"));
    await coolDown(workspaceId, id, "BLOCKED");
    await times(3, () => slowDown(workspaceId, id, "RATE_LIMITED"));
    expect(await now(id)).toMatchObject({ status });
  },
);

test("the fifth host failure pauses a mailbox for five minutes; a further failure makes the mailbox SENDING_ERROR until the mailbox is woken", async () => {
  const id = await newMailbox();
  await times(4, () => recordHostFailure(workspaceId, id, "TIMEOUT"));
  expect(await now(id)).toMatchObject({ status: "CONNECTED", retryAt: null });
  const open = await recordHostFailure(workspaceId, id, "TIMEOUT");
  expect(open).toMatchObject({ status: "CONNECTED" });
  expect(minutesAhead(open?.retryAt)).toBe(5);
  expect(await recordHostFailure(workspaceId, id, "TIMEOUT")).toMatchObject({
    status: "SENDING_ERROR",
    statusReason: "TIMEOUT",
  });
  expect(await wakeMailboxes()).toBe(0);
  await scoped(workspaceId).Mailbox.updateOne({ _id: id }, { $set: { retryAt: new Date(Date.now() - 1) } });
  expect(await wakeMailboxes()).toBe(1);
  expect(await now(id)).toMatchObject({ status: "CONNECTED", statusReason: null });
  expect(await recordHostFailure(workspaceId, id, "TIMEOUT")).toMatchObject({ status: "SENDING_ERROR" });
});

test("a mailbox whose sender is refused cools down for 1, 2, 4 and at most 7 days, and a later success restarts the count", async () => {
  const id = await newMailbox();
  const rests: number[] = [];
  for (let n = 0; n < 5; n++) {
    rests.push(hoursAhead((await coolDown(workspaceId, id, "BLOCKED"))?.retryAt));
    expect(await coolDown(workspaceId, id, "BLOCKED")).toBeNull();
    await scoped(workspaceId).Mailbox.updateOne(
      { _id: id },
      { $set: { retryAt: new Date(Date.now() - 25 * HOUR_MS) } },
    );
    await wakeMailboxes();
  }
  expect(rests).toEqual([24, 48, 96, 168, 168]);
  const woken = await now(id);
  if (woken !== null) await recordSuccess(woken);
  expect(await now(id)).toMatchObject({ status: "CONNECTED", coolDowns: 0 });
});

test("rate refusals delay the next email by 15 and 30 minutes, and the third in a row cools the mailbox down for a day", async () => {
  const id = await newMailbox();
  expect(minutesAhead((await slowDown(workspaceId, id, "RATE_LIMITED"))?.nextAt)).toBe(15);
  expect(minutesAhead((await slowDown(workspaceId, id, "RATE_LIMITED"))?.nextAt)).toBe(30);
  expect(await now(id)).toMatchObject({ status: "CONNECTED", rateRefusals: 2 });
  const resting = await slowDown(workspaceId, id, "RATE_LIMITED");
  expect(resting).toMatchObject({
    status: "COOLING_DOWN",
    statusReason: "RATE_LIMITED",
    rateRefusals: 0,
    coolDowns: 1,
  });
  expect(hoursAhead(resting?.retryAt)).toBe(24);
});

test("a successful login writes nothing to a mailbox without recorded failures", async () => {
  const id = await newMailbox();
  const before = await now(id);
  if (before !== null) await recordSuccess(before);
  expect((await now(id))?.updatedAt).toEqual(before?.updatedAt);
});
