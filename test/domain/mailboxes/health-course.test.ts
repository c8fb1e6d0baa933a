import { expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../../domain/time/durations.ts";
import { ToldMailbox } from "./told-facts.ts";

/** A quarter to noon, so that reviews on the hour come between. */
const START = Date.parse("2026-03-02T11:45:00Z");
const THROTTLED = { sent: 100, bounced: 3 };
const QUARANTINED = { sent: 100, bounced: 5 };
const BLOCKED = { sent: 100, bounced: 10 };
const at = (days: number, hours = 0) => START + days * DAY_MS + hours * HOUR_MS;

/** A mailbox that these facts have put into a band at the start. */
function inBand(facts: object): ToldMailbox {
  const mailbox = new ToldMailbox();
  mailbox.judgeWith(START, facts);
  return mailbox;
}

test("THROTTLED cuts capacity to 75 percent for three days, then takes steps of 75 and 100 percent for two quiet days each", () => {
  const mailbox = inBand(THROTTLED);
  const told = { measure: "BOUNCE_RATE", numerator: 3, denominator: 100, threshold: 0.03 };
  expect(mailbox.course).toMatchObject({
    band: "THROTTLED",
    step: 75,
    until: new Date(at(3)),
    since: new Date(START),
    ...told,
  });
  expect(mailbox.judge(at(3) - 1)).toMatchObject({ phase: "TERM", band: "THROTTLED", step: 75 });
  expect(mailbox.judge(at(3))).toMatchObject({ phase: "STEPS", band: "THROTTLED", step: 75, until: null, ...told });
  expect(mailbox.judge(at(5) - 1)).toMatchObject({ step: 75 });
  expect(mailbox.judge(at(5, 1))).toMatchObject({ band: "THROTTLED", step: 100 });
  expect(mailbox.judge(at(7, 1))).toMatchObject({ band: "HEALTHY", step: null, until: null, measure: null });
  expect(mailbox.changes.map(({ to, step }) => [to, step])).toEqual([
    ["THROTTLED", 75],
    ["THROTTLED", 75],
    ["THROTTLED", 100],
    ["HEALTHY", null],
  ]);
});

test("QUARANTINED lasts seven days, then capacity returns in steps of 25, 50, 75 and 100 percent", () => {
  const mailbox = inBand(QUARANTINED);
  expect(mailbox.judge(at(7) - 1)).toMatchObject({ band: "QUARANTINED", step: null, until: new Date(at(7)) });
  expect([7, 9, 11, 13].map((days) => mailbox.judge(at(days, 1)).step)).toEqual([25, 50, 75, 100]);
  expect(mailbox.judge(at(15, 1))).toMatchObject({ band: "HEALTHY" });
});

test("BLOCKED lasts thirty days, then seven days of warmup alone, shown as QUARANTINED, then the steps", () => {
  const mailbox = inBand(BLOCKED);
  expect(mailbox.judge(at(30) - 1)).toMatchObject({ band: "BLOCKED", until: new Date(at(30)) });
  expect(mailbox.judge(at(30))).toMatchObject({ phase: "PROBE", band: "QUARANTINED", until: new Date(at(37)) });
  expect(mailbox.judge(at(37) - 1)).toMatchObject({ band: "QUARANTINED" });
  expect([37, 39, 41, 43].map((days) => mailbox.judge(at(days, 1)).step)).toEqual([25, 50, 75, 100]);
  expect(mailbox.judge(at(45, 1))).toMatchObject({ band: "HEALTHY" });
});

test("warmup emails found in Junk in the week after BLOCKED lead back to BLOCKED for twice the term", () => {
  const worse = inBand(BLOCKED);
  worse.judge(at(30));
  expect(worse.judgeWith(at(31), { seen: 20, inSpam: 8 })).toMatchObject({ band: "BLOCKED", until: new Date(at(91)) });
  const bad = inBand(BLOCKED);
  bad.judge(at(30));
  expect(bad.judgeWith(at(36), { seen: 20, inSpam: 4 })).toMatchObject({ phase: "PROBE", band: "QUARANTINED" });
  expect(bad.judge(at(37, 1))).toMatchObject({ band: "BLOCKED", termDays: 60 });
});

test("a day with a hundred emails below WATCH completes a step, and a day with 99 does not", () => {
  const mailbox = inBand(THROTTLED);
  mailbox.judge(at(3));
  // One bounce, so that two quiet days would take longer
  mailbox.tell(at(3, 2), { sent: 99, bounced: 1 });
  expect(mailbox.judge(at(4, 1))).toMatchObject({ step: 75 });
  expect(mailbox.judgeWith(at(4, 2), { sent: 1 })).toMatchObject({ step: 100 });
});

test("after a band for Junk placement, steps count warmup emails, and WATCH holds the step", () => {
  const mailbox = inBand({ seen: 20, inSpam: 3 });
  mailbox.judge(at(3));
  expect(mailbox.judgeWith(at(4, 1), { sent: 500, seen: 20, inSpam: 2 })).toMatchObject({
    step: 75,
    band: "THROTTLED",
  });
  expect(mailbox.judgeWith(at(4, 2), { seen: 1 })).toMatchObject({ step: 100 });
});

test("one bounce holds a step for two more quiet days from that bounce", () => {
  const mailbox = inBand(THROTTLED);
  mailbox.judge(at(3));
  mailbox.judgeWith(at(4), { sent: 50, bounced: 1 });
  expect(mailbox.judge(at(5, 23))).toMatchObject({ step: 75 });
  expect(mailbox.judge(at(6, 1))).toMatchObject({ step: 100 });
});

test("bounces that led to a band are not counted again after its term", () => {
  const mailbox = inBand(THROTTLED);
  mailbox.judge(at(3));
  // All seven days together would be 4 %
  expect(mailbox.judgeWith(at(3, 1), { bounced: 1 })).toMatchObject({ phase: "STEPS", step: 75 });
});

test("during a term only worse results change the band", () => {
  const mailbox = inBand(THROTTLED);
  const until = new Date(at(3));
  expect(mailbox.judgeWith(at(1), { bounced: 1 })).toMatchObject({ band: "THROTTLED", until });
  expect(mailbox.judgeWith(at(2), { bounced: 1 })).toMatchObject({
    band: "QUARANTINED",
    until: new Date(at(9)),
    numerator: 5,
  });
});

test("a relapse returns the mailbox to its former or a worse band for twice the term, at most sixty days", () => {
  const same = inBand(QUARANTINED);
  same.judge(at(7));
  expect(same.judgeWith(at(8), THROTTLED)).toMatchObject({
    band: "QUARANTINED",
    termDays: 14,
    until: new Date(at(22)),
  });
  same.judge(at(22));
  expect(same.judgeWith(at(23), THROTTLED)).toMatchObject({ band: "QUARANTINED", termDays: 28 });
  same.judge(at(51));
  expect(same.judgeWith(at(52), QUARANTINED)).toMatchObject({ termDays: 56 });
  same.judge(at(108));
  expect(same.judgeWith(at(109), QUARANTINED)).toMatchObject({ termDays: 60 });
  const graver = inBand(THROTTLED);
  graver.judge(at(3));
  expect(graver.judgeWith(at(4), BLOCKED)).toMatchObject({ band: "BLOCKED", termDays: 60 });
});

test("after full recovery, the next band lasts its normal term", () => {
  const mailbox = inBand(THROTTLED);
  expect(mailbox.judge(at(8))).toMatchObject({ band: "HEALTHY", termDays: null });
  expect(mailbox.judgeWith(at(9), QUARANTINED)).toMatchObject({ band: "QUARANTINED", termDays: 7 });
});

test("WATCH begins and ends without a term", () => {
  const mailbox = inBand({ seen: 20, inSpam: 2 });
  expect(mailbox.course).toMatchObject({ band: "WATCH", until: null, step: null });
  expect(mailbox.judge(at(6))).toMatchObject({ band: "WATCH" });
  expect(mailbox.judge(at(7))).toMatchObject({ band: "HEALTHY", since: new Date("2026-03-09T00:00:00Z") });
});

test("earlier bounces lead to a band within the hour once enough emails are sent", () => {
  const mailbox = inBand({ sent: 60, bounced: 5 });
  expect(mailbox.course).toMatchObject({ band: "HEALTHY", nextReviewAt: new Date("2026-03-02T12:00:00Z") });
  expect(mailbox.judgeWith(at(0, 1), { sent: 40 })).toMatchObject({
    band: "QUARANTINED",
    numerator: 5,
    denominator: 100,
  });
});

test("a mailbox reset by a user stays HEALTHY for a day; older events never count again, and newer ones count after that day", () => {
  const mailbox = inBand(BLOCKED);
  expect(mailbox.decide(at(1))).toMatchObject({ band: "HEALTHY", until: new Date(at(2)) });
  expect(mailbox.judgeWith(at(1, 3), { sent: 10, bounced: 5 })).toMatchObject({ band: "HEALTHY" });
  expect(mailbox.judgeWith(at(1, 23), { sent: 89 })).toMatchObject({ band: "HEALTHY" });
  expect(mailbox.judge(at(2, 1))).toMatchObject({ phase: "FREE", band: "HEALTHY" });
  expect(mailbox.judgeWith(at(2, 2), { sent: 1 })).toMatchObject({
    band: "QUARANTINED",
    numerator: 5,
    denominator: 100,
    termDays: 7,
  });
  expect(mailbox.changes.map(({ to, by }) => [to, by])).toEqual([
    ["BLOCKED", "FACTS"],
    ["HEALTHY", "PERSON"],
    ["QUARANTINED", "FACTS"],
  ]);
});

test("events during a user's reset take effect when the reset ends", () => {
  const mailbox = inBand(BLOCKED);
  mailbox.decide(at(1));
  expect(mailbox.judgeWith(at(1, 3), BLOCKED)).toMatchObject({ phase: "DECIDED", band: "HEALTHY" });
  expect(mailbox.judge(at(2, 1))).toMatchObject({
    band: "BLOCKED",
    since: new Date(at(2)),
    numerator: 10,
    denominator: 100,
  });
});

test("a mailbox that is not reviewed for days gets the changes at the times at which a review would have made them", () => {
  const [seen, unseen] = [inBand(QUARANTINED), inBand(QUARANTINED)];
  for (let hours = 1; hours <= 24 * 20; hours++) seen.judge(at(0, hours));
  // A new fact at the end is no reason to forget the earlier ones
  seen.judgeWith(at(20), { sent: 1 });
  unseen.judgeWith(at(20), { sent: 1 });
  expect(unseen.changes).toEqual(seen.changes);
  expect(unseen.course).toMatchObject({ band: "HEALTHY", since: seen.course?.since });
});
