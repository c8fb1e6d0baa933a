import { expect, test } from "@jest/globals";
import { type CampaignVolume, dailyCapacity, type MailboxCapacity } from "../../../domain/campaigns/capacity.ts";

const volume: CampaignVolume = {
  dailyLimit: null,
  ramp: null,
  perMailboxDailyLimit: 30,
  minGapSeconds: 540,
  maxGapSeconds: 840,
};
const mailbox: MailboxCapacity = { dailySendLimit: 50, openSeconds: 2 * 3600 };
const five = Array<MailboxCapacity>(5).fill(mailbox);

test.each<[string, Partial<CampaignVolume>, MailboxCapacity[], number]>([
  ["five mailboxes, two hours, a gap of 9 to 14 minutes", {}, five, 50],
  ["no mailbox", {}, [], 0],
  ["the mailbox's part of the campaign", { perMailboxDailyLimit: 8 }, five, 40],
  ["no such part", { perMailboxDailyLimit: 0 }, [{ ...mailbox, openSeconds: 8 * 3600 }], 41],
  ["the campaign's limit", { dailyLimit: 12 }, five, 12],
  ["the ramp", { dailyLimit: 12, ramp: 10 }, five, 10],
  [
    "what warmup and others leave",
    {},
    [{ ...mailbox, dailySendLimit: 20, campaignRoom: 10, campaignsElsewhere: 4, reservedElsewhere: 6 }],
    6,
  ],
  ["nothing of a mailbox whose band is shut", {}, [{ ...mailbox, dailySendLimit: 20, campaignRoom: 0 }], 0],
  ["a mailbox that is used up", {}, [{ ...mailbox, dailySendLimit: 20, reservedElsewhere: 25 }, mailbox], 10],
  [
    "an unlimited mailbox under its provider's limit",
    { perMailboxDailyLimit: 0 },
    [{ dailySendLimit: 0, providerLimit: 500, reservedElsewhere: 497, openSeconds: 7200 }],
    3,
  ],
  ["a mailbox's own gap", {}, [{ ...mailbox, minGapSeconds: 3600, maxGapSeconds: 3600 }], 2],
  [
    "no gap at all",
    { perMailboxDailyLimit: 0, minGapSeconds: 0, maxGapSeconds: 0 },
    [{ dailySendLimit: 0, openSeconds: 60 }],
    60,
  ],
  ["a day that is open for less than a gap", {}, [{ ...mailbox, openSeconds: 60 }], 1],
  ["a closed day", {}, [{ ...mailbox, openSeconds: 0 }], 0],
])(
  "a campaign's daily sending capacity follows from limits, gaps and opening hours: %s",
  (_name, changes, mailboxes, expected) => {
    expect(dailyCapacity({ ...volume, ...changes }, mailboxes)).toBe(expected);
  },
);
