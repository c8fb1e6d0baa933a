import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readRefusal, readReportedFailure } from "../../../domain/bounces/refusal.ts";
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
  ["RCPT", 450, "4.2.1 Try again later", "rate", "SLOW_DOWN"],
  ["RCPT", 452, "4.5.3 Too many recipients", "rate", "SLOW_DOWN"],
  ["DATA", 421, "4.7.28 Unusual rate of unsolicited mail", "rate", "SLOW_DOWN"],
  ["RCPT", 451, "4.7.1 Greylisting in action, come back later", "recipient", "RETRY"],
  ["RCPT", 450, "4.2.0 Greylisted", "recipient", "RETRY"],
  ["DATA", 550, "5.4.5 Daily user sending limit exceeded", "rate", "COOL_DOWN"],
  ["DATA", 550, "5.2.0 Hourly quota exceeded", "rate", "COOL_DOWN"],
  ["RCPT", 550, "You have sent too many messages today", "rate", "COOL_DOWN"],
  ["DATA", 554, "5.7.1 Message rejected as spam", "content", "PUT_OFF"],
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
  ["RCPT", 551, "User not local. We don't relay", "policy", "PUT_OFF"],
  ["DATA", 550, "5.1.7 Invalid address", "sender", "COOL_DOWN"],
  ["RCPT", 550, "Requested action not taken: mailbox unavailable", "recipient", "HARD_BOUNCE"],
  ["RCPT", 450, "Mailbox busy", "recipient", "RETRY"],
  ["RCPT", 450, "4.2.1 The user is receiving mail at a rate that prevents delivery", "recipient", "RETRY"],
  ["RCPT", 550, "5.2.1 The account you write to is getting too many messages too quickly", "recipient", "RETRY"],
  ["RCPT", 451, "4.7.1 Temporarily refused by policy", "recipient", "RETRY"],
  ["MAIL", 552, "5.3.4 Message size exceeds the fixed limit", "content", "FAIL_STEP"],
  ["RCPT", 550, "5.7.1 Your account has been suspended, contact support", "sender", "COOL_DOWN"],
  ["DATA", 554, "5.7.0 Sending from this account is blocked because of suspicious activity", "sender", "COOL_DOWN"],
  ["RCPT", 550, "5.2.1 The account of this recipient is suspended", "recipient", "RETRY"],
  ["DATA", 451, "4.3.0 Local error", "unknown", "RETRY"],
];

test.each(cases)(
  "a reply at %s with the code %s and the text '%s' is classified as about the %s, with the effect %s",
  (stage, code, text, about, effect) => {
    expect(readRefusal({ stage, code, text })).toMatchObject({ about, effect });
  },
);

const theirs: [string, string][] = [
  [
    "550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; delivery restrictions apply",
    "recipient",
  ],
  ["550 5.7.124 RESOLVER.RST.NotInAllowedList; sender not in allowed-senders list for group", "recipient"],
  ["550-5.7.1 You may not have permission to post messages to the group you tried to contact", "recipient"],
  ["550 5.7.2 This list takes mail of its members only", "recipient"],
  ["554 5.7.1 You are not allowed to post to this mailing list", "recipient"],
  ["550 5.7.1 Only members may write to the distribution list; closed group", "recipient"],
  ["550 5.7.507 Access denied, rejected by recipient", "recipient"],
  ["550 5.7.1 Message refused by the recipient's blocked senders list", "recipient"],
  ["554 5.7.1 The sender is on the user's personal block list", "recipient"],
  ["550 envelope blocked - User Entry", "recipient"],
  ["550 5.7.1 Your message was rejected by the mailbox owner", "recipient"],
  ["550 5.7.1 rejected by the recipient's Sieve script", "recipient"],
  ["550 The addressee accepts mail only from known contacts: you are not in the safe list", "recipient"],
  ["550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected, SPF of no concern", "organisation"],
  ["550 5.7.1 Rejected by a mail flow rule of the company", "organisation"],
  ["554 5.7.1 This mailbox cannot receive messages from people outside the organisation", "organisation"],
  ["550 5.7.1 External senders are blocked for this address", "organisation"],
  ["550 5.7.12 The recipient's organisation takes no mail from outside", "organisation"],
  ["550 5.7.513 Client host blocked by harborview.test using a customer block list", "organisation"],
  ["550 5.7.1 Message rejected due to the organization's policy", "organisation"],
  ["550 5.7.1 Der Administrator nimmt für diesen Empfänger keine Mails an: nur für interne Absender", "organisation"],
];

