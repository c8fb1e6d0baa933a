import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  FIRST_WINDOW,
  gapAfter,
  isFeedDue,
  MAX_WINDOW,
  nextWindow,
  retriesFrom,
  WEBHOOK_DELIVERY,
} from "../../domain/webhook.ts";
import { newSigningSecret, signBody } from "../../domain/webhook-signature.ts";

test("the tenth webhook attempt comes 511 minutes after the first, and no gap reaches six hours", () => {
  const { maximumAttempts, backoffCoefficient } = WEBHOOK_DELIVERY.retry;
  const gaps = Array.from({ length: maximumAttempts - 1 }, (_, n) => backoffCoefficient ** n);
  expect(gaps.reduce((sum, gap) => sum + gap)).toBe(511);
  expect(Math.max(...gaps)).toBeLessThan(360);
});

test.each(Array.from({ length: 10 }, (_, n) => n + 1))(
  "a webhook run that begins with attempt %d keeps the gaps between the later attempts",
  (first) => {
    const { initialInterval, backoffCoefficient, maximumAttempts } = retriesFrom(first);
    const gaps = Array.from({ length: maximumAttempts - 1 }, (_, n) => initialInterval * backoffCoefficient ** n);
    expect(gaps).toEqual(Array.from({ length: 10 - first }, (_, n) => gapAfter(first + n)));
  },
);

test("a webhook run that begins after the last attempt makes exactly one attempt", () => {
  expect(retriesFrom(11).maximumAttempts).toBe(1);
});

test.each([
  ["was never started", undefined, 0, true],
  ["was started a moment ago", 300, 5_000, false],
  ["was started a second ago and takes nothing", 1_000, 500, true],
  ["was started a second ago, and the row is new", 1_000, 499, false],
  ["may have ended since it was started", 4_000, 0, true],
])(
  "a webhook feed that %s (%s ms since the start, rows waiting for %s ms) is due: %s",
  (_name, sinceStart, waiting, expected) => {
    const now = 1_000_000;
    const startedAt = sinceStart === undefined ? undefined : now - sinceStart;
    expect(isFeedDue(now, { startedAt, waitingSince: now - waiting })).toBe(expected);
  },
);

test("a webhook signature is the HMAC-SHA256 of the exact body bytes, keyed with the whole secret", () => {
  // computed with: printf '{"event":"TEST"}' | openssl dgst -sha256 -hmac whsec_abc
  expect(signBody("whsec_abc", Buffer.from('{"event":"TEST"}'))).toBe(
    "sha256=b15c3c1dde383f4198229da9ab8af967aaa094a3947847cc8de723798ec97c84",
  );
});

test("a webhook signing secret is whsec_ and the base64 of exactly 32 bytes", () => {
  expect(newSigningSecret(new Uint8Array(32).fill(255))).toBe(`whsec_${"/".repeat(42)}8=`);
  expect(() => newSigningSecret(new Uint8Array(31))).toThrow(RangeError);
});

test.each([
  ["a success admits one more", 4, 0, "success", { window: 5, failuresInRow: 0 }],
  ["a success ends the row of failures", 2, 2, "success", { window: 3, failuresInRow: 0 }],
  ["the window stops at 32", 32, 0, "success", { window: 32, failuresInRow: 0 }],
  ["a failure halves", 9, 0, "failure", { window: 4, failuresInRow: 1 }],
  ["a failure never closes the window", 1, 1, "failure", { window: 1, failuresInRow: 2 }],
  ["the third failure in a row leaves one", 32, 2, "failure", { window: 1, failuresInRow: 3 }],
  ["so does every later one", 1, 7, "failure", { window: 1, failuresInRow: 8 }],
] as const)(
  "the number of parallel webhook deliveries follows the outcomes: %s",
  (_name, window, failuresInRow, outcome, expected) => {
    expect(nextWindow(window, failuresInRow, outcome)).toEqual(expected);
  },
);

test("between 1 and 32 parallel webhook deliveries are allowed at any time, and three failures in a row reduce the number to one", () => {
  const outcomes = fc.array(fc.constantFrom("success", "failure"), { maxLength: 100 });
  fc.assert(
    fc.property(outcomes, (list) => {
      const fold = (state: { window: number; failuresInRow: number }, outcome: "success" | "failure") => {
        const next = nextWindow(state.window, state.failuresInRow, outcome);
        expect(next.window).toBeGreaterThanOrEqual(1);
        expect(next.window).toBeLessThanOrEqual(MAX_WINDOW);
        return next;
      };
      const end = list.reduce(fold, { window: FIRST_WINDOW, failuresInRow: 0 });
      expect((["failure", "failure", "failure"] as const).reduce(fold, end).window).toBe(1);
    }),
  );
});
