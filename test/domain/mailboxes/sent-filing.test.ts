import { expect, test } from "@jest/globals";
import {
  filerOf,
  filingWaitMs,
  isLookDue,
  isSecondLookDue,
  learnFiling,
  type SentCopySeen,
  type SentFiling,
} from "../../../domain/mailboxes/sent-filing.ts";
import { DAY_MS } from "../../../domain/time/durations.ts";

const AT = new Date("2026-11-28T08:00:00Z");
const after = (...seen: SentCopySeen[]) =>
  seen.reduce<SentFiling | null>((filing, one) => learnFiling(filing, one, AT), null);

test("a server that filed three sent copies in a row is checked once a day; one that files none is checked at every email", () => {
  const [server, us] = [after("FOUND", "FOUND", "FOUND"), after("MISSED", "MISSED", "MISSED")];
  expect([null, after("FOUND", "FOUND"), server, us].map(filerOf)).toEqual(["UNKNOWN", "UNKNOWN", "SERVER", "US"]);
  const now = AT.getTime();
  expect([null, us, server].map((filing) => isLookDue(filing, now))).toEqual([true, true, false]);
  expect(isLookDue(server, now + DAY_MS)).toBe(true);
  expect([null, us, server].map((filing) => isSecondLookDue(filing, now))).toEqual([true, false, true]);
  expect(isSecondLookDue(us, now + DAY_MS)).toBe(true);
});

test("after one observation that differs, it is unknown again whether the mailbox's server files copies", () => {
  expect(filerOf(after("FOUND", "FOUND", "FOUND", "MISSED"))).toBe("UNKNOWN");
  expect(filerOf(after("MISSED", "MISSED", "MISSED", "FOUND"))).toBe("UNKNOWN");
  expect(filerOf(after("FOUND", "FOUND", "MISSED", "FOUND"))).toBe("UNKNOWN");
});

test("a server whose copy once came after ours gets a longer wait", () => {
  expect(filingWaitMs(after("LATE"))).toBeGreaterThan(filingWaitMs(after("FOUND")));
  expect(filingWaitMs(after("LATE", "FOUND"))).toBe(filingWaitMs(after("LATE")));
});
