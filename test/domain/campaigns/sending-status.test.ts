import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { breakdownOf, SENDING_CODES, type SendingFacts, sendingCode } from "../../../domain/campaigns/sending-status.ts";

const NOW = 1_000_000_000;
const GAP_MS = 840_000;

/** The facts about a campaign that is sending. */
const HEALTHY: SendingFacts = {
  status: "ACTIVE",
  pauseReason: null,
  mailboxes: 2,
  usable: 2,
  ...{ pending: 10, inProgress: 5, paused: 1, dueSoon: 2 },
  isHoliday: false,
  isOpen: true,
  today: { total: 10, newLeads: 5 },
  dailyLimit: null,
  rampLimit: null,
  maxNewLeadsPerDay: null,
  mailboxesFull: false,
  isThrottled: false,
  isUnmatched: false,
  nextSendAt: NOW + 1_000,
  longestGapMs: GAP_MS,
  now: NOW,
};
const LATER = { nextSendAt: NOW + GAP_MS + 1 };

/** In the order of the interface's list. Each of these facts is true together with all that follow it. */
const FACTS: [string, Partial<SendingFacts>][] = [
  ["NO_MAILBOX", { mailboxes: 0, usable: 0 }],
  ["MAILBOXES_UNHEALTHY", { usable: 0 }],
  ["WAITING_FOR_RECIPIENTS", { pending: 0, inProgress: 0 }],
  ["HOLIDAY", { isHoliday: true }],
  ["OUT_OF_SCHEDULE", { isOpen: false }],
  ["CAMPAIGN_DAILY_LIMIT", { dailyLimit: 10 }],
  ["RAMP_LIMIT", { rampLimit: 10 }],
  ["MAILBOX_DAILY_LIMIT", { mailboxesFull: true }],
  ["NEW_LEAD_LIMIT", { maxNewLeadsPerDay: 5 }],
  ["DOMAIN_LIMIT", { isThrottled: true, ...LATER }],
  ["WAITING_FOR_PROVIDER_MATCH", { isUnmatched: true, ...LATER }],
  ["MAILBOX_GAP", LATER],
  ["HEALTHY", {}],
];

test.each(FACTS.map(([code], index) => [code, index] as const))("%s takes precedence over all codes that follow it", (code, index) => {
  const behind = FACTS.slice(index).reverse();
  const together: SendingFacts = Object.assign({ ...HEALTHY }, ...behind.map(([, facts]) => facts));
  expect(sendingCode(together)).toBe(code);
});

test("a campaign whose recipients are all between two steps waits for their delay", () => {
  expect(sendingCode({ ...HEALTHY, pending: 0, ...LATER })).toBe("FOLLOW_UP_DELAY");
  expect(sendingCode({ ...HEALTHY, pending: 0 })).toBe("HEALTHY");
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
] as const)("a campaign that is %s (%s) has the sending status %s, whatever its other facts", (status, pauseReason, code) => {
  expect(sendingCode({ ...HEALTHY, status, pauseReason, mailboxes: 0 })).toBe(code);
});

test("every open recipient is counted under one code", () => {
  const counts = fc.record({
    pending: fc.nat(50),
    inProgress: fc.nat(50),
    paused: fc.nat(50),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.constantFrom(...SENDING_CODES), counts, (code, { share, ...people }) => {
      const breakdown = breakdownOf(code, { ...people, dueSoon: Math.floor(people.inProgress * share) });
      const sum = Object.values(breakdown).reduce((total, count) => total + count, 0);
      expect(sum).toBe(people.pending + people.inProgress + people.paused);
      expect(Object.values(breakdown).every((count) => count > 0)).toBe(true);
    }),
  );
});
