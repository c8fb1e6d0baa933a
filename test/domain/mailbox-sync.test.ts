import { expect, test } from "@jest/globals";
import { isEvidenceDue, syncBackoffMs } from "../../domain/mailboxes/sync.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";

test("evidence of an email of unknown outcome is sought after 1, 5, 15 and 60 minutes, then every hour for a day", () => {
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

test("a process that begins late looks once, however many looks it has missed", () => {
  expect(isEvidenceDue(7 * MINUTE_MS, null)).toBe(true);
  expect(isEvidenceDue(8 * MINUTE_MS, 7 * MINUTE_MS)).toBe(false);
  expect(isEvidenceDue(26 * 60 * MINUTE_MS, null)).toBe(false);
});

test("after a failure the next watch waits 1 to 60 minutes", () => {
  expect([1, 2, 3, 6, 7, 100].map((failures) => syncBackoffMs(failures) / MINUTE_MS)).toEqual([1, 2, 4, 32, 60, 60]);
});
