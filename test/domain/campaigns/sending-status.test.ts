import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  activeCode,
  breakdownOf,
  type OpenPeople,
  restingCode,
  type SendingCode,
  type SendingFacts,
} from "../../../domain/campaigns/sending-status.ts";

const NOW = 1_000_000_000;
const GAP_MS = 840_000;
const NOBODY: OpenPeople = {
  paused: 0,
  held: 0,
  due: 0,
  pushed: 0,
  delayed: 0,
  unmatched: 0,
  throttled: 0,
  waiting: 0,
};

/** The facts about a campaign that is sending. */
const HEALTHY: SendingFacts = {
  mailboxes: 2,
  usable: 2,
  people: { ...NOBODY, paused: 1, due: 2, delayed: 3, waiting: 10 },
  isHoliday: false,
  isOpen: true,
  today: { total: 10, newLeads: 5 },
  dailyLimit: null,
  rampLimit: null,
  maxNewLeadsPerDay: null,
  mailboxesFull: false,
  nextSendAt: NOW + 1_000,
  longestGapMs: GAP_MS,
  now: NOW,
};
const LATER = { nextSendAt: NOW + GAP_MS + 1 };
const others = (people: Partial<OpenPeople>) => ({ people: { ...HEALTHY.people, ...people } });

/** In the order of the API's list. Each of these facts is true together with all that follow it. */
const FACTS: [SendingCode, Partial<SendingFacts>][] = [
  ["NO_MAILBOX", { mailboxes: 0, usable: 0 }],
  ["MAILBOXES_UNHEALTHY", { usable: 0 }],
  ["HOLIDAY", { isOpen: false, isHoliday: true }],
  ["OUT_OF_SCHEDULE", { isOpen: false, isHoliday: false }],
  ["CAMPAIGN_DAILY_LIMIT", { dailyLimit: 10 }],
  ["RAMP_LIMIT", { rampLimit: 10 }],
  ["MAILBOX_DAILY_LIMIT", { mailboxesFull: true }],
  ["NEW_LEAD_LIMIT", { maxNewLeadsPerDay: 5 }],
  ["DOMAIN_LIMIT", others({ throttled: 1, unmatched: 1 })],
  ["WAITING_FOR_PROVIDER_MATCH", others({ unmatched: 1 })],
  ["MAILBOX_GAP", LATER],
  ["HEALTHY", {}],
];

test.each(FACTS.map(([code], index) => [code, index] as const))(
  "sending status %s takes precedence over all statuses after it",
  (code, index) => {
    const behind = FACTS.slice(index).reverse();
    const together: SendingFacts = Object.assign({ ...HEALTHY }, ...behind.map(([, facts]) => facts));
    expect(activeCode(together)).toBe(code);
  },
);

test.each<[string, SendingCode, Partial<SendingFacts>]>([
  ["all recipients are between two steps", "FOLLOW_UP_DELAY", { ...LATER, people: { ...NOBODY, delayed: 3 } }],
  ["a follow-up is due soon", "HEALTHY", { people: { ...NOBODY, delayed: 3 } }],
  ["everybody is paused", "WAITING_FOR_RECIPIENTS", { people: { ...NOBODY, paused: 3 }, nextSendAt: null }],
  [
    "the day is full, but the next mail has its slot",
    "HEALTHY",
    { dailyLimit: 10, maxNewLeadsPerDay: 5, mailboxesFull: true },
  ],
  [
    "the day is full, but all wait for their delay",
    "FOLLOW_UP_DELAY",
    { ...LATER, dailyLimit: 10, people: { ...NOBODY, delayed: 3 } },
  ],
  [
    "no more new leads today, and nobody is new",
    "MAILBOX_GAP",
    { ...LATER, maxNewLeadsPerDay: 5, people: { ...NOBODY, pushed: 3 } },
  ],
  ["mails leave, but some wait for a lost mailbox", "MAILBOXES_UNHEALTHY", others({ held: 1 })],
  ["mails leave, but some match no mailbox", "WAITING_FOR_PROVIDER_MATCH", others({ unmatched: 1 })],
  ["nobody knows when the next mail leaves", "MAILBOX_GAP", { nextSendAt: null }],
])("the sending status while %s: %s", (_name, code, facts) => {
  expect(activeCode({ ...HEALTHY, ...facts })).toBe(code);
});

test.each([
  ["DRAFT", null, "DRAFT"],
  ["SCHEDULED", null, "SCHEDULED"],
  ["PAUSED", "MANUAL", "PAUSED"],
  ["PAUSED", "NO_MAILBOX", "PAUSED"],
  ["PAUSED", "BOUNCE_GUARD", "GUARD_TRIPPED"],
  ["PAUSED", "COMPLAINT_GUARD", "GUARD_TRIPPED"],
  ["PAUSED", "REPLY_RATE_FLOOR", "GUARD_TRIPPED"],
  ["COMPLETED", null, "COMPLETED"],
  ["ARCHIVED", null, "ARCHIVED"],
  ["ACTIVE", null, null],
] as const)("a campaign that is %s (%s) has the sending status %s", (status, pauseReason, code) => {
  expect(restingCode(status, pauseReason)).toBe(code);
});

const anyCount = fc.oneof(fc.constant(0), fc.nat(50));
const anyFacts: fc.Arbitrary<SendingFacts> = fc
  .record({
    mailboxes: fc.nat(3),
    usable: fc.nat(3),
    people: fc.record({
      paused: anyCount,
      held: anyCount,
      due: anyCount,
      pushed: anyCount,
      delayed: anyCount,
      unmatched: anyCount,
      throttled: anyCount,
      waiting: anyCount,
    }),
    isHoliday: fc.boolean(),
    isOpen: fc.boolean(),
    today: fc.record({ total: fc.nat(20), newLeads: fc.nat(20) }),
    dailyLimit: fc.option(fc.nat(20)),
    rampLimit: fc.option(fc.nat(20)),
    maxNewLeadsPerDay: fc.option(fc.nat(20)),
    mailboxesFull: fc.boolean(),
    nextSendAt: fc.option(fc.integer({ min: NOW, max: NOW + 2 * GAP_MS })),
    longestGapMs: fc.constant(GAP_MS),
    now: fc.constant(NOW),
  })
  .map((facts) => ({ ...facts, usable: Math.min(facts.usable, facts.mailboxes) }));

test("each open recipient is counted under exactly one cause", () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const counts = Object.values(breakdownOf(facts));
      const open = Object.values(facts.people).reduce((total, count) => total + count, 0);
      expect(counts.reduce((total, count) => total + count, 0)).toBe(open);
      expect(counts.every((count) => count > 0)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("a campaign is healthy only if its next email can leave and no recipient is stranded; a limit is shown only while someone waits for it", () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const { people, isOpen, usable, nextSendAt } = facts;
      const code = activeCode(facts);
      const breakdown = breakdownOf(facts);
      if (code === "HEALTHY") expect([isOpen, usable > 0, people.held, people.unmatched]).toEqual([true, true, 0, 0]);
      if (code === "HEALTHY") expect((nextSendAt ?? Infinity) - NOW).toBeLessThanOrEqual(GAP_MS);
      const limits: SendingCode[] = [
        "CAMPAIGN_DAILY_LIMIT",
        "RAMP_LIMIT",
        "MAILBOX_DAILY_LIMIT",
        "NEW_LEAD_LIMIT",
        "DOMAIN_LIMIT",
      ];
      if (limits.includes(code)) expect(breakdown[code]).toBeGreaterThan(0);
    }),
    { numRuns: 1_000 },
  );
});
