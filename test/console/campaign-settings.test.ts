import { expect, test } from "@jest/globals";
import {
  KINDS,
  SCHEDULE_GROUPS,
  SENDER_GROUPS,
  SETTING_GROUPS,
} from "../../console/pages/campaign-setup/setting-kinds.ts";
import { readValue, textOf } from "../../console/pages/campaign-setup/setting-texts.ts";
import {
  runsOf,
  shareOfHour,
  type Window,
  weekOf,
  windowsOf,
  withHour,
} from "../../console/pages/campaign-setup/week.ts";
import { weekInWords } from "../../console/words/en/campaign-setup/schedule.ts";
import { settingInWords } from "../../console/words/en/campaign-setup/settings.ts";
import { DEFAULT_SETTINGS } from "../../domain/campaigns/settings.ts";

test("every setting of a campaign is in one group of one tab, or has a part of its own", () => {
  const grouped = [SCHEDULE_GROUPS, SENDER_GROUPS, SETTING_GROUPS].flatMap((groups) => Object.values(groups).flat());
  expect(grouped.toSorted()).toEqual(Object.keys(KINDS).toSorted());
  const names = new Set([...grouped.map((path) => path.split(".")[0]), "windows", "mailboxIds"]);
  expect([...names].toSorted()).toEqual(Object.keys(DEFAULT_SETTINGS).toSorted());
});

test("sending hours stay the same when they become a week and windows again", () => {
  const windows: Window[] = [
    { days: [1, 2, 3, 4, 5], from: "09:00", to: "12:30" },
    { days: [1, 2, 3, 4, 5], from: "13:15", to: "17:00" },
    { days: [7], from: "00:00", to: "24:00" },
  ];
  expect(windowsOf(weekOf(windows))).toEqual(windows);
  expect(
    windowsOf(
      weekOf([
        { days: [1], from: "09:00", to: "11:00" },
        { days: [1], from: "10:00", to: "12:00" },
      ]),
    ),
  ).toEqual([{ days: [1], from: "09:00", to: "12:00" }]);
});

test("an hour can be opened and closed, and an hour that is partly open says so", () => {
  const week = weekOf([{ days: [1], from: "09:30", to: "12:00" }]);
  expect([8, 9, 10].map((hour) => shareOfHour(week, 0, hour))).toEqual(["NONE", "SOME", "ALL"]);
  expect(windowsOf(withHour(week, { day: 0, hour: 9, isOpen: true }))).toEqual([
    { days: [1], from: "09:00", to: "12:00" },
  ]);
  expect(windowsOf(withHour(week, { day: 0, hour: 10, isOpen: false }))).toEqual([
    { days: [1], from: "09:30", to: "10:00" },
    { days: [1], from: "11:00", to: "12:00" },
  ]);
  expect(windowsOf(withHour(week, { day: 6, hour: 23, isOpen: true })).at(-1)).toEqual({
    days: [7],
    from: "23:00",
    to: "24:00",
  });
});

test("sending hours are said in a sentence", () => {
  expect(weekInWords(weekOf(DEFAULT_SETTINGS.windows), "Europe/Berlin")).toBe(
    "Emails leave Monday to Friday 09:00 to 17:00, in Europe/Berlin.",
  );
  expect(weekInWords(weekOf([]), "UTC")).toBe("Emails never leave: no hour is open.");
  expect(
    runsOf(weekOf([{ days: [1, 2, 4], from: "09:00", to: "10:00" }])).map(({ first, last }) => [first, last]),
  ).toEqual([
    [0, 1],
    [3, 3],
  ]);
});

test.each([
  ["number", 30, "30"],
  ["number", null, ""],
  ["share", 0.035, "3.5"],
  ["share", 0.001, "0.1"],
  ["list", ["a@x.test", "b@x.test"], "a@x.test\nb@x.test"],
  ["pairs", { firstName: "there", company: "a = b" }, "firstName = there\ncompany = a = b"],
  ["text", "DE", "DE"],
] as const)("the value of a %s keeps its meaning as the text of a field", (kind, value, text) => {
  expect(textOf(kind, value, "UTC")).toBe(text);
  expect(readValue(kind, text)).toEqual(value);
});

test("a time is shown in the campaign's zone", () => {
  expect(textOf("moment", "2027-01-04T23:30:00.000Z", "Europe/Berlin")).toBe("2027-01-05T00:30");
});

test("values of settings have words", () => {
  expect(settingInWords("dailyLimit", null)).toBe("no limit");
  expect(settingInWords("bounceGuard.rate", 0.035)).toBe("3.5%");
  expect(settingInWords("rotation", "ROUND_ROBIN")).toBe("each mailbox in turn");
  expect(settingInWords("launchBlockers", ["NO_POSTAL_ADDRESS"])).toBe("1 warning blocks");
});
