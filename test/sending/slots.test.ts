import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { firstFreeSlot } from "../../domain/sending/pacing.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { takeSlot } from "../../store/sending/slots.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let workspaceId: string;
beforeAll(async () => {
  world = await startWorld();
  ({ workspaceId } = await world.workspace());
});
afterAll(() => world.close());

const START = Date.now() + 48 * HOUR_MS;
const DAY = new Date(START).toISOString().slice(0, 10);

/** One day of a new mailbox, in which slots can be taken. */
async function freeDay(dailySendLimit: number) {
  const mailbox = await storedMailbox(workspaceId, { dailySendLimit });
  const take = (from: number, until: number, gapMs: number, { campaignId = "cmp_1", campaignLimit = 0 } = {}) =>
    takeSlot({ mailbox, sendId: newId("snd"), campaignId, campaignLimit, day: DAY, from, until, gapMs });
  return { mailbox, take };
}

test("booking finds the first slot of a day that is at least a gap away from every taken slot", async () => {
  const seconds = (most: number) => fc.integer({ min: 0, max: most }).map((amount) => amount * 1_000);
  const wish = fc.record({ from: seconds(40), until: seconds(90), gapMs: seconds(12) });
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { minLength: 2, maxLength: 12 }), async (wishes) => {
      const { take } = await freeDay(0);
      const taken: number[] = [];
      for (const { from, until, gapMs } of wishes) {
        const expected = firstFreeSlot(taken, START + from, START + until, gapMs);
        expect((await take(START + from, START + until, gapMs))?.getTime() ?? null).toBe(expected);
        if (expected !== null) taken.push(expected);
        taken.sort((one, other) => one - other);
      }
    }),
    { numRuns: 25 },
  );
}, 60_000);

test("a day offers at most as many slots as the mailbox may still send, and a campaign gets at most its share", async () => {
  const { mailbox, take } = await freeDay(4);
  const theirs = { campaignId: "cmp_2", campaignLimit: 1 };
  const anywhere = (options = {}) => take(START, START + 60_000, 1_000, options);
  expect(await anywhere(theirs)).not.toBeNull();
  expect(await anywhere(theirs)).toBeNull();
  await scoped(workspaceId).MailboxDay.updateOne({ _id: `${mailbox._id}:${DAY}` }, { $inc: { sent: 1 } });
  expect([await anywhere(), await anywhere(), await anywhere()].map((slot) => slot !== null)).toEqual([
    true,
    true,
    false,
  ]);
});
