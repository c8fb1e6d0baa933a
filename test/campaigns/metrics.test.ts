import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { startWorld, type World } from "../support/world.ts";
import { readyCampaign } from "./campaign-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const AT = new Date();
const HARD = { type: "HARD" as const, reason: "USER_UNKNOWN", code: "5.1.1", diagnostic: null };
const SOFT = { ...HARD, type: "SOFT" as const };

async function campaignWith(
  people: Partial<Recipient>[],
  states: ("SENT" | "BOUNCED" | "FAILED" | "UNKNOWN" | "RESERVED")[] = [],
) {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId } = await readyCampaign(rest, workspaceId, []);
  const { Recipient, Send } = scoped(workspaceId);
  const rows = people.map((fields, index) => ({
    _id: newId("rcp"),
    campaignId,
    leadId: newId("led"),
    email: `${index}@b.test`,
    cid: newId("rcp"),
    shard: 0,
    ...fields,
  }));
  if (rows.length > 0) await Recipient.insertMany(rows);
  const sends = states.map((state) => ({
    _id: newId("snd"),
    campaignId,
    recipientId: newId("rcp"),
    to: "a@b.test",
    state,
  }));
  if (sends.length > 0) await Send.insertMany(sends);
  return (await rest.get(path)).body.metrics;
}

test("rates are shares of the contacted people, bounced ones included, and automatic replies are counted separately", async () => {
  const metrics = await campaignWith([
    { lastSentAt: AT, repliedAt: AT, status: "REPLIED" },
    { lastSentAt: AT, autoRepliedAt: AT, status: "IN_PROGRESS" },
    { lastSentAt: AT, bouncedAt: AT, bounce: HARD, status: "BOUNCED" },
    { lastSentAt: AT, bounce: SOFT, status: "IN_PROGRESS" },
    { lastSentAt: AT, openedAt: AT, clickedAt: AT, unsubscribedAt: AT, status: "UNSUBSCRIBED" },
    // Refused in the SMTP dialogue
    { bouncedAt: AT, bounce: HARD, status: "BOUNCED" },
    // The bounce came in another campaign, and the reply was to another campaign
    { bouncedAt: AT, status: "BOUNCED" },
    { status: "REPLIED" },
    { status: "PENDING" },
  ]);
  expect(metrics).toMatchObject({
    contacted: 6,
    replied: 1,
    autoReplied: 1,
    bounced: 2,
    opened: 1,
    clicked: 1,
    unsubscribed: 1,
    replyRate: 1 / 6,
    bounceRate: 2 / 6,
    positiveReplies: 0,
    conversions: 0,
    complained: 0,
  });
});

test("an email counts as sent once it is out, and as delivered unless it bounces", async () => {
  const metrics = await campaignWith([], ["SENT", "SENT", "BOUNCED", "FAILED", "UNKNOWN", "RESERVED"]);
  expect(metrics).toMatchObject({ sent: 3, delivered: 2, contacted: 0, replyRate: 0, bounceRate: 0 });
});

test("revenue is summed in decimals, separately for each currency", async () => {
  const metrics = await campaignWith([
    { revenueAmount: "0.1", revenueCurrency: "EUR", meetingBooked: true },
    { revenueAmount: "0.2", revenueCurrency: "EUR" },
    { revenueAmount: "999999999999.9999", revenueCurrency: "USD" },
    { revenueAmount: "0.0001", revenueCurrency: "USD" },
  ]);
  expect(metrics.revenue).toEqual([
    { currency: "EUR", amount: "0.30" },
    { currency: "USD", amount: "1000000000000" },
  ]);
  expect(metrics.meetings).toBe(1);
});
