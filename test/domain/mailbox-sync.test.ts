import { expect, test } from "@jest/globals";
import { isEvidenceDue, syncBackoffMs } from "../../domain/mailboxes/sync.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";

test("an email with an unknown send outcome is searched for after 1, 5, 15 and 60 minutes, then every hour for a day", () => {
  const looks: number[] = [];
  for (let minute = 0, last: number | null = null; minute < 60 * 48; minute += 0.5) {
    if (!isEvidenceDue(minute * MINUTE_MS, last)) continue;
    looks.push(minute);
    last = minute * MINUTE_MS;
  }
  expect(looks.slice(0, 6)).toEqual([1, 5, 15, 60, 120, 180]);
  expect(looks.at(-1)).toBe(24 * 60);
  expect(looks).toHaveLength(4 + 23);
});

test("a late search for an email with an unknown send outcome runs once, without repeating missed searches, and never after a day", () => {
  expect(isEvidenceDue(7 * MINUTE_MS, null)).toBe(true);
  expect(isEvidenceDue(8 * MINUTE_MS, 7 * MINUTE_MS)).toBe(false);
  expect(isEvidenceDue(26 * 60 * MINUTE_MS, null)).toBe(false);
});

test("the wait before the next mailbox sync doubles with each failure, from 1 to at most 60 minutes", () => {
  expect([1, 2, 3, 6, 7, 100].map((failures) => syncBackoffMs(failures) / MINUTE_MS)).toEqual([1, 2, 4, 32, 60, 60]);
});
