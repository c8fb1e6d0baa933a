import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createUnreadArrivals } from "../../activities/inbox/unread.ts";
import { createSendTurns } from "../../activities/sending/turns.ts";
import { SENDS_IN_FLIGHT } from "../../domain/sending/adaptive-limit.ts";
import { YIELDS_AFTER_MS } from "../../domain/sending/yield.ts";
import { scoped } from "../../models/scoped.ts";
import { createLog } from "../../runtime/log.ts";
import { longestUnreadMs } from "../../store/inbox/unread.ts";
import { measureTransaction } from "../../store/sending/transaction-times.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let workspaceId: string;

beforeAll(async () => {
  world = await startWorld({ apart: true });
  ({ workspaceId } = await world.workspace());
});
afterAll(() => world.close());

test("unread mail that has waited for half a minute is known to other processes until it is read", async () => {
  const mailbox = await storedMailbox(workspaceId);
  const _id = `${mailbox._id}:INBOX`;
  const { MailboxCursor } = scoped(workspaceId);
  await MailboxCursor.insert({ _id, mailboxId: mailbox._id, folder: "INBOX", uidValidity: "1", lastUid: 1 });
  const unreadSince = async () => (await MailboxCursor.get(_id))?.unreadSince ?? null;
  const unread = createUnreadArrivals(createLog("silent"), { notedAfterMs: 50, looksEveryMs: 20 });
  unread.arrived(mailbox, "INBOX");
  await until(async () => (await unreadSince()) !== null, { deadlineMs: 10_000, what: "the note" });
  const since = (await unreadSince())?.getTime() ?? 0;
  expect(await longestUnreadMs(since + YIELDS_AFTER_MS - 1)).toBe(0);
  expect(await longestUnreadMs(since + YIELDS_AFTER_MS)).toBe(YIELDS_AFTER_MS);
  unread.read(mailbox);
  await until(async () => (await unreadSince()) === null, { deadlineMs: 10_000, what: "the note to be cleared" });
  expect(await longestUnreadMs(since + YIELDS_AFTER_MS)).toBe(0);
  unread.stop();
});

const NO_WAIT = { begins() {}, ends() {} };

/** The limit of sends in flight after three busy seconds, while mail has waited this long to be read. */
async function limitBeside(unreadMs: number): Promise<number> {
  const turns = createSendTurns({ unreadMs: async () => unreadMs });
  const end = performance.now() + 3_500;
  const sending = async () => {
    while (performance.now() < end)
      await turns.run("wsp_1", NO_WAIT, () =>
        measureTransaction(() => new Promise((resolve) => setTimeout(resolve, 20))),
      );
  };
  await Promise.all(Array.from({ length: 2 * SENDS_IN_FLIGHT.least }, sending));
  return turns.limit();
}

test("sending slows down while mail waits to be read for more than half a minute", async () => {
  const [yielding, usual] = await Promise.all([limitBeside(YIELDS_AFTER_MS + 1), limitBeside(YIELDS_AFTER_MS)]);
  expect(yielding).toBe(SENDS_IN_FLIGHT.least);
  expect(usual).toBeGreaterThan(yielding);
}, 30_000);
