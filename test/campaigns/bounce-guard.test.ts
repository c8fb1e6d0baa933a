import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId, randomBase62 } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { tripBounceGuard } from "../../store/campaigns/auto-pause.ts";
import { createGates, shardOf } from "../../store/campaigns/gates.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let workspaceId: string;

beforeAll(async () => {
  world = await startWorld();
  ({ workspaceId } = await world.workspace());
});
afterAll(() => world.close());

async function campaignWith(sent: number, bounced: number, more: object = {}): Promise<string> {
  const { Campaign, Recipient, Send } = scoped(workspaceId);
  const campaignId = newId("cmp");
  await Campaign.insert({
    _id: campaignId,
    name: "Guarded",
    status: "ACTIVE",
    statusChangedAt: new Date(),
    sequenceId: newId("seq"),
    settings: {},
    ...more,
  });
  await inTransaction(() => createGates(workspaceId, campaignId, true));
  const rows = Array.from({ length: sent }, () => ({
    _id: newId("snd"),
    campaignId,
    to: "a@b.test",
    state: "SENT" as const,
    claimedAt: new Date(),
  }));
  await Send.insertMany(rows);
  const people = Array.from({ length: bounced }, (_, index) => {
    const _id = newId("rcp");
    const email = `${index}@b.test`;
    return {
      _id,
      campaignId,
      leadId: newId("led"),
      email,
      cid: randomBase62(14),
      shard: shardOf(_id),
      status: "BOUNCED" as const,
      bouncedAt: new Date(),
      bounce: { type: "HARD" as const, reason: "USER_UNKNOWN", code: "5.1.1", diagnostic: null },
    };
  });
  if (people.length > 0) await Recipient.insertMany(people);
  return campaignId;
}

test.each([
  [49, 49, false],
  [100, 2, false],
  [100, 3, true],
])("after %i emails and %i hard bounces the guard has paused the campaign: %s", async (sent, bounced, isPaused) => {
  const campaignId = await campaignWith(sent, bounced);
  expect(await tripBounceGuard(workspaceId, campaignId)).toBe(isPaused);
  const campaign = await scoped(workspaceId).Campaign.get(campaignId);
  expect([campaign?.status, campaign?.pauseReason]).toEqual(isPaused ? ["PAUSED", "BOUNCE_GUARD"] : ["ACTIVE", null]);
  expect(await scoped(workspaceId).Gate.count({ ownerId: campaignId, isOpen: true })).toBe(isPaused ? 0 : 16);
});

test("a campaign that was resumed by hand, or whose guard is off, keeps running", async () => {
  const overridden = await campaignWith(60, 30, { guardOverrideUntil: new Date(Date.now() + 60_000) });
  const off = await campaignWith(60, 30, { settings: { bounceGuard: { enabled: false } } });
  expect(await tripBounceGuard(workspaceId, overridden)).toBe(false);
  expect(await tripBounceGuard(workspaceId, off)).toBe(false);
});
