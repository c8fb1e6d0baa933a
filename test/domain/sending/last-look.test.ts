import { expect, test } from "@jest/globals";
import { ATTEMPT_MS, allowanceOf, ENTERS_WITHIN_MS, heldBackMs } from "../../../domain/sending/last-look.ts";
import { RecentTimes } from "../../../domain/sending/recent-times.ts";

test.each([
  ["half a second while transactions are quick", 20, 0, ENTERS_WITHIN_MS],
  ["half a second before any was measured", null, 0, ENTERS_WITHIN_MS],
  ["twice what transactions take", 4_200, 0, 8_400],
  ["in whole milliseconds", 4_200.3, 0, 8_400],
  ["half a minute at most, because a stop may wait for it", 20_000, 0, 30_000],
  ["no longer than the attempt", 4_200, ATTEMPT_MS - 5_000, 5_000],
  ["nothing when the look would come after the attempt", 4_200, ATTEMPT_MS - 4_000, null],
  ["nothing when the look would take more than half a minute", 31_000, 0, null],
  ["nothing when the attempt is over", 20, ATTEMPT_MS, null],
])("the time allowance of the last check before sending is %s", (_, usualMs, elapsedMs, allowed) => {
  expect(allowanceOf(usualMs, elapsedMs)).toBe(allowed);
});

test("an email that the slow database holds back waits twice as long each time, up to five minutes, plus or minus a quarter", () => {
  const waits = [0, 1, 2, 3, 4, 5, 50].map((times) => heldBackMs(times, 0.5));
  expect(waits).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  expect([heldBackMs(0, 0), heldBackMs(0, 1)]).toEqual([7_500, 12_500]);
});

test("the 95th percentile of transaction times counts the last minute only, and the mean counts transactions after the given time only", () => {
  const times = new RecentTimes();
  expect(times.p95(0)).toBeNull();
  for (let each = 1; each <= 100; each++) times.note(each, each);
  expect(times.p95(100)).toBe(95);
  times.note(60_200, 7_000);
  expect(times.p95(60_200)).toBe(7_000);
  expect(times.meanSince(60_100)).toBe(7_000);
  expect(times.meanSince(60_200)).toBeNull();
});
