import { expect, test } from "@jest/globals";
import { readComplaint } from "../../../domain/bounces/complaint.ts";
import { ownEvidence } from "../../../domain/bounces/own-evidence.ts";
import { parsed, reply } from "../mail/mail.ts";

const report = (fields: string) => `From: fbl@receiver.example
To: me@ours.example
Subject: FW: Hello
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="=_b"

--=_b
Content-Type: text/plain

This is an email abuse report.

--=_b
Content-Type: message/feedback-report

${fields}
User-Agent: Loop/1.0
Version: 1
Original-Mail-From: <me@ours.example>
Original-Rcpt-To: <Lead@customer.example>

--=_b
Content-Type: message/rfc822

From: me@ours.example
To: undisclosed-recipients:;
Message-ID: <abcdefghijklmnopqrstuvwxyz234567@ours.example>
X-Mail-Ref: abcdefghijklmnop2345

Hello
--=_b--
`;

test.each([
  ["abuse", "SUPPRESS"],
  ["fraud", "SUPPRESS"],
  ["opt-out", "SUPPRESS"],
  ["x-brand-new", "SUPPRESS"],
  ["not-spam", "COUNT"],
  ["auth-failure", "ALERT"],
  ["dmarc", "ALERT"],
])("a report of type %s has the effect %s", (type, effect) => {
  expect(readComplaint(parsed(report(`Feedback-Type: ${type}`)))).toEqual({
    effect,
    feedbackType: type,
    recipients: ["lead@customer.example"],
    originalMailFrom: "me@ours.example",
  });
});

test.each([
  [
    "[SpamCop (192.0.2.1) id:7] Hello",
    "X-SpamCop-sourceip: 192.0.2.1",
    "[ SpamCop V4.9.0 ]\nThis message is brief for your comfort.",
  ],
  ["abuse report", "X-ARF: Yes", "Report-Type: abuse\nSource: 192.0.2.1"],
])("a plain-text email from a feedback loop is a complaint (%s)", (subject, header, text) => {
  const letter = `From: loop@receiver.example\n${header}\nTo: me@ours.example\nSubject: ${subject}\n\n${text}`;
  expect(readComplaint(parsed(letter))).toMatchObject({ effect: "SUPPRESS", feedbackType: "abuse" });
});

test("a reply with our email attached is no complaint, even from an address that looks like a feedback loop", () => {
  const attached = report("Feedback-Type: abuse")
    .replace("report; report-type=feedback-report", "mixed")
    .replace("message/feedback-report", "text/plain");
  expect(readComplaint(parsed(attached))).not.toBeNull();
  expect(readComplaint(parsed(`In-Reply-To: <x@ours.example>\n${attached}`))).toBeNull();
});

test("a feedback report without a type is still a complaint", () => {
  expect(readComplaint(parsed(report("Arrival-Date: today")))).toMatchObject({
    effect: "SUPPRESS",
    feedbackType: "unknown",
  });
});

test("the returned part of a feedback report identifies the send", () => {
  expect(ownEvidence(parsed(report("Feedback-Type: abuse")))).toMatchObject({
    mailRefs: ["abcdefghijklmnop2345"],
    messageIds: ["<abcdefghijklmnopqrstuvwxyz234567@ours.example>"],
  });
});

test("a feedback loop that forwards our email is a complaint", () => {
  const forwarded = `From: staff@hotmail.com
To: me@ours.example
Subject: complaint about message
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="=_b"

--=_b
Content-Type: message/rfc822

X-HmXmrOriginalRecipient: lead@customer.example
From: me@ours.example
Subject: Hello

Hello
--=_b--
`;
  expect(readComplaint(parsed(forwarded))).toMatchObject({ effect: "SUPPRESS", recipients: ["lead@customer.example"] });
});

test("a feedback loop that sends JSON is a complaint", () => {
  const json = JSON.stringify({
    notificationType: "Complaint",
    complaint: { complainedRecipients: [{ emailAddress: "lead@customer.example" }] },
  });
  expect(readComplaint(reply({ From: "no-reply@notify.example", Subject: "Notification" }, json))).toMatchObject({
    effect: "SUPPRESS",
    recipients: ["lead@customer.example"],
  });
});

test("an angry email from a person is not a feedback report", () => {
  expect(readComplaint(reply({}, "This is spam, I will report you for abuse."))).toBeNull();
});
