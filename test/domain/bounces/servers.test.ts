import { expect, test } from "@jest/globals";
import { readingOf, type Written } from "./reports.ts";

// Reports as common mail servers write them
const REPORTS: readonly Written[] = [
  {
    name: "postfix smtp; 550 5.1.1 <x@b.com>: Recipient add",
    expected: ["HARD recipient x@b.com"],
    text: `This is the mail system at host relay.com.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

For further assistance, please send mail to postmaster.

If you do so, please include this problem report. You can
delete your own text from the attached returned message.

                   The mail system

<x@b.com>: host mx.b.com[192.0.2.1] said: 550 5.1.1 <x@b.com>: Recipient address rejected: User unknown in virtual mailbox table (in reply to RCPT TO command)
`,
    status: `Final-Recipient: rfc822; x@b.com
Original-Recipient: rfc822;x@b.com
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.b.com
Diagnostic-Code: smtp; 550 5.1.1 <x@b.com>: Recipient address rejected: User unknown in virtual mailbox table`,
  },
  {
    name: "postfix smtp; 550-5.1.1 The email account that y",
    expected: ["HARD recipient x@b.com"],
    text: `This is the mail system at host relay.com.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

For further assistance, please send mail to postmaster.

If you do so, please include this problem report. You can
delete your own text from the attached returned message.

                   The mail system

<x@b.com>: host mx.b.com[192.0.2.1] said: 550-5.1.1 The email account that you tried to reach does not exist. Please try
    550-5.1.1 double-checking the recipient's email address for typos or
    550-5.1.1 unnecessary spaces. For more information, go to
    550 5.1.1  https://support.google.com/mail/?p=NoSuchUser q1-abc.12 - gsmtp (in reply to RCPT TO command)
`,
    status: `Final-Recipient: rfc822; x@b.com
Original-Recipient: rfc822;x@b.com
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.b.com
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try
    550-5.1.1 double-checking the recipient's email address for typos or
    550-5.1.1 unnecessary spaces. For more information, go to
    550 5.1.1  https://support.google.com/mail/?p=NoSuchUser q1-abc.12 - gsmtp`,
  },
  {
    name: "postfix multiple paragraphs",
    expected: ["SOFT sender a@b.com", "HARD recipient x@c.com", "SOFT network y@d.com"],
    text: `This is the mail system at host relay.com.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

For further assistance, please send mail to postmaster.

If you do so, please include this problem report. You can
delete your own text from the attached returned message.

                   The mail system

<a@b.com>: host mx.b.com[192.0.2.1] said: 550 5.7.1 Message rejected by
    policy (in reply to end of DATA command)

<x@c.com>: Host or domain name not found. Name service error for name=c.com
    type=A: Host not found

<y@d.com>: mail for d.com loops back to myself
`,
  },
  {
    name: "postfix unknown then block",
    expected: ["HARD recipient a@b.com", "SOFT sender x@c.com"],
    text: `This is the mail system at host relay.com.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

For further assistance, please send mail to postmaster.

If you do so, please include this problem report. You can
delete your own text from the attached returned message.

                   The mail system

<a@b.com>: host mx.b.com[192.0.2.1] said: 550 5.1.1 <a@b.com>: User unknown
    (in reply to RCPT TO command)

<x@c.com>: host mx.c.com[192.0.2.2] said: 554 5.7.1 Service unavailable; Client
    host [192.0.2.9] blocked using dnsbl.sorbs.net (in reply to RCPT TO
    command)
`,
  },
  {
    name: "exim two",
    expected: ["SOFT sender a@b.com", "HARD recipient x@c.com"],
    subject: "Mail delivery failed: returning message to sender",
    extra: "X-Failed-Recipients: a@b.com,\n x@c.com",
    text: `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  a@b.com
    host mx.b.com [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<a@b.com>:
    550-Sender verify failed
    550 unrouteable address
  x@c.com
    Unrouteable address

--- The header of the original message is following. ---

Received: from x`,
  },
  {
    name: "exim callout of us",
    expected: ["SOFT sender a@b.com"],
    subject: "Mail delivery failed: returning message to sender",
    extra: "X-Failed-Recipients: a@b.com",
    text: `This message was created automatically by mail delivery software.

  a@b.com
    host mx.b.com [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<a@b.com>:
    550-Verification failed for <me@ours.example>
    550-The mail server could not deliver mail to me@ours.example.
    550-The account or domain may not exist, they may be blacklisted, or missing
    550-the proper dns entries.
    550 Invalid mailbox

------ This is a copy of your message, including all the headers. ------
`,
  },
  {
    name: "exim all hosts failing",
    expected: ["SOFT network a@b.com"],
    subject: "Mail delivery failed: returning message to sender",
    extra: "X-Failed-Recipients: a@b.com",
    text: `The following address(es) failed:

  a@b.com
    all hosts for 'b.com' have been failing for a long time (and retry time not reached)
`,
  },
  {
    name: "exim delay",
    kind: "DELAY",
    expected: ["SOFT recipient x@b.com"],
    subject: "Warning: message 1abc-0001-AB delayed 24 hours",
    text: `This message was created automatically by mail delivery software.
A message that you sent has not yet been delivered to one or more of its
recipients after more than 24 hours on the queue on mx.a.com.

The address to which the message has not yet been delivered is:

  x@b.com
    host mx.b.com [192.0.2.1]
    Delay reason: SMTP error from remote mail server after RCPT TO:<x@b.com>:
    452 4.2.2 mailbox full

No action is required on your part. Delivery attempts will continue for
some time, and this warning may be repeated at intervals if the message
remains undelivered.
`,
  },
  {
    name: "sendmail classic",
    expected: ["HARD recipient x@b.com"],
    subject: "Returned mail: see transcript for details",
    text: `The original message was received at Mon, 2 Nov 2026 10:00:00 GMT
from localhost [127.0.0.1]

   ----- The following addresses had permanent fatal errors -----
<x@b.com>
    (reason: 550 5.1.1 <x@b.com>... User unknown)

   ----- Transcript of session follows -----
... while talking to mx.b.com.:
>>> DATA
<<< 550 5.1.1 <x@b.com>... User unknown
550 5.1.1 <x@b.com>... User unknown
<<< 503 5.0.0 Need RCPT (recipient)
`,
    status: `Final-Recipient: RFC822; x@b.com
Action: failed
Status: 5.1.1
Remote-MTA: DNS; mx.b.com
Diagnostic-Code: SMTP; 550 5.1.1 <x@b.com>... User unknown`,
  },
  {
    name: "sendmail three hosts",
    expected: ["SOFT", "HARD recipient x@c.com", "SOFT recipient y@d.com"],
    subject: "Returned mail: see transcript for details",
    text: `   ----- The following addresses had permanent fatal errors -----
<a@b.com>
<x@c.com>
<y@d.com>

   ----- Transcript of session follows -----
... while talking to mx.b.com.:
>>> MAIL From:<me@ours.example> SIZE=1000
<<< 553 5.1.8 Domain of sender does not exist
501 5.6.0 Data format error
... while talking to mx.c.com.:
>>> RCPT To:<x@c.com>
<<< 550 5.1.1 no such user
550 5.1.1 <x@c.com>... User unknown
... while talking to mx.d.com.:
>>> RCPT To:<y@d.com>
<<< 552 5.2.2 quota
554 5.0.0 <y@d.com>... Service unavailable
`,
  },
  {
    name: "sendmail unknown after deferred of other",
    expected: ["SOFT network a@b.com", "HARD recipient x@c.com"],
    subject: "Returned mail: see transcript for details",
    text: `   ----- The following addresses had permanent fatal errors -----
<a@b.com>
<x@c.com>

   ----- Transcript of session follows -----
<a@b.com>... Deferred: Connection timed out with mx.b.com.
Message could not be delivered for 5 days
Message will be deleted from queue
... while talking to mx.c.com.:
>>> RCPT To:<x@c.com>
<<< 550 5.1.1 User unknown
`,
  },
  {
    name: "qmail two hosts",
    expected: ["SOFT content a@b.com", "HARD recipient x@c.com"],
    subject: "failure notice",
    text: `Hi. This is the qmail-send program at a.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<a@b.com>:
192.0.2.1 failed after I sent the message.
Remote host said: 554 5.7.1 Message scored too high on spam scale

<x@c.com>:
192.0.2.2 does not like recipient.
Remote host said: 550 5.1.1 unknown user
Giving up on 192.0.2.2.

--- Below this line is a copy of the message.

Return-Path: <me@ours.example>
`,
  },
  {
    name: "qmail rcpthosts",
    expected: ["SOFT sender x@c.com"],
    subject: "failure notice",
    text: `Hi. This is the qmail-send program at a.com.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<x@c.com>:
192.0.2.2 does not like recipient.
Remote host said: 553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)
Giving up on 192.0.2.2.
`,
  },
  {
    name: "qmail no host",
    expected: ["SOFT network x@c.com"],
    subject: "failure notice",
    text: `<x@c.com>:
CNAME lookup failed temporarily. (#4.4.3)
I'm not going to try again; this message has been in the queue too long.
`,
  },
  {
    name: "qmail mx loop",
    expected: ["SOFT network x@c.com"],
    subject: "failure notice",
    text: `<x@c.com>:
Sorry. Although I'm listed as a best-preference MX or A for that host,
it isn't in my control/locals file, so I don't treat it as local. (#5.4.6)
`,
  },
  {
    name: "courier",
    expected: ["HARD recipient x@b.com"],
    from: '"Courier mail server at mx.a.com" <@>',
    subject: "NOTICE: mail delivery status.",
    text: `This is a delivery status notification from mx.a.com,
running the Courier mail server, version 0.75.0.

The original message was received on Mon, 02 Nov 2026 10:00:00 +0000
from localhost (localhost [127.0.0.1])

---------------------------------------------------------------------------

                           UNDELIVERABLE MAIL

Your message to the following recipients cannot be delivered:

<x@b.com>:
    mx.b.com [192.0.2.1]:
>>> RCPT TO:<x@b.com>
<<< 550 5.1.1 <x@b.com>: no such user

---------------------------------------------------------------------------

If your message was also sent to additional recipients, their delivery
status is not included in this report. You may or may not receive
other delivery status notifications for additional recipients.
`,
  },
];

test.each(REPORTS)("a report from a mail server is classified correctly: $name", (report) => {
  expect(readingOf(report)).toEqual({ kind: report.kind ?? "BOUNCE", found: report.expected });
});
