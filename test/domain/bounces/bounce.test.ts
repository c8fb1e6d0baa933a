import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readBounce } from "../../../domain/bounces/bounce.ts";
import { ownEvidence } from "../../../domain/bounces/own-evidence.ts";
import { isBounce } from "../../../domain/bounces/signs.ts";
import { verdictOfText } from "../../../domain/bounces/verdict.ts";
import { parsed, reply } from "../mail/mail.ts";

const DSN = `Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@relay.example>
To: me@ours.example
Subject: Undelivered Mail Returned to Sender
Date: Mon, 2 Nov 2026 10:00:00 +0000
Message-ID: <dsn-1@relay.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="=_b"

--=_b
Content-Type: text/plain; charset=us-ascii

<gone@customer.example>: host mx.customer.example[192.0.2.1] said: 550 5.1.1
    <gone@customer.example>: Recipient address rejected: User unknown (in reply
    to RCPT TO command)
<full@customer.example>: host mx.customer.example[192.0.2.1] said: 552 5.2.2
    Mailbox full (in reply to RCPT TO command)

--=_b
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.example
Original-Envelope-Id: send-77

Final-Recipient: rfc822; gone@customer.example
Original-Recipient: rfc822; lead@customer.example
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <gone@customer.example>: Recipient address
    rejected: User unknown

Final-Recipient: rfc822; full@customer.example
Action: failed
Status: 5.2.2
Diagnostic-Code: smtp; 552 5.2.2 Mailbox full

Final-Recipient: rfc822; late@customer.example
Action: delayed
Status: 4.4.1

--=_b
Content-Type: message/rfc822

From: me@ours.example
To: gone@customer.example
Subject: Hello
Message-ID: <abcdefghijklmnopqrstuvwxyz234567@ours.example>
X-Mail-Ref: abcdefghijklmnop2345
List-Unsubscribe: <https://t.ours.example/u/v1.k1.cGF5bG9hZA.bWFjbWFjbWFjbWFjbWFj>,
 <mailto:me@ours.example?subject=unsubscribe>

Hello

--=_b--
`;

const EXIM = `Return-Path: <>
From: Mail Delivery System <Mailer-Daemon@relay.example>
To: me@ours.example
Subject: Mail delivery failed: returning message to sender
X-Failed-Recipients: gone@customer.example

This message was created automatically by mail delivery software.
The following address(es) failed:

  gone@customer.example
    host mx.customer.example [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<gone@customer.example>:
    550 no such user here

------ This is a copy of the message, including all the headers. ------

Received: from ours.example
Message-ID: <abcdefghijklmnopqrstuvwxyz234567@ours.example>
From: me@ours.example
To: gone@customer.example
Subject: The mailbox is full of spam
`;

const textBounce = (words: string, from = "MAILER-DAEMON@relay.example", subject = "Undeliverable: Hello") =>
  parsed(`From: ${from}\nTo: me@ours.example\nSubject: ${subject}\n\n${words}\n`);

test("every failed recipient of a report is read, and a delayed recipient is left out", () => {
  const bounce = readBounce(parsed(DSN));
  expect(bounce?.kind).toBe("BOUNCE");
  expect(bounce?.recipients).toMatchObject([
    {
      address: "gone@customer.example",
      originalRecipient: "lead@customer.example",
      status: "5.1.1",
      reason: "USER_UNKNOWN",
      type: "HARD",
      structured: true,
    },
    {
      address: "full@customer.example",
      status: "5.2.2",
      reason: "MAILBOX_FULL",
      type: "SOFT",
      fault: "recipient",
      structured: true,
    },
  ]);
});

test.each(["\r\n", "\n", "\r"])("line endings do not change the classification of a bounce (%j)", (newline) => {
  expect(readBounce(parsed(DSN, newline))).toEqual(readBounce(parsed(DSN)));
  expect(readBounce(parsed(EXIM, newline))).toEqual(readBounce(parsed(EXIM)));
});

test("a bounce without a delivery status is classified by its own text, not by the returned message", () => {
  expect(readBounce(parsed(EXIM))?.recipients).toMatchObject([
    { address: "gone@customer.example", reason: "USER_UNKNOWN", type: "HARD", structured: false },
  ]);
});

test("a report that an email is delayed by some hours is a delay, never a bounce", () => {
  const words =
    "Your message has not yet been delivered to:\n\n  slow@customer.example\n    connection timed out\n\nDelivery attempts will continue.";
  expect(readBounce(textBounce(words, undefined, "Warning: message delayed 24 hours"))).toMatchObject({
    kind: "DELAY",
    recipients: [{ address: "slow@customer.example", action: "delayed", type: "SOFT" }],
  });
});

