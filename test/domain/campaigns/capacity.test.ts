import { expect, test } from "@jest/globals";
import {
  type Audience,
  type CampaignVolume,
  dailyCapacity,
  expectedFinish,
  type MailboxCapacity,
  type SendingDay,
} from "../../../domain/campaigns/capacity.ts";
import { DAY_MS, HOUR_MS } from "../../../domain/time/durations.ts";

const volume: CampaignVolume = { dailyLimit: null, ramp: null, perMailboxDailyLimit: 30, minGapSeconds: 540, maxGapSeconds: 840 };
const mailbox: MailboxCapacity = { dailySendLimit: 50, openSeconds: 2 * 3600 };
const five = Array<MailboxCapacity>(5).fill(mailbox);

test.each<[string, Partial<CampaignVolume>, MailboxCapacity[], number]>([
  ["five mailboxes, two hours, a gap of 9 to 14 minutes", {}, five, 50],
  ["no mailbox", {}, [], 0],
  ["the mailbox's part of the campaign", { perMailboxDailyLimit: 8 }, five, 40],
  ["no such part", { perMailboxDailyLimit: 0 }, [{ ...mailbox, openSeconds: 8 * 3600 }], 41],
  ["the campaign's limit", { dailyLimit: 12 }, five, 12],
  ["the ramp", { dailyLimit: 12, ramp: 10 }, five, 10],
  ["what warmup and others leave", {}, [{ ...mailbox, dailySendLimit: 20, plannedWarmup: 10, reservedElsewhere: 4 }], 6],
  ["a mailbox that is used up", {}, [{ ...mailbox, dailySendLimit: 20, reservedElsewhere: 25 }, mailbox], 10],
  [
    "an unlimited mailbox under its provider's limit",
    { perMailboxDailyLimit: 0 },
    [{ dailySendLimit: 0, providerLimit: 500, reservedElsewhere: 497, openSeconds: 7200 }],
    3,
  ],
  ["a mailbox's own gap", {}, [{ ...mailbox, minGapSeconds: 3600, maxGapSeconds: 3600 }], 2],
  ["no gap at all", { perMailboxDailyLimit: 0, minGapSeconds: 0, maxGapSeconds: 0 }, [{ dailySendLimit: 0, openSeconds: 60 }], 60],
  ["a closed day", {}, [{ ...mailbox, openSeconds: 0 }], 0],
])("the capacity of a day: %s", (_name, changes, mailboxes, expected) => {
  expect(dailyCapacity({ ...volume, ...changes }, mailboxes)).toBe(expected);
});

// Monday
const monday = Date.parse("2026-11-23T09:00Z");
const audience: Audience = {
  from: monday,
  calendar: { zone: "UTC", windows: [{ days: [1, 2, 3, 4, 5], from: "09:00", to: "17:00" }] },
  recipients: 10,
  delays: [{ value: 0, unit: "DAYS" }],
};
const finish = (changes: Partial<Audience>, capacityOf: (day: SendingDay) => number = () => 10) => {
  const at = expectedFinish({ ...audience, ...changes }, capacityOf);
  return at === null ? null : new Date(at).toISOString().slice(0, 16);
};
const threeDays = { value: 3, unit: "DAYS" } as const;

test.each<[string, Partial<Audience>, ((day: SendingDay) => number) | undefined, string | null]>([
  ["nobody to write to", { recipients: 0 }, undefined, "2026-11-23T09:00"],
  ["one day", {}, undefined, "2026-11-23T17:00"],
  ["half a day", { recipients: 5 }, undefined, "2026-11-23T13:00"],
  ["over the weekend", { recipients: 60 }, undefined, "2026-11-30T17:00"],
  ["a first delay", { delays: [{ value: 2, unit: "DAYS" }] }, undefined, "2026-11-25T17:00"],
  ["a follow-up three days later", { delays: [{ value: 0, unit: "DAYS" }, threeDays] }, undefined, "2026-11-26T17:00"],
  [
    "one whose day is a Sunday",
    {
      from: monday + 4 * DAY_MS,
      delays: [
        { value: 0, unit: "DAYS" },
        { value: 2, unit: "DAYS" },
      ],
    },
    undefined,
    "2026-11-30T17:00",
  ],
  [
    "business days",
    {
      from: monday + 4 * DAY_MS,
      delays: [
        { value: 0, unit: "DAYS" },
        { value: 2, unit: "BUSINESS_DAYS" },
      ],
    },
    undefined,
    "2026-12-01T17:00",
  ],
  // Mon 10 new, Tue 10 new, Wed 10 new, Thu 10 follow-ups, Fri 10, then Mon 10
  ["follow-ups before new leads", { recipients: 30, delays: [{ value: 0, unit: "DAYS" }, threeDays] }, undefined, "2026-11-30T17:00"],
  ["few new leads a day", { recipients: 10, maxNewLeadsPerDay: 2 }, undefined, "2026-11-27T10:36"],
  ["a ramp", { recipients: 30 }, ({ sendingDaysSoFar }) => 5 + 5 * sendingDaysSoFar, "2026-11-25T17:00"],
  [
    "by open time, the first day in part",
    { from: monday + 4 * HOUR_MS, recipients: 12 },
    ({ openSeconds }) => openSeconds / 3600,
    "2026-11-24T17:00",
  ],
  ["people on their way", { recipients: 0, waiting: [{ step: 0, dueAt: monday + DAY_MS, count: 10 }] }, undefined, "2026-11-24T17:00"],
  ["no capacity", {}, () => 0, null],
  ["more than ten years", { recipients: 100_000 }, () => 10, null],
  ["an end before", { recipients: 60, calendar: { ...audience.calendar, endAt: monday + 3 * DAY_MS } }, undefined, null],
  ["never open", { calendar: { zone: "UTC", windows: [] } }, undefined, null],
])("the expected finish: %s", (_name, changes, capacityOf, expected) => {
  expect(finish(changes, capacityOf)).toBe(expected);
});

test("a hundred thousand recipients of five steps are simulated in full, and every mail is counted", () => {
  let mails = 0;
  const days: SendingDay[] = [];
  const delays = [{ value: 0, unit: "DAYS" } as const, threeDays, threeDays, threeDays, threeDays];
  const at = expectedFinish({ ...audience, recipients: 100_000, delays }, (day) => {
    days.push(day);
    mails += 400;
    return 400;
  });
  expect(at).not.toBeNull();
  expect(days.length).toBeLessThan(1300);
  expect(mails).toBeGreaterThanOrEqual(500_000);
});
