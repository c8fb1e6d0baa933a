import { expect, test } from "@jest/globals";
import { reasonsOf } from "../../console/words/warmup-reasons.ts";
import { DEFAULT_CONFIG } from "../../domain/warmup/enrolment.ts";

const HEALTHY = { band: "HEALTHY" as const, measure: null, numerator: null, denominator: null, threshold: null };

type Args = Parameters<typeof reasonsOf>;

function reasons(enrolment: Partial<Args[0]>, mailbox: Partial<Args[1]> = {}): string {
  const config = { ...DEFAULT_CONFIG, start: 10, max: 40 };
  const active = { status: "ACTIVE" as const, statusReason: null, config, dayNumber: 5, dailyLimit: 14 };
  const connected = { status: "CONNECTED" as const, warmupDailyLimit: 50, health: HEALTHY };
  return reasonsOf({ ...active, ...enrolment }, { ...connected, ...mailbox }).join(" ");
}

test("the page says why a warmup sends nothing or less than its ramp, and nothing about a warmup that keeps to its ramp", () => {
  expect(reasons({})).toBe("");
  expect(reasons({ dailyLimit: 8 }, { warmupDailyLimit: 8 })).toContain("allows 8 a day");
  expect(reasons({ dailyLimit: 0 }, { warmupDailyLimit: 0 })).toContain("limit is 0");
  expect(reasons({ dailyLimit: 5 })).toContain("at most 5 emails of warmup a day");
  expect(reasons({ dailyLimit: 0 })).toContain("no warmup emails today");
  expect(reasons({ dailyLimit: 0, statusReason: "NO_PARTNER" })).toContain("No partner");
  expect(reasons({ dailyLimit: 0, statusReason: "NEW_CODE" })).toContain("new code");
  expect(reasons({ dailyLimit: 0 }, { status: "COOLING_DOWN" })).toContain("cooling down");
  for (const [status, text] of [
    ["PAUSED", "ramp is kept"],
    ["STOPPED", "neither sends nor reads"],
    ["RECONNECT_REQUIRED", "Connect the mailbox again"],
    ["SUSPENDED", "when the block ends"],
  ] as const)
    expect(reasons({ status })).toContain(text);
});

test("a mailbox that is not healthy says what its band means for warmup, with the numbers", () => {
  const health = {
    band: "QUARANTINED" as const,
    measure: "SPAM_RATE" as const,
    numerator: 6,
    denominator: 24,
    threshold: 0.2,
  };
  expect(reasons({}, { health })).toContain(
    "Warmup continues, and it recovers in steps. In seven days 6 of 24 measured",
  );
});