test("a delay text that blames the sender is a bounce that ends no recipient; a report with an Action field follows that field", () => {
  const why = "450 4.7.25 Client host rejected: cannot find your reverse hostname";
  const words = `Your message has not yet been delivered to:\n\n  slow@customer.example\n    ${why}\n\nDelivery attempts will continue.`;
  expect(readBounce(textBounce(words, undefined, "Warning: message delayed 24 hours"))).toMatchObject({
    kind: "BOUNCE",
    recipients: [
      {
        address: "slow@customer.example",
        action: null,
        reason: "BLOCKED",
        type: "SOFT",
        fault: "sender",
        structured: false,
      },
    ],
  });
  const report = DSN.replaceAll("Action: failed", "Action: delayed")
    .replaceAll("5.2.2", "4.7.25")
    .replaceAll("Mailbox full", why);
  expect(readBounce(parsed(report))?.kind).toBe("DELAY");
});

test("a delivery confirmation is not a bounce", () => {
  expect(
    readBounce(parsed(DSN.replaceAll("Action: failed", "Action: delivered").replace("delayed", "relayed"))),
  ).toBeNull();
});

test("a person's email that quotes or forwards a bounce is not a bounce", () => {
  const quoting = reply(
    { Subject: "Fwd: Undelivered Mail Returned to Sender" },
    "I got this:\n> 550 5.1.1 <x@y.example>... User unknown",
  );
  expect(isBounce(quoting)).toBe(false);
});

test("the parts of our email in a bounce identify the send", () => {
  expect(ownEvidence(parsed(DSN))).toEqual({
    mailRefs: ["abcdefghijklmnop2345"],
    messageIds: ["<abcdefghijklmnopqrstuvwxyz234567@ours.example>"],
    envelopeIds: ["send-77"],
    tokens: ["v1.k1.cGF5bG9hZA.bWFjbWFjbWFjbWFjbWFj"],
  });
  expect(ownEvidence(parsed(EXIM)).messageIds).toEqual(["<abcdefghijklmnopqrstuvwxyz234567@ours.example>"]);
});

test.each([
  [
    "Unzustellbar: Hallo",
    "Diese Nachricht konnte nicht zugestellt werden:\n\nweg@kunde.example\nDer Empfänger ist unbekannt",
    "USER_UNKNOWN",
  ],
  [
    "Non remis : Bonjour",
    "Échec de la remise pour ces destinataires :\n\nparti@client.example\nL'adresse est introuvable",
    "USER_UNKNOWN",
  ],
  [
    "No se pudo entregar: Hola",
    "No se pudo entregar el mensaje a:\n\nido@cliente.example\nEl buzón está lleno",
    "MAILBOX_FULL",
  ],
  [
    "Mancato recapito",
    "Non è stato possibile recapitare il messaggio a:\n\nvia@cliente.example\nUtente sconosciuto",
    "USER_UNKNOWN",
  ],
  [
    "Сообщение не доставлено",
    "Письмо не может быть доставлено:\n\nnet@klient.example\nПользователь не найден",
    "USER_UNKNOWN",
  ],
])("a bounce in another language is classified correctly (%s)", (subject, words, reason) => {
  const message = parsed(
    `From: postmaster@relay.example\nTo: me@ours.example\nSubject: ${subject}\nContent-Type: text/plain; charset=utf-8\n\n${words}\n`,
  );
  expect(readBounce(message)?.recipients).toMatchObject([{ address: words.split("\n")[2], reason }]);
});

