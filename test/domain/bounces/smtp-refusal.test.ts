import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readRefusal } from "../../../domain/bounces/smtp-refusal.ts";
import type { Stage } from "../../../domain/bounces/verdict.ts";

const cases: [Stage, number | null, string, string, string][] = [
  ["CONNECT", null, "", "host", "BREAKER"],
  ["TLS", null, "certificate has expired", "host", "BREAKER"],
  ["GREETING", 554, "5.7.1 go away", "host", "BREAKER"],
  ["EHLO", 421, "busy", "host", "BREAKER"],
  ["RCPT", null, "", "host", "BREAKER"],
  ["AUTH", 535, "5.7.8 Username and Password not accepted", "credentials", "AUTH_FAILURE"],
  ["AUTH", 534, "5.7.9 Application-specific password required", "credentials", "AUTH_FAILURE"],
  ["AUTH", 454, "4.7.0 Temporary authentication failure", "host", "RETRY"],
  ["AUTH", 421, "4.7.0 Too many login attempts", "host", "RETRY"],
  ["MAIL", 550, "5.7.60 Client does not have permissions to send as this sender", "sender", "COOL_DOWN"],
  ["MAIL", 501, "5.1.7 Bad sender address", "sender", "COOL_DOWN"],
  ["MAIL", 550, "Rejected", "sender", "COOL_DOWN"],
  ["MAIL", 552, "5.2.2 Mailbox full", "sender", "COOL_DOWN"],
  ["MAIL", 421, "4.7.0 Try again later", "rate", "SLOW_DOWN"],
  ["RCPT", 450, "4.2.1 The user is receiving mail at a rate that prevents delivery", "rate", "SLOW_DOWN"],
  ["RCPT", 452, "4.5.3 Too many recipients", "rate", "SLOW_DOWN"],
  ["DATA", 421, "4.7.28 Unusual rate of unsolicited mail", "rate", "SLOW_DOWN"],
  ["RCPT", 451, "4.7.1 Greylisting in action, come back later", "recipient", "RETRY"],
  ["RCPT", 450, "4.2.0 Greylisted", "recipient", "RETRY"],
  ["DATA", 550, "5.4.5 Daily user sending limit exceeded", "rate", "COOL_DOWN"],
  ["DATA", 550, "5.2.0 Hourly quota exceeded", "rate", "COOL_DOWN"],
  ["RCPT", 550, "You have sent too many messages today", "rate", "COOL_DOWN"],
  ["DATA", 554, "5.7.1 Message rejected as spam", "sender", "COOL_DOWN"],
  ["DATA", 550, "5.7.26 Unauthenticated email is not accepted", "sender", "COOL_DOWN"],
  ["RCPT", 554, "5.7.1 Service unavailable; client host blocked using a block list", "sender", "COOL_DOWN"],
  ["RCPT", 550, "5.7.1 User unknown; poor reputation", "sender", "COOL_DOWN"],
  ["DATA", 552, "5.3.4 Message too big", "content", "FAIL_STEP"],
  ["DATA", 550, "5.6.0 Malformed message", "content", "FAIL_STEP"],
  ["RCPT", 550, "5.1.1 User unknown", "recipient", "HARD_BOUNCE"],
  ["DATA", 550, "5.1.1 No such user here", "recipient", "HARD_BOUNCE"],
  ["RCPT", 550, "5.1.2 Domain not found", "recipient", "HARD_BOUNCE"],
  ["RCPT", 551, "5.1.6 User has moved", "recipient", "HARD_BOUNCE"],
  ["RCPT", 556, "5.1.10 Domain does not accept mail", "recipient", "HARD_BOUNCE"],
  ["RCPT", 552, "5.2.2 Mailbox full", "recipient", "RETRY"],
  ["RCPT", 550, "User quota exceeded", "recipient", "RETRY"],
  ["RCPT", 550, "Sending quota exceeded for today", "rate", "COOL_DOWN"],
  ["RCPT", 550, "5.7.1 Invalid HELO name", "sender", "COOL_DOWN"],
  ["RCPT", 550, "Your domain does not exist", "sender", "COOL_DOWN"],
  ["RCPT", 551, "User not local. We don't relay", "sender", "COOL_DOWN"],
  ["DATA", 550, "5.1.7 Invalid address", "sender", "COOL_DOWN"],
  ["RCPT", 550, "Requested action not taken: mailbox unavailable", "recipient", "HARD_BOUNCE"],
  ["RCPT", 450, "Mailbox busy", "recipient", "RETRY"],
  ["DATA", 451, "4.3.0 Local error", "unknown", "RETRY"],
];

test.each(cases)("at %s the reply %s %s is the fault of: %s, and its effect is %s", (stage, code, text, fault, effect) => {
  expect(readRefusal({ stage, code, text })).toMatchObject({ fault, effect });
});

test("a temporary reply never bounces, and no reply before RCPT does", () => {
  const stage = fc.constantFrom<Stage>("CONNECT", "TLS", "GREETING", "EHLO", "AUTH", "MAIL", "RCPT", "DATA");
  const text = fc.array(fc.constantFrom("5.1.1", "4.1.1", "user unknown", "no such domain", "spam", "quota", "full"), { maxLength: 4 });
  fc.assert(
    fc.property(stage, fc.integer({ min: 400, max: 599 }), text, (at, code, words) => {
      const { effect, fault } = readRefusal({ stage: at, code, text: words.join(" ") });
      if (effect === "HARD_BOUNCE")
        expect({ permanent: code >= 500, late: at === "RCPT" || at === "DATA", fault }).toEqual({
          permanent: true,
          late: true,
          fault: "recipient",
        });
    }),
  );
});

test("the enhanced code and the reason are returned to be recorded", () => {
  expect(readRefusal({ stage: "RCPT", code: 550, text: "5.1.1 User unknown" })).toMatchObject({
    enhanced: "5.1.1",
    reason: "USER_UNKNOWN",
  });
  expect(readRefusal({ stage: "CONNECT", code: null, text: "", cause: "TIMEOUT" })).toMatchObject({ enhanced: null, reason: null });
});
