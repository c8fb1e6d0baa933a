import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { rebookStep } from "../../store/recipients/book-next-step.ts";
import { bringForwardCampaign, bringForwardMailbox } from "../../store/recipients/bring-forward.ts";
import { loadSituation } from "../../store/recipients/recipient-state.ts";
import type { Wake } from "../../store/recipients/waking.ts";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { campaignOf } from "../campaigns/round-parts.ts";
import { startWorld, type World } from "../support/world.ts";

/** Booked so far ahead that a slot today is worth moving to. */
const SOON_MS = 60_000;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

interface Case {
  settings?: object;
  mailbox?: Partial<Mailbox>;
  /** The change that lifts the limit that pushed the email away. */
  freed: { settings?: object; mailbox?: object };
}

const tomorrowOnly = [{ days: [new Date(Date.now() + DAY_MS).getUTCDay() || 7], from: "00:00", to: "24:00" }];
const workday = { timezone: "UTC", days: [new Date(Date.now() + DAY_MS).getUTCDay() || 7], from: "00:00", to: "24:00" };

const CASES: Record<string, Case> = {
  "the mailbox's daily limit": { mailbox: { dailySendLimit: 1 }, freed: { mailbox: { dailySendLimit: 0 } } },
  "the campaign's limit per mailbox": {
    settings: { perMailboxDailyLimit: 1 },
    freed: { settings: { perMailboxDailyLimit: 0 } },
  },
  "the campaign's daily limit": { settings: { dailyLimit: 1 }, freed: { settings: { dailyLimit: 50 } } },
  "the campaign's hours": { settings: { windows: tomorrowOnly }, freed: { settings: { windows: ALWAYS } } },
  "the mailbox's workday": { mailbox: { workday }, freed: { mailbox: { workday: null } } },
  "a long gap of the mailbox": {
    mailbox: { minGapSeconds: 80_000, maxGapSeconds: 80_000 },
    freed: { mailbox: { minGapSeconds: 0, maxGapSeconds: 0 } },
  },
  "a throttle by domain": { settings: { companyDailyLimit: 1 }, freed: { settings: { companyDailyLimit: null } } },
};

test.each(Object.keys(CASES))(
  "when %s is lifted, a delayed email moves to an earlier slot and the recipient's run is signalled",
  async (name) => {
    const { settings = {}, mailbox = {}, freed = {} } = CASES[name] ?? {};
    const people = { "ada@firm.test": {}, "bob@firm.test": {} };
    const { rest, workspaceId, path, campaignId, mailboxes } = await campaignOf(world, people, settings, [
      { dailySendLimit: 0, ...mailbox },
    ]);
    const [sender] = mailboxes;
    const { Campaign, OutboxRow, Recipient, Send } = scoped(workspaceId);
    const steps = [mail("one", "One"), mail("two", "Two")];
    await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
    const { body: sequence } = await rest.get(`${path}/sequence`);
    const nextStepId = sequence.steps[1].stepId;
    // Both have had their first email and wait for the second
    const since = {
      status: "IN_PROGRESS" as const,
      sentCount: 1,
      nextStepId,
      mailboxId: sender?._id ?? "",
      admittedAt: new Date(),
      lastSentAt: new Date(),
    };
    const recipients = await Recipient.find({ campaignId }, { sort: { _id: 1 } });
    for (const { _id: recipientId } of recipients) {
      await Recipient.updateOne({ _id: recipientId }, { $set: since });
      const situation = await loadSituation({ v: 1, workspaceId, campaignId, recipientId });
      if (situation?.mailbox) await rebookStep(situation, situation.send, situation.mailbox, Date.now());
    }
    const slots = async () =>
      (await Send.find({ campaignId }, { sort: { recipientId: 1 } })).map(
        ({ slotAt }) => (slotAt?.getTime() ?? 0) - Date.now(),
      );
    const [, second = 0] = await slots();
    expect(second).toBeGreaterThan(SOON_MS);

    await OutboxRow.deleteMany({});
    const told: string[] = [];
    const wake: Wake = async ({ recipientId }, signal) => void told.push(`${recipientId} ${signal}`);
    if (freed.mailbox) {
      await rest.post("/mailboxes/manage", { action: "updateSettings", mailboxId: sender?._id, patch: freed.mailbox });
      expect(await OutboxRow.count({ kind: "MAILBOX", "payload.signal": "freed" })).toBe(1);
      await bringForwardMailbox(workspaceId, sender?._id ?? "", wake);
    } else {
      await rest.patch(`${path}/settings`, freed.settings ?? {});
      expect((await Campaign.get(campaignId))?.freedAt).toBeInstanceOf(Date);
      await bringForwardCampaign(workspaceId, campaignId, wake);
    }
    for (const inMs of await slots()) expect(inMs).toBeLessThan(SOON_MS);
    expect(told).toContain(`${recipients[1]?._id} replan`);
    const { nextSendAt } = (await Recipient.get(recipients[1]?._id ?? "")) ?? {};
    expect(nextSendAt?.getTime()).toBeLessThan(Date.now() + SOON_MS);
  },
);

test("an email for which no earlier slot is possible keeps its slot, and the recipient's run gets no signal", async () => {
  const { rest, workspaceId, path, campaignId, mailboxes } = await campaignOf(world, { "ada@firm.test": {} }, {}, [
    { dailySendLimit: 0 },
  ]);
  await rest.put(`${path}/sequence`, {
    action: "replaceSteps",
    steps: [mail("one", "One"), mail("two", "Two", { delay: 3 })],
  });
  const { body: sequence } = await rest.get(`${path}/sequence`);
  const { Recipient, Send } = scoped(workspaceId);
  const nextStepId = sequence.steps[1].stepId;
  const since = {
    status: "IN_PROGRESS" as const,
    sentCount: 1,
    nextStepId,
    admittedAt: new Date(),
    lastSentAt: new Date(),
  };
  const recipient = await Recipient.findOneAndUpdate(
    { campaignId },
    { $set: { ...since, mailboxId: mailboxes[0]?._id ?? "" } },
  );
  const situation = await loadSituation({ v: 1, workspaceId, campaignId, recipientId: recipient?._id ?? "" });
  if (situation?.mailbox) await rebookStep(situation, situation.send, situation.mailbox, Date.now() + 3 * DAY_MS);
  const before = (await Send.findOne({ campaignId }))?.slotAt;
  const wake: Wake = async () => {
    throw new Error("nobody is to be told");
  };
  expect(await bringForwardMailbox(workspaceId, mailboxes[0]?._id ?? "", wake)).toBe(0);
  expect(await bringForwardCampaign(workspaceId, campaignId, wake)).toBe(0);
  expect((await Send.findOne({ campaignId }))?.slotAt).toEqual(before);
});
