import { expect, test } from "@jest/globals";
import { beginCourse } from "../../../domain/mailboxes/health-course.ts";
import { whyCold } from "../../../domain/mailboxes/warmth.ts";

const health = { ...beginCourse(0), score: 80, busiestDay: null };
const mailbox = { status: "CONNECTED" as const, health };
const warmup = { status: "ACTIVE", warmSince: new Date(0) };

test.each([
  ["one that is connected, warm for long enough and scores 80", mailbox, warmup, []],
  ["one that is watched", { ...mailbox, health: { ...health, band: "WATCH" as const } }, warmup, []],
  ["one whose warmup rests", mailbox, { ...warmup, status: "PAUSED" }, []],
  ["one that scores 79", { ...mailbox, health: { ...health, score: 79 } }, warmup, ["LOW_SCORE"]],
  ["one that nobody has measured", { ...mailbox, health: null }, warmup, ["WITHOUT_SCORE"]],
  ["one that is throttled", { ...mailbox, health: { ...health, band: "THROTTLED" as const } }, warmup, ["BAND"]],
  ["one that is paused", { ...mailbox, status: "PAUSED" as const }, warmup, ["NOT_CONNECTED"]],
  ["one whose warmup has just begun", mailbox, { ...warmup, warmSince: null }, ["WARMUP_TOO_SHORT"]],
  ["one whose warmup was stopped", mailbox, { ...warmup, status: "STOPPED" }, ["NOT_ENROLLED"]],
  ["one without warmup", mailbox, null, ["NOT_ENROLLED"]],
])("a mailbox is warm, or every reason why not is listed: %s", (_name, mailbox, warmup, why) => {
  expect(whyCold(mailbox, warmup)).toEqual(why);
});