test.each(theirs)("'%s' is classified as a rule of the %s, at RCPT, after DATA and in a report", (text, about) => {
  const [code = "", ...words] = text.split(/(?<=^\d{3})[ -]/);
  for (const stage of ["RCPT", "DATA"] as const) {
    expect(readRefusal({ stage, code: Number(code), text: words.join(" ") })).toMatchObject({
      about,
      confidence: "CERTAIN",
      effect: "END",
    });
  }
  const reported = { reason: "POLICY", type: "SOFT", fault: "sender", code: "5.7.1", diagnostic: text } as const;
  expect(readReportedFailure(reported)).toMatchObject({ about, effect: "END" });
});

const ours = [
  "550 5.7.1 Service unavailable, client host [192.0.2.7] blocked using zen.spamhaus.org",
  "550 5.7.23 The message was rejected because of Sender Policy Framework violation",
  "550-5.7.26 This mail is unauthenticated: DKIM = did not pass",
  "554 5.7.1 Your IP address has a poor reputation",
  "550 5.7.606 Access denied, banned sending IP [192.0.2.7]",
  "550 5.7.1 Mail from a.test is not accepted here, domain a.test is not welcome",
  "550 5.1.8 Access denied, bad outbound sender",
];

test.each(ours)("'%s' is classified as the sender's fault with certainty", (text) => {
  const [code = "", ...words] = text.split(/(?<=^\d{3})[ -]/);
  expect(readRefusal({ stage: "RCPT", code: Number(code), text: words.join(" "), own: ["a.test"] })).toMatchObject({
    about: "sender",
    confidence: "CERTAIN",
    effect: "COOL_DOWN",
  });
});

test.each([
  [550, "5.7.1 Access denied"],
  [550, "5.7.1"],
  [554, ""],
  [550, "Rejected"],
  [550, "5.7.0 Local policy violation"],
  [554, "5.7.1 <ann@a.test>: Recipient address rejected: Access denied"],
  [550, "Administrative prohibition"],
  [550, "5.7.1 Delivery not authorized, message refused"],
])("a refusal without a reason, %s '%s', is classified as an unknown policy and postpones the email", (code, text) => {
  for (const stage of ["RCPT", "DATA"] as const) {
    expect(readRefusal({ stage, code, text, own: ["a.test"] })).toMatchObject({
      about: "policy",
      confidence: "UNCONFIRMED",
      effect: "PUT_OFF",
    });
  }
});

test("a 421 or reset on a used connection means reconnect; a 421 on a new connection means slow down", () => {
  const closing = {
    stage: "MAIL",
    code: 421,
    text: "4.3.2 Service not available, closing transmission channel",
  } as const;
  expect(readRefusal({ ...closing, carried: 1 })).toMatchObject({ about: "connection", effect: "RECONNECT" });
  expect(readRefusal({ ...closing, carried: 0 })).toMatchObject({ about: "rate", effect: "SLOW_DOWN" });
  const reset = { stage: "MAIL", code: null, text: "", cause: "RESET" } as const;
  expect(readRefusal({ ...reset, carried: 3 })).toMatchObject({ about: "connection", effect: "RECONNECT" });
  expect(readRefusal(reset)).toMatchObject({ about: "host", effect: "BREAKER" });
  const many = { stage: "MAIL", code: 452, text: "4.5.3 Too many messages in this session" } as const;
  expect(readRefusal({ ...many, carried: 5 })).toMatchObject({ about: "connection" });
});

test("a temporary reply is never a hard bounce, nor is a reply before RCPT", () => {
  const stage = fc.constantFrom<Stage>("CONNECT", "TLS", "GREETING", "EHLO", "AUTH", "MAIL", "RCPT", "DATA");
  const text = fc.array(fc.constantFrom("5.1.1", "4.1.1", "user unknown", "no such domain", "spam", "quota", "full"), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(stage, fc.integer({ min: 400, max: 599 }), text, (at, code, words) => {
      const { effect, about } = readRefusal({ stage: at, code, text: words.join(" ") });
      if (effect === "HARD_BOUNCE")
        expect({ permanent: code >= 500, late: at === "RCPT" || at === "DATA", about }).toEqual({
          permanent: true,
          late: true,
          about: "recipient",
        });
    }),
  );
});

test("a classified refusal contains the enhanced status code and the reason", () => {
  expect(readRefusal({ stage: "RCPT", code: 550, text: "5.1.1 User unknown" })).toMatchObject({
    enhanced: "5.1.1",
    reason: "USER_UNKNOWN",
  });
  expect(readRefusal({ stage: "CONNECT", code: null, text: "", cause: "TIMEOUT" })).toMatchObject({
    enhanced: null,
    reason: null,
  });
});
