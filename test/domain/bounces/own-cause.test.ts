import { expect, test } from "@jest/globals";
import { readBounce } from "../../../domain/bounces/bounce.ts";
import { readRefusal } from "../../../domain/bounces/refusal.ts";
import { verdictOfText } from "../../../domain/bounces/verdict.ts";
import { wrote } from "../mail/mail.ts";

const verdicts = (text: string) =>
  (
    readBounce(wrote("MAILER-DAEMON@relay.example", "Undelivered Mail Returned to Sender", text, ""))?.recipients ?? []
  ).map(({ address, type, reason }) => [address, type, reason]);

test("an error about a host is assigned to the address below that error", () => {
  const text = [
    "   ----- Transcript of session follows -----",
    "... while talking to mx.alpha.example:",
    ">>> DATA",
    "<<< 550 You cannot send mail to yourself",
    "554 <ann@alpha.example>... Remote protocol error",
    "550 beta.example (smtp)... 550 Host unknown",
    "554 <bob@beta.example>... 550 Host unknown (Authoritative answer from name server)",
  ].join("\n");
  expect(verdicts(text)).toEqual([
    ["ann@alpha.example", "SOFT", expect.any(String)],
    ["bob@beta.example", "HARD", "HOST_UNKNOWN"],
  ]);
});

test.each([
  "<pat@firm.example>:\nConnected to 192.0.2.7 but my name was rejected.\nRemote host said: 501 5.0.0 Invalid domain name",
  "<pat@firm.example>: host mx.firm.example[192.0.2.9] said: 550 HELO name rejected (in reply to HELO command)",
  "<pat@firm.example>: host mx.firm.example[192.0.2.9] said: 501 Syntactically invalid EHLO argument(s)",
])("a refusal of our own host name is not the recipient's fault: %s", (text) => {
  expect(verdicts(text)).toEqual([["pat@firm.example", "SOFT", "POLICY"]]);
});

test.each([
  ["552 5.2.3 Account does not have enough space", "MAILBOX_FULL"],
  ["554 5.2.3 mailbox error", "MAILBOX_FULL"],
  ["552 5.2.2 not enough space left", "MAILBOX_FULL"],
  ["the user has overdrawn the diskspace quota, try again later", "MAILBOX_FULL"],
  ["552 5.2.3 Message size exceeds the maximum message size", "MESSAGE_TOO_BIG"],
] as const)(
  "a lack of space means a full mailbox, and an oversized message is reported as too big: %s",
  (text, reason) => {
    expect(verdictOfText(text, null)).toMatchObject({ reason });
  },
);

test("a full mailbox reported at the end of our own SMTP session is retried and is not the content's fault", () => {
  expect(readRefusal({ stage: "RCPT", code: 552, text: "5.2.3 Account does not have enough space" })).toMatchObject({
    about: "recipient",
    effect: "RETRY",
  });
});

test.each([
  ["554 RCPT (pat@firm.example) dosn't exist", "USER_UNKNOWN"],
  ["550 unkown user", "USER_UNKNOWN"],
  ["This user doesn't have a firm.example account (pat@firm.example) [0]", "USER_UNKNOWN"],
  [
    "5.1.0 - Unknown address error 550-'5.4.1 Recipient address rejected: Access denied. [X.prod.outlook.example]'",
    "USER_UNKNOWN",
  ],
  ["554 the domain is not reachable. Please check the domain and try again", "HOST_UNKNOWN"],
] as const)("misspelled or wrapped server messages are still classified: %s", (text, reason) => {
  expect(verdictOfText(text, null, "RCPT")).toMatchObject({ type: "HARD", reason });
});

test("a general failure counts less than the specific reason beside it", () => {
  const text =
    "   ----- Transcript of session follows -----\nmail.local: unknown user: pat\n554 <pat@firm.example>... Service unavailable";
  expect(verdicts(text)).toEqual([["pat@firm.example", "HARD", "USER_UNKNOWN"]]);
});
