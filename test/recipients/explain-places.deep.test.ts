import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { bookStep } from "../../store/sending/book.ts";
import { calendarOf } from "../../store/sending/calendar.ts";
import { peekPlace } from "../../store/sending/slot-preview.ts";
import type { BookingRequest } from "../../store/sending/slot-search.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let workspace: Awaited<ReturnType<World["workspace"]>>;
beforeAll(async () => {
  world = await startWorld();
  workspace = await world.workspace();
});
afterAll(() => world.close());

const START = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 48 * HOUR_MS;

const limit = fc.option(fc.integer({ min: 1, max: 4 }), { nil: null });
const settings = fc.record({
  windows: fc.constantFrom(
    [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }],
    [{ days: [1, 2, 3, 4, 5], from: "09:00", to: "10:00" }],
  ),
  dailyLimit: limit,
  maxNewLeadsPerDay: limit,
  rampEnabled: fc.boolean(),
  rampStart: fc.constant(2),
  recipientDomainHourlyLimit: limit,
  perMailboxDailyLimit: fc.integer({ min: 0, max: 3 }),
  minGapSeconds: fc.constantFrom(0, 600),
  maxGapSeconds: fc.constant(1_200),
});

async function setting(chosen: object, dailySendLimit: number) {
  const { rest, workspaceId } = workspace;
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, []);
  expect(await rest.patch(`${path}/settings`, chosen)).toMatchObject({ status: 200 });
  const { Campaign, Mailbox } = scoped(workspaceId);
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { dailySendLimit, nextAt: new Date(START + 120_000) } });
  const [campaign, sender] = [await Campaign.get(campaignId), await Mailbox.get(mailbox._id)];
  if (campaign === null || sender === null) throw new Error("it is gone");
  const known = settingsOf(campaign.settings);
  const calendar = await calendarOf(known, sender, null, null, START);
  return (stepId: string, isNewLead: boolean): BookingRequest => ({
    campaign,
    settings: known,
    mailbox: sender,
    calendar,
    stepId,
    isNewLead,
    earliest: START,
    latest: START + 60 * 24 * HOUR_MS,
    recipient: { _id: newId("rcp"), leadId: newId("led"), email: `${newId("led")}@one.test` },
  });
}

test("the predicted slot is the slot that is then booked, and a recipient's own booking does not block the prediction", async () => {
  await fc.assert(
    fc.asyncProperty(
      settings,
      fc.integer({ min: 0, max: 5 }),
      fc.array(fc.boolean(), { minLength: 4, maxLength: 7 }),
      async (chosen, cap, news) => {
        const requestOf = await setting(chosen, cap);
        for (const isNewLead of news) {
          const request = requestOf("stp_1", isNewLead);
          // The gap is drawn from the row's id, so the row exists beforehand, as after a release
          const row = await scoped(workspace.workspaceId).Send.insert({
            _id: newId("snd"),
            ...rowOf(request),
            state: "RELEASED",
          });
          const { slotAt, passed } = await peekPlace(request, row);
          const booked = await inTransaction(() => bookStep(request));
          expect(slotAt).toBe(booked?.slotAt.getTime() ?? null);
          if (slotAt !== START) expect(passed).not.toEqual([]);
          if (booked !== null)
            expect((await peekPlace(request, booked.send)).slotAt).toBeLessThanOrEqual(booked.slotAt.getTime());
        }
      },
    ),
    { numRuns: 12 },
  );
}, 60_000);

function rowOf({
  campaign,
  recipient,
  mailbox,
  stepId,
}: BookingRequest): Pick<Send, "campaignId" | "recipientId" | "mailboxId" | "stepId" | "to"> {
  return { campaignId: campaign._id, recipientId: recipient._id, mailboxId: mailbox._id, stepId, to: recipient.email };
}
