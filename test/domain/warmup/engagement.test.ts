import { expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/time/durations.ts";
import { isOpen } from "../../../domain/time/schedule.ts";
import { warmupHours } from "../../../domain/warmup/day.ts";
import {
  answerAt,
  deletedAt,
  MISSING_AFTER_MS,
  readAt,
  triedAgainAt,
  wishFor,
} from "../../../domain/warmup/engagement.ts";
import { DEFAULT_CONFIG, stateAfter } from "../../../domain/warmup/enrolment.ts";

const ALWAYS = warmupHours({ timezone: "UTC", days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }, "UTC", false);
const NOON = Date.parse("2026-11-24T12:00:00Z");
const ids = Array.from({ length: 10_000 }, (_, number) => `wml_${number}`);
const share = (is: (id: string) => boolean) => ids.filter(is).length / ids.length;

test("half of the warmup emails are read within 40 minutes, most within about two hours, and all within ten hours after arrival", () => {
  const waits = ids.map((id) => readAt(id, NOON, ALWAYS) - NOON).sort((one, other) => one - other);
  expect(Math.abs((waits[5_000] ?? 0) - 40 * MINUTE_MS)).toBeLessThan(2 * MINUTE_MS);
  expect(waits[9_000]).toBeLessThan(2.2 * HOUR_MS);
  expect(waits[0]).toBeGreaterThan(0);
  expect(waits.at(-1)).toBeLessThanOrEqual(10 * HOUR_MS);
});

test("an answer to a warmup email follows 10 to 180 minutes after reading, and only within the reader's warmup hours", () => {
  const hours = warmupHours(null, "UTC", false);
  for (const id of ids.slice(0, 500)) {
    const read = Date.parse("2026-11-24T17:30:00Z");
    const at = answerAt(id, read, hours);
    expect(isOpen(hours, at)).toBe(true);
    expect(at - read).toBeGreaterThanOrEqual(10 * MINUTE_MS);
    const wait = answerAt(id, NOON, ALWAYS) - NOON;
    expect(wait).toBeGreaterThanOrEqual(10 * MINUTE_MS);
    expect(wait).toBeLessThanOrEqual(180 * MINUTE_MS);
  }
});

test("answers, flags and rescues from Junk happen at the configured rates, and the same email always gets the same actions", () => {
  const opener = { replyRate: 0.3 };
  const wish = (id: string, isInSpam = false) =>
    wishFor({ id, turn: 1, isInSpam }, { spamRescueRate: 0.7, importantRate: 0.2 }, opener);
  expect(share((id) => wish(id).answer)).toBeCloseTo(0.3, 1);
  expect(share((id) => wish(id).important)).toBeCloseTo(0.2, 1);
  expect(share((id) => wish(id, true).rescue)).toBeCloseTo(0.7, 1);
  expect(share((id) => wish(id).rescue)).toBe(0);
  const [once, again] = [ids.map((id) => wish(id)), ids.map((id) => wish(id))];
  expect(again).toEqual(once);
});

test("a warmup email left in Junk is neither flagged nor answered, and the fourth email of a conversation is not answered", () => {
  const never = { spamRescueRate: 0, importantRate: 1 };
  expect(wishFor({ id: "wml_1", turn: 1, isInSpam: true }, never, { replyRate: 0.6 })).toEqual({
    rescue: false,
    important: false,
    answer: false,
  });
  expect(share((id) => wishFor({ id, turn: 4, isInSpam: false }, DEFAULT_CONFIG, { replyRate: 0.6 }).answer)).toBe(0);
});

test("an archived warmup email is deleted after 30 days, together with the other emails archived on the same day", () => {
  const at = deletedAt(NOON);
  expect(at - NOON).toBeGreaterThanOrEqual(30 * DAY_MS);
  expect(at).toBe(deletedAt(NOON + 11 * HOUR_MS));
});

test("an unreachable mailbox is retried after growing waits, and no more after two days", () => {
  const first = triedAgainAt(NOON, NOON) ?? 0;
  const later = triedAgainAt(NOON - 6 * HOUR_MS, NOON) ?? 0;
  expect(first - NOON).toBe(5 * MINUTE_MS);
  expect(later - NOON).toBe(4 * HOUR_MS);
  expect(triedAgainAt(NOON - MISSING_AFTER_MS - 1, NOON)).toBeNull();
});

test("each warmup action changes only the states that allow the action: start, pause, stop and reconnect", () => {
  const states = [null, "ACTIVE", "PAUSED", "STOPPED", "RECONNECT_REQUIRED", "SUSPENDED"] as const;
  const after = (action: "start" | "pause" | "stop" | "reconnect") => states.map((state) => stateAfter(action, state));
  expect(after("start")).toEqual(["ACTIVE", "ACTIVE", "ACTIVE", "ACTIVE", null, null]);
  expect(after("pause")).toEqual([null, "PAUSED", "PAUSED", null, null, null]);
  expect(after("stop")).toEqual([null, "STOPPED", "STOPPED", "STOPPED", "STOPPED", "STOPPED"]);
  expect(after("reconnect")).toEqual([null, "ACTIVE", null, null, "ACTIVE", null]);
});