test.each([
  ["550 5.1.1 The email account that you tried to reach does not exist", "USER_UNKNOWN", "HARD", "recipient"],
  [
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
    "USER_UNKNOWN",
    "HARD",
    "recipient",
  ],
  ["550 5.4.1 Recipient address rejected: Access denied", "USER_UNKNOWN", "HARD", "recipient"],
  [
    "Host or domain name not found. Name service error for name=x.example type=A: Host not found",
    "HOST_UNKNOWN",
    "HARD",
    "recipient",
  ],
  ["Domain x.example does not accept mail (nullMX)", "NOT_ACCEPTING", "HARD", "recipient"],
  ["551 5.1.6 User has moved to another provider", "MOVED", "HARD", "recipient"],
  ["556 5.1.10 rejected", "NOT_ACCEPTING", "HARD", "recipient"],
  ["550 5.1.1 User unknown; your host is blocked using zen.spamhaus.org", "BLOCKED", "SOFT", "sender"],
  ["550 5.7.1 Client host rejected: cannot find your reverse hostname", "BLOCKED", "SOFT", "sender"],
  [
    "550 5.7.26 This mail has been blocked because the sender is unauthenticated. SPF did not pass",
    "AUTHENTICATION",
    "SOFT",
    "sender",
  ],
  ["554 5.7.1 <x>: Relay access denied", "POLICY", "SOFT", "sender"],
  ["550 5.7.99 no", "POLICY", "SOFT", "sender"],
  ["552 5.2.2 Over quota", "MAILBOX_FULL", "SOFT", "recipient"],
  ["550 5.2.1 The mailbox is disabled", "MAILBOX_DISABLED", "SOFT", "recipient"],
  ["552 5.3.4 Message size exceeds fixed limit", "MESSAGE_TOO_BIG", "SOFT", "content"],
  ["554 Your message was identified as spam", "CONTENT_REJECTED", "SOFT", "content"],
  ["421 4.7.0 Too many connections", "RATE_LIMITED", "SOFT", "sender"],
  ["554 5.4.6 Too many hops", "ROUTING", "SOFT", "network"],
  ["retry timeout exceeded", "EXPIRED", "SOFT", "network"],
  ["connect to mx.example[192.0.2.1]:25: Connection timed out", "NETWORK", "SOFT", "network"],
  ["452 4.3.1 Insufficient system storage", "SYSTEM", "SOFT", "network"],
  ["something happened", "UNDEFINED", "SOFT", null],
])("the refusal %s is classified as %s, %s", (text, reason, type, fault) => {
  expect(verdictOfText(text, null)).toEqual({ reason, type, fault });
});

test("words inside an address, URL or host name do not change the reason of a refusal", () => {
  const text =
    "host mx.antispam.example[192.0.2.1] said: 550 5.1.1 <blocked.virus@x.example>: User unknown, see https://x.example/policy/spam";
  expect(verdictOfText(text, null)).toMatchObject({ reason: "USER_UNKNOWN", type: "HARD" });
});

test("'user unknown' is a soft bounce after the content was sent, or with a status code about something else", () => {
  expect(verdictOfText("550 User unknown", null, "RCPT").type).toBe("HARD");
  expect(verdictOfText("550 User unknown", null, "DATA").type).toBe("SOFT");
  expect(verdictOfText("550 5.2.1 User unknown", null).type).toBe("SOFT");
  expect(verdictOfText("550 5.2.1 User unknown", null, "RCPT").type).toBe("HARD");
});

test("a refusal at MAIL FROM is never the recipient's fault", () => {
  expect(verdictOfText("550 5.1.8 No such domain ours.example", null, "MAIL")).toEqual({
    reason: "POLICY",
    type: "SOFT",
    fault: "sender",
  });
});

test("only four reasons are hard bounces, and no text makes the classifier throw", () => {
  const hard = ["MOVED", "USER_UNKNOWN", "HOST_UNKNOWN", "NOT_ACCEPTING"];
  const word = fc.constantFrom(
    "user",
    "unknown",
    "mailbox",
    "full",
    "blocked",
    "550",
    "5.1.1",
    "5.7.1",
    "<a@b.example>",
    "not",
    "found",
    "host",
    "spam",
    "\n",
    "has moved",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 40 }), (words) => {
      const { reason, type, fault } = verdictOfText(words.join(" "), null);
      expect(type === "HARD").toBe(type === "HARD" && hard.includes(reason) && fault === "recipient");
      if (/spam|blocked/.test(words.join(" ").replaceAll(/\S*[@.:/]\S*/g, "")))
        expect(["HARD", type]).not.toEqual(["HARD", "HARD"]);
    }),
    { numRuns: 300 },
  );
});

test.each([" ", "\n", "a ", "<", "a@", "user ", "mailbox exceed ", "message-id: <", ">>> DATA\n<<< 550 x\n"])(
  "100,000 characters of %j are classified as a bounce within the time limit of the test",
  (unit) => {
    const hostile = unit.repeat(Math.floor(100_000 / unit.length));
    const message = parsed(
      `From: mailer-daemon@relay.example\nTo: me@ours.example\nSubject: failure notice\n\n${hostile}`,
    );
    expect(readBounce(message)?.kind).toBe("BOUNCE"); // a pattern that is not linear would exceed the time limit of the test
    expect(ownEvidence({ ...message, returned: hostile }).mailRefs).toEqual([]);
  },
);
