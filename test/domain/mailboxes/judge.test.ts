import { expect, test } from "@jest/globals";
import type { Band } from "../../../domain/mailboxes/band.ts";
import { byDay, countFacts, type FactCounts, NO_FACTS } from "../../../domain/mailboxes/health-facts.ts";
import { BAND_THRESHOLDS, judge } from "../../../domain/mailboxes/judge.ts";

const bandBy = (facts: Partial<FactCounts>): Band => judge({ ...NO_FACTS, ...facts }, BAND_THRESHOLDS).band;

const WARMUP = 1_000;
const MAILS = 10_000;

/** Facts that reach a threshold exactly, and the same with one fact less. */
const EDGES: [string, Partial<FactCounts>, Band, Partial<FactCounts>, Band][] = [
  ["10 % of warmup in Junk", { seen: WARMUP, inSpam: 100 }, "WATCH", { seen: WARMUP, inSpam: 99 }, "HEALTHY"],
  ["15 % of warmup in Junk", { seen: WARMUP, inSpam: 150 }, "THROTTLED", { seen: WARMUP, inSpam: 149 }, "WATCH"],
  ["20 % of warmup in Junk", { seen: WARMUP, inSpam: 200 }, "QUARANTINED", { seen: WARMUP, inSpam: 199 }, "THROTTLED"],
  ["40 % of warmup in Junk", { seen: WARMUP, inSpam: 400 }, "BLOCKED", { seen: WARMUP, inSpam: 399 }, "QUARANTINED"],
  ["0.03 % complaints", { sent: MAILS, complained: 3 }, "WATCH", { sent: MAILS, complained: 2 }, "HEALTHY"],
  ["0.06 % complaints", { sent: MAILS, complained: 6 }, "THROTTLED", { sent: MAILS, complained: 5 }, "WATCH"],
  ["0.10 % complaints", { sent: MAILS, complained: 10 }, "QUARANTINED", { sent: MAILS, complained: 9 }, "THROTTLED"],
  ["0.30 % complaints", { sent: MAILS, complained: 30 }, "BLOCKED", { sent: MAILS, complained: 29 }, "QUARANTINED"],
  ["3 % bounces", { sent: MAILS, bounced: 300 }, "THROTTLED", { sent: MAILS, bounced: 299 }, "HEALTHY"],
  ["5 % bounces", { sent: MAILS, bounced: 500 }, "QUARANTINED", { sent: MAILS, bounced: 499 }, "THROTTLED"],
  ["10 % bounces", { sent: MAILS, bounced: 1_000 }, "BLOCKED", { sent: MAILS, bounced: 999 }, "QUARANTINED"],
  ["20 warmup mails", { seen: 20, inSpam: 8 }, "BLOCKED", { seen: 19, inSpam: 8 }, "HEALTHY"],
  ["100 mails, of bounces", { sent: 100, bounced: 10 }, "BLOCKED", { sent: 99, bounced: 10 }, "HEALTHY"],
  [
    "100 mails, refused ones among them",
    { sent: 90, refused: 10, bounced: 10 },
    "BLOCKED",
    { sent: 89, refused: 10, bounced: 10 },
    "HEALTHY",
  ],
  ["two complaints for THROTTLED", { sent: 100, complained: 2 }, "THROTTLED", { sent: 100, complained: 1 }, "WATCH"],
  [
    "three complaints for QUARANTINED",
    { sent: 100, complained: 3 },
    "QUARANTINED",
    { sent: 100, complained: 2 },
    "THROTTLED",
  ],
  ["four complaints for BLOCKED", { sent: 100, complained: 4 }, "BLOCKED", { sent: 100, complained: 3 }, "QUARANTINED"],
];

test.each(EDGES)(
  "facts at a threshold (%s) give the health band of that threshold, and one fact less gives a better band",
  (_name, facts, band, less, lesser) => {
    expect([bandBy(facts), bandBy(less)]).toEqual([band, lesser]);
  },
);

test("the measure with the worst band decides the mailbox's health band and is reported with the numbers", () => {
  const facts = { ...NO_FACTS, sent: 100, bounced: 4, complained: 3, seen: 20, inSpam: 2 };
  const told = { band: "QUARANTINED", measure: "COMPLAINT_RATE", numerator: 3, denominator: 100, threshold: 0.001 };
  expect(judge(facts, BAND_THRESHOLDS)).toEqual(told);
  const nothing = { measure: null, numerator: null, denominator: null, threshold: null };
  expect(judge(NO_FACTS, BAND_THRESHOLDS)).toEqual({ band: "HEALTHY", ...nothing });
});

test("health counts cover seven UTC days including today, and leave out facts up to a given start time", () => {
  const at = Date.parse("2026-03-10T12:00:00Z");
  const point = (time: string, sent: number) => ({ ...NO_FACTS, at: new Date(time), sent });
  const days = byDay([
    { day: "2026-03-03", points: [point("2026-03-03T10:00:00Z", 1_000)] },
    { day: "2026-03-04", points: [point("2026-03-04T10:00:00Z", 100), point("2026-03-04T20:00:00Z", 110)] },
    { day: "2026-03-10", points: [point("2026-03-10T10:00:00Z", 7), point("2026-03-10T13:00:00Z", 9)] },
  ]);
  expect(countFacts(days, at, null).sent).toBe(117);
  expect(countFacts(days, at, Date.parse("2026-03-04T12:00:00Z")).sent).toBe(17);
  expect(countFacts(days, at, at).sent).toBe(0);
});
