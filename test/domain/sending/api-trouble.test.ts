import { expect, test } from "@jest/globals";
import { readRefusal } from "../../../domain/bounces/refusal.ts";
import { type ApiFault, troubleOfApi } from "../../../domain/sending/api-trouble.ts";
import { HOUR_MS, MINUTE_MS } from "../../../domain/time/durations.ts";

test.each([
  ["expired", null, "host", "RETRY"],
  ["scope", null, "credentials", "AUTH_FAILURE"],
  ["policy", null, "credentials", "AUTH_FAILURE"],
  ["rights", null, "credentials", "AUTH_FAILURE"],
  ["off", null, "credentials", "AUTH_FAILURE"],
  ["rate", null, "rate", "SLOW_DOWN"],
  ["rate", MINUTE_MS, "rate", "SLOW_DOWN"],
  ["rate", 12 * HOUR_MS, "rate", "COOL_DOWN"],
  ["project", null, "rate", "SLOW_DOWN"],
  ["limit", null, "rate", "COOL_DOWN"],
  ["invalid", null, "content", "FAIL_STEP"],
  ["tooLarge", null, "content", "FAIL_STEP"],
  ["away", null, "host", "BREAKER"],
] as const)(
  "the API fault “%s” with a wait of %p ms is evidence about the %s and has the effect %s",
  (fault: ApiFault, waitMs, about, effect) => {
    for (const reason of [null, "ErrorSendAsDenied", "userRateLimitExceeded"])
      expect(readRefusal(troubleOfApi(fault, { reason, waitMs }))).toMatchObject({ about, effect });
  },
);
