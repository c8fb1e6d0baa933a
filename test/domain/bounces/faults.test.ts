import { expect, test } from "@jest/globals";
import { readingOf, type Written } from "./reports.ts";

// The recipient is not at fault, or its fault is easily missed. All are about x@ some domain, unless they name several
const REPORTS: readonly Written[] = [
  {
    name: "block list's link in a text",
    expected: ["SOFT sender"],
    subject: "failure notice",
    text: `<x@a.com>:
192.0.2.9 does not like recipient.
Remote host said: 553 5.1.3 http://dsbl.org/listing?192.0.2.1
Giving up on 192.0.2.9.
`,
  },
  {
    name: "recipient preferences text",
    expected: ["SOFT"],
    text: `  x@a.com
    host mx.a.com [192.0.2.1]: 550 5.1.1 <x@a.com>: Message refused because of recipient's preferences
`,
  },
  {
    name: "sendmail transcript two hosts",
    expected: ["SOFT sender a@x.com", "HARD recipient b@y.com"],
    subject: "Returned mail: see transcript for details",
    text: `   ----- The following addresses had permanent fatal errors -----
<a@x.com>
<b@y.com>

   ----- Transcript of session follows -----
... while talking to mx.x.com.:
>>> RCPT To:<a@x.com>
<<< 550 5.7.1 Blocked by our policy
... while talking to mx.y.com.:
>>> RCPT To:<b@y.com>
<<< 550 5.1.1 User unknown
`,
  },
  {
    name: "sendmail transcript two hosts, 1st full",
    expected: ["SOFT recipient a@x.com", "HARD recipient b@y.com"],
    subject: "Returned mail: see transcript for details",
    text: `   ----- The following addresses had permanent fatal errors -----
<a@x.com>
    (reason: 552 5.2.2 Mailbox full)
<b@y.com>
    (reason: 550 5.1.1 User unknown)

   ----- Transcript of session follows -----
... while talking to mx.x.com.:
>>> DATA
<<< 552 5.2.2 Mailbox full
554 5.0.0 Service unavailable
... while talking to mx.y.com.:
>>> RCPT To:<b@y.com>
<<< 550 5.1.1 User unknown
550 5.1.1 <b@y.com>... User unknown
`,
  },
  {
    name: "mdaemon two",
    expected: ["SOFT sender a@x.com", "HARD recipient b@x.com"],
    from: "MDaemon@a.com",
    subject: "Permanent Delivery Failure",
    text: `The attached message had PERMANENT fatal delivery errors!

The following addresses did NOT receive a copy of your message:

> a@x.com
> b@x.com

--- Session Transcript ---
 --> RCPT To:<a@x.com>
 <-- 550 5.7.1 relay not permitted
 --> RCPT To:<b@x.com>
 <-- 550 unknown user
--- End Transcript ---
`,
  },
  {
    name: "plain 550 at au.com subdomain",
    expected: ["HARD recipient"],
    subject: "failure notice",
    text: `<x@firma.au.com>:
550 User unknown
`,
  },
  {
    name: "qmail 5.4.4",
    expected: ["HARD recipient x@nowhere.com"],
    subject: "failure notice",
    text: `Hi. This is the qmail-send program at a.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<x@nowhere.com>:
Sorry, I couldn't find a mail exchanger or IP address. (#5.4.4)

--- Below this line is a copy of the message.

Return-Path: <me@ours.example>
`,
  },
  {
    name: "qmail 5.4.4 b",
    expected: ["HARD recipient x@nowhere.com"],
    subject: "failure notice",
    text: `Hi. This is the qmail-send program at a.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<x@nowhere.com>:
Sorry. I couldn't find a mail exchanger for that host (#5.4.4)
`,
  },
  {
    name: "footer scanned for all viruses",
    expected: ["HARD recipient"],
    text: `Delivery failed:

  x@a.com

This e-mail has been scanned for all viruses by Star.
`,
    status: `Final-Recipient: rfc822; x@a.com
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1`,
  },
  {
    name: "footer scanned text only",
    expected: ["HARD recipient"],
    text: `Your message could not be delivered:

<x@a.com>: 5.1.1

________________________________________________________________________
This email has been scanned for all viruses by the MessageLabs service.
`,
  },
  {
    name: "footer scanned w code",
    expected: ["HARD recipient"],
    text: `<x@a.com>: host mx.a.com[192.0.2.1] said: 550 5.1.1 rejected (in reply to RCPT TO command)

--
This message has been checked for spam and viruses and is believed to be clean.
`,
  },
  {
    name: "521 no dsn",
    expected: ["HARD recipient"],
    subject: "failure notice",
    text: `<x@a.com>:
Connected to 192.0.2.1 but greeting failed.
Remote host said: 521 a.com does not accept mail
`,
  },
  {
    name: "Invalid final delivery userid",
    expected: ["HARD recipient x@a.com"],
    from: "Postmaster <postmaster@a.com>",
    subject: "Undeliverable Mail",
    text: `Invalid final delivery userid: x@a.com


Original message follows.

Received: from x`,
  },
  {
    name: "second text part",
    expected: ["HARD recipient x@b.com"],
    raw: `Return-Path: <>
From: MAILER-DAEMON@a.com
To: me@ours.example
Subject: Mail delivery failed
Content-Type: multipart/mixed; boundary=o

--o
Content-Type: text/plain

Your message could not be delivered. The transcript is attached.
Original message follows.
--o
Content-Type: text/plain

>>> RCPT To:<x@b.com>
<<< 550 5.1.1 User unknown
--o
Content-Type: message/rfc822

From: me@ours.example
--o--
`,
  },
  {
    name: "second text part attachment",
    expected: ["HARD recipient x@b.com"],
    raw: `Return-Path: <>
From: MAILER-DAEMON@a.com
To: me@ours.example
Subject: Mail delivery failed
Content-Type: multipart/mixed; boundary=o

--o
Content-Type: text/plain

Your message could not be delivered. The transcript is attached.
--o
Content-Type: text/plain; name=transcript.txt
Content-Disposition: attachment; filename=transcript.txt

>>> RCPT To:<x@b.com>
<<< 550 5.1.1 User unknown
--o--
`,
  },
  {
    name: "Action error",
    expected: ["HARD recipient"],
    text: "Your message could not be delivered.",
    status: `Final-Recipient: rfc822; x@a.com
Action: error
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 User unknown`,
  },
  {
    name: "Action expired",
    expected: ["SOFT network"],
    text: "Your message could not be delivered.",
    status: `Final-Recipient: rfc822; x@a.com
Action: expired
Status: 4.4.7
Diagnostic-Code: smtp; Delivery time expired`,
  },
  {
    name: "Action undeliverable",
    expected: ["HARD recipient"],
    text: "Your message could not be delivered.",
    status: `Final-Recipient: rfc822; x@a.com
Action: undeliverable
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 User unknown`,
  },
  {
    name: "post_master",
    expected: ["HARD recipient x@a.com"],
    from: "post_master@a.com",
    returnPath: "post_master@a.com",
    subject: "Undeliverable mail",
    text: `The following address could not be reached:

x@a.com
550 no such user
`,
  },
  {
    name: "no-reply english",
    expected: ["HARD recipient x@a.com"],
    from: "no-reply@a.com",
    returnPath: "no-reply@a.com",
    subject: "Delivery failure",
    text: `Your message could not be delivered to the following recipient:

x@a.com

Reason: 550 No such user
`,
  },
  {
    name: "no-reply japanese",
    expected: ["HARD recipient x@a.jp"],
    from: "noreply@a.jp",
    returnPath: "noreply@a.jp",
    subject: "メール送信エラーのお知らせ",
    text: `以下の宛先にメールを送信できませんでした。

x@a.jp

宛先のメールアドレスが存在しません。
`,
  },
  {
    name: "no-reply japanese 2",
    expected: ["HARD recipient x@a.jp"],
    from: "info-noreply@a.jp",
    returnPath: "x1@a.jp",
    subject: "配信エラー通知",
    text: `お送りいただいたメールは、次のアドレスに届けることができませんでした。
<x@a.jp>
User unknown
`,
  },
  {
    name: "no valid recipients host",
    expected: ["HARD recipient x@a.com"],
    from: "MAILER-DAEMON@a.net",
    returnPath: null,
    subject: "mail failed, returning to sender",
    extra: "Precedence: bulk\nList-Id: <x.y>",
    text: `|------------------------- Message log follows: -------------------------|
 no valid recipients were found for this message
|------------------------- Failed addresses follow: ---------------------|
 x@a.com ... unknown host
|------------------------- Message text follows: ------------------------|
Received: from`,
  },
  {
    name: "no valid recipients user",
    expected: ["HARD recipient x@a.com"],
    from: "MAILER-DAEMON@a.net",
    subject: "mail failed, returning to sender",
    text: `|------------------------- Message log follows: -------------------------|
 no valid recipients were found for this message
|------------------------- Failed addresses follow: ---------------------|
 <x@a.com> ... unknown user
`,
  },
  {
    name: "address on line after",
    expected: ["HARD recipient x@a.com"],
    from: "postmaster@a.com",
    subject: "Undeliverable mail",
    text: `Unable to deliver mail to the following address:
x@a.com
because the user does not exist.
`,
  },
  {
    name: "address on line after b",
    expected: ["HARD recipient x@a.com"],
    from: "postmaster@a.com",
    subject: "Mail delivery failed",
    text: `Delivery failed for this address:

   'x@a.com'

No such user.
`,
  },
  {
    name: "address on line after c",
    expected: ["HARD recipient x@a.com"],
    from: "postmaster@a.com",
    subject: "Mail delivery failed",
    text: `Failed address:
	smtp:x@a.com
Error: recipient unknown
`,
  },
  {
    name: "address on line after d",
    expected: ["HARD recipient x@a.com"],
    from: "postmaster@a.com",
    subject: "Mail delivery failed",
    text: `Recipient address:
    [x@a.com]
Reason: 550 recipient unknown
`,
  },
  {
    name: "address on line after e",
    expected: ["HARD recipient x@a.com"],
    from: "postmaster@a.com",
    subject: "Mail delivery failed",
    text: `I could not deliver to this address:
- Bob X (x@a.com)
550 recipient unknown
`,
  },
  {
    name: "an Action of no standard above a Status of success",
    kind: "REPORT",
    expected: [],
    status: "Final-Recipient: rfc822; x@a.com\nAction: accepted\nStatus: 2.1.5\nDiagnostic-Code: smtp; 250 ok",
  },
  {
    name: "bare carriage returns within an encoded part",
    expected: ["SOFT recipient a@a.com", "HARD recipient x@a.com"],
    raw: "Return-Path: <>\nFrom: MAILER-DAEMON@a.com\nTo: me@ours.example\nSubject: failure notice\nContent-Transfer-Encoding: base64\n\nRGVsaXZlcnkgZmFpbGVkOg0NPGFAYS5jb20+Og01NTIgbWFpbGJveCBmdWxsDQ08eEBhLmNvbT46DTU1MCB1bmtub3duIHVzZXIN\n",
  },
];

test.each(REPORTS)("a recipient is classified by the words about that recipient: $name", (report) => {
  expect(readingOf(report)).toEqual({ kind: report.kind ?? "BOUNCE", found: report.expected });
});
