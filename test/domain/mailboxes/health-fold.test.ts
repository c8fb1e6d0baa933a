import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { BANDS } from "../../../domain/mailboxes/band.ts";
import { BAND_THRESHOLDS } from "../../../domain/mailboxes/judge.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/time/durations.ts";
import { ToldMailbox } from "./told-facts.ts";

const START = Date.parse("2026-03-02T00:00:00Z");

interface Hour {
  sent: number;
  bounced: number;
  complained: number;
  seen: number;
  inSpam: number;
  /** Minutes past the hour at which it is judged; null: no one looks in this hour. */
  minute: number | null;
  isDecided: boolean;
}

/** Hours of a mailbox that mostly does well, with bad hours among them. */
const rarely = (most: number) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: most }) });
const hour: fc.Arbitrary<Hour> = fc.record({
  sent: fc.integer({ min: 0, max: 30 }),
  bounced: rarely(9),
  complained: rarely(2),
  seen: fc.integer({ min: 0, max: 4 }),
  inSpam: rarely(3),
  minute: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 59 }) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  isDecided: fc.oneof({ weight: 200, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

/** Lives through the hours, each of them `times` long, so that terms end within a course. */
function live(hours: readonly Hour[], times: number): { mailbox: ToldMailbox; end: number } {
  const mailbox = new ToldMailbox();
  let end = START;
  hours.forEach(({ minute, isDecided, ...facts }, index) => {
    const begin = START + index * times * HOUR_MS;
    mailbox.tell(begin, facts);
    if (minute === null && index < hours.length - 1) return;
    end = begin + (minute ?? 0) * MINUTE_MS;
    if (isDecided) mailbox.decide(end);
    else mailbox.judge(end);
  });
  return { mailbox, end };
}

/** A mailbox that has sent nothing is not judged, so each course begins with an email. */
const hours = fc
  .tuple(hour, fc.array(hour, { minLength: 30, maxLength: 300 }))
  .map(([first, rest]) => [{ ...first, sent: 1 }, ...rest]);
const courses = fc.tuple(hours, fc.constantFrom(1, 5, 13));

test("hourly reviews of a mailbox's health give the same state and changes as one replay of the whole history", () => {
  fc.assert(
    fc.property(courses, ([hours, times]) => {
      const { mailbox, end } = live(hours, times);
      const replayed = mailbox.replay(end);
      expect(replayed.changes).toEqual(mailbox.changes);
      expect(replayed.course).toEqual(mailbox.course);
    }),
    { numRuns: 150 },
  );
});

test("mailbox health has steps only while throttled, terms of 3 to 60 days, a later next review and no worse band within a day of a manual decision", () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(courses, ([hours, times]) => {
      const { mailbox } = live(hours, times);
      const { course } = mailbox;
      if (course === null) return;
      for (const { to } of mailbox.changes) reached.add(to);
      expect((course.step !== null) === (course.band === "THROTTLED")).toBe(true);
      expect(course.nextReviewAt > course.reviewedAt).toBe(true);
      if (course.termDays !== null) expect([course.termDays >= 3, course.termDays <= 60]).toEqual([true, true]);
      if (course.until !== null)
        expect(course.until.getTime() - course.since.getTime()).toBeLessThanOrEqual(60 * DAY_MS);
      // A change by facts never makes a band graver while a person's word holds
      const isHeld = (at: number) => mailbox.decidedAt.some((from) => at > from && at < from + DAY_MS);
      expect(mailbox.changes.filter(({ at, by }) => by === "FACTS" && isHeld(at.getTime()))).toEqual([]);
    }),
    { numRuns: 150 },
  );
  expect([...reached].sort()).toEqual([...BANDS].sort());
});

test("a replay without bounce thresholds changes no health band, and a replay with a strict WATCH threshold changes to WATCH first", () => {
  const mailbox = new ToldMailbox();
  for (let index = 0; index < 48; index++)
    mailbox.judgeWith(START + index * HOUR_MS, { sent: 10, bounced: index % 25 === 0 ? 0 : 1 });
  const end = START + 48 * HOUR_MS;
  const none = { WATCH: null, THROTTLED: null, QUARANTINED: null, BLOCKED: null };
  expect(mailbox.replay(end, { ...BAND_THRESHOLDS, BOUNCE_RATE: none }).changes).toEqual([]);
  const [first] = mailbox.changes;
  const stricter = { ...BAND_THRESHOLDS, BOUNCE_RATE: { ...none, WATCH: 0.001 } };
  expect(first?.to).toBe("QUARANTINED");
  expect(mailbox.replay(end, stricter).changes[0]).toMatchObject({ to: "WATCH", at: first?.at });
});
