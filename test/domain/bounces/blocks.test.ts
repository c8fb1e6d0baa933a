import { expect, test } from "@jest/globals";
import { readingOf, type Written } from "./reports.ts";

// Delivery statuses and transcripts that name several recipients or say little, with footers below them
const REPORTS: readonly Written[] = [
  {
    name: "dsn only status 5.1.1",
    expected: ["HARD recipient x@c.com"],
    text: `Delivery to the following recipients failed.

       x@c.com
`,
    status: `Final-Recipient: rfc822; x@c.com
Action: failed
Status: 5.1.1`,
  },
  {
    name: "dsn only status 5.0.0",
    expected: ["SOFT"],
    text: `Delivery to the following recipients failed.

       x@c.com
`,
    status: `Final-Recipient: rfc822; x@c.com
Action: failed
Status: 5.0.0`,
  },
  {
    name: "dsn only status 5.1.2",
    expected: ["HARD recipient x@c.com"],
    text: `Delivery to the following recipients failed.

       x@c.com
`,
    status: `Final-Recipient: rfc822; x@c.com
Action: failed
Status: 5.1.2`,
  },
  {
    name: "dsn delivered",
    kind: "REPORT",
    expected: [],
    text: "delivered",
    status: `Final-Recipient: rfc822; x@c.com
Action: delivered
Status: 2.0.0
Diagnostic-Code: smtp; 250 ok`,
  },
  {
    name: "dsn relayed",
    kind: "REPORT",
    expected: [],
    text: "Your message was relayed",
    status: `Final-Recipient: rfc822; x@c.com
Action: relayed
Status: 2.0.0`,
  },
  {
    name: "dsn two blocks",
    expected: ["SOFT sender a@c.com", "HARD recipient x@d.com"],
    text: "Failed",
    status: `Final-Recipient: rfc822; a@c.com
Action: failed
Status: 5.7.1
Diagnostic-Code: smtp; 554 5.7.1 Client host rejected

Final-Recipient: rfc822; x@d.com
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no mailbox`,
  },
  {
    name: "dsn blocks without diag, transcript by host",
    expected: ["SOFT sender a@c.com", "HARD recipient x@d.com"],
    text: `   ----- Transcript of session follows -----
... while talking to mx.c.com.:
>>> RCPT To:<a@c.com>
<<< 550 Your address is blocked here
... while talking to mx.d.com.:
>>> RCPT To:<x@d.com>
<<< 550 User unknown
`,
    status: `Final-Recipient: rfc822; a@c.com
Action: failed
Status: 5.0.0

Final-Recipient: rfc822; x@d.com
Action: failed
Status: 5.0.0`,
  },
  {
    name: "dsn blocks swapped",
    expected: ["HARD recipient x@d.com", "SOFT sender a@c.com"],
    text: `   ----- Transcript of session follows -----
... while talking to mx.c.com.:
>>> RCPT To:<a@c.com>
<<< 550 Your address is blocked here
... while talking to mx.d.com.:
>>> RCPT To:<x@d.com>
<<< 550 User unknown
`,
    status: `Final-Recipient: rfc822; x@d.com
Action: failed
Status: 5.0.0

Final-Recipient: rfc822; a@c.com
Action: failed
Status: 5.0.0`,
  },
  {
    name: "disclaimer footer",
    expected: ["HARD recipient x@c.com"],
    text: `<x@c.com>: host mx.c.com[192.0.2.1] said: 550 5.1.1 No such user (in reply to RCPT TO command)

This e-mail and any attachments are confidential and intended solely for the addressee.
If you are not the intended recipient, any use, disclosure or copying is strictly prohibited
and may be unlawful.
`,
  },
  {
    name: "footer blocked words",
    expected: ["HARD recipient x@c.com"],
    text: `x@c.com
    550 5.1.1 unknown user

--
Protected by SpamBlocker 3.1, the anti-virus and anti-spam solution. This message was scanned for viruses and spam.
`,
  },
  {
    name: "listserv footer",
    expected: ["HARD recipient x@c.com"],
    text: `The following address failed:

x@c.com
550 5.1.1 user unknown

You are receiving this because you are subscribed to a list. To unsubscribe send a mail to list-leave@c.com. List policy: no spam.
`,
  },
  {
    name: "what is said of the content is said of all that were taken",
    expected: ["SOFT content a@b.com", "SOFT content x@b.com"],
    text: `... while talking to mx.b.com.:
>>> RCPT To:<a@b.com>
<<< 250 ok
>>> RCPT To:<x@b.com>
<<< 250 ok
>>> DATA
<<< 554 5.7.1 This message was detected as spam
`,
  },
  {
    name: "two people by name and address below their labels",
    expected: ["HARD recipient a@b.com", "SOFT recipient x@c.com"],
    text: "Failed address:\nAnn B (a@b.com)\nno such user\n\nFailed address:\nXenia C (x@c.com)\nover quota\n",
  },
  {
    name: "a bare code above the frame of a delivery system",
    expected: ["HARD recipient x@b.com"],
    text: "<x@b.com>: 5.1.1\nThis is a permanent error; I've given up.\n",
  },
  {
    name: "a server's translation of an answer that nobody knows",
    expected: ["SOFT null x@b.com"],
    text: "... while talking to mx.b.com.:\n>>> RCPT To:<x@b.com>\n<<< 550 Nope (77)\n550 5.1.1 <x@b.com>... User unknown\n",
  },
  {
    name: "a dialogue in which only another recipient was asked",
    expected: ["HARD recipient a@c.com", "SOFT sender x@d.com"],
    text: "... while talking to mx.c.com.:\n>>> RCPT To:<a@c.com>\n<<< 550 5.1.1 <a@c.com>... User unknown\n",
    status: `Final-Recipient: rfc822; a@c.com
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <a@c.com>... User unknown

Final-Recipient: rfc822; x@d.com
Action: failed
Status: 5.7.1
Diagnostic-Code: smtp; 550 5.7.1 User unknown`,
  },
  {
    name: "our own address is the one that is unknown",
    expected: ["SOFT sender x@b.com"],
    text: "  x@b.com\n    host mx.b.com [192.0.2.1]:\n    550-<me@ours.example>: no such user\n    550 rejected\n",
  },
  {
    name: "a cause in the frame's own sentence",
    expected: ["HARD recipient x@b.com"],
    text: "x@b.com: This is a permanent error, unknown user\n",
  },
];

test.each(REPORTS)("each recipient of a report is classified by the words about that recipient: $name", (report) => {
  expect(readingOf(report)).toEqual({ kind: report.kind ?? "BOUNCE", found: report.expected });
});

// What is expected, and the address, Status and Diagnostic-Code of a report that contains nothing else
const REFUSALS: readonly (readonly [string, string, string, string])[] = [
  ["SOFT sender", "x@a.com", "5.1.3", "smtp; 553 5.1.3 <x@a.com>... see http://www.spamhaus.org/query/bl?ip=192.0.2.1"],
  ["SOFT sender", "x@a.com", "5.1.3", "smtp; 553 5.1.3 Mail from 192.0.2.1 not accepted, mail remove@dnsbl.sorbs.net"],
  ["SOFT sender", "x@a.com", "5.1.3", "smtp; 553 5.1.3 192.0.2.1 zen.spamhaus.org"],
  ["HARD recipient", "x@spamhaus.org", "5.1.1", "smtp; 550 5.1.1 <x@spamhaus.org>: User unknown"],
  ["SOFT", "x@a.com", "5.1.1", "smtp; 550 5.1.1 Refused due to recipient preferences"],
  [
    "SOFT network",
    "x@a.com",
    "5.4.4",
    "X-Postfix; Host or domain name not found. Name service error for name=a.com type=MX: Malformed or unexpected name server reply",
  ],
  [
    "SOFT network",
    "x@a.com",
    "5.1.2",
    "smtp; Name service error for name=a.com type=MX: Malformed or unexpected name server reply",
  ],
  ["HARD recipient", "x@kunde.de", "5.0.0", "smtp; 550 User unknown"],
  ["HARD recipient", "x@a.com", "5.3.2", "smtp; 521 5.3.2 System not accepting network messages"],
  [
    "SOFT sender x@facebook.com",
    "x@facebook.com",
    "5.1.1",
    "smtp; 550 5.1.1 RCP-P2 http://postmaster.facebook.com/response_codes?ip=192.0.2.1#rcp Refused due to recipient preferences",
  ],
  ["SOFT recipient x@icloud.com", "x@icloud.com", "5.2.2", "smtp; 552 5.2.2 <x@icloud.com>: user is over quota"],
  ["SOFT", "x@orange.fr", "5.0.0", "smtp; 550 5.2.0 Mail rejete. Mail rejected. ofr_506 [506]"],
  ["SOFT content x@free.fr", "x@free.fr", "5.0.0", "smtp; 550 spam detected"],
  [
    "HARD recipient x@seznam.cz",
    "x@seznam.cz",
    "5.0.0",
    "smtp; 550 5.1.1 x@seznam.cz: Recipient address rejected: User unknown (uživatel neexistuje)",
  ],
  ["HARD recipient x@wp.pl", "x@wp.pl", "5.0.0", "smtp; 550 5.1.1 Nie ma takiego konta / no such account"],
  ["HARD recipient x@libero.it", "x@libero.it", "5.0.0", "smtp; 550 RCPT TO:<x@libero.it> Utente sconosciuto"],
  ["HARD recipient x@cox.net", "x@cox.net", "5.0.0", "smtp; 550 5.1.1 <x@cox.net> recipient rejected"],
  ["SOFT", "x@cox.net", "5.0.0", "smtp; 554 cox too many bad commands from 192.0.2.1 CXCNCT"],
  [
    "SOFT sender x@comcast.net",
    "x@comcast.net",
    "5.0.0",
    "smtp; 554 resimta-po-13v.sys.comcast.net comcast 192.0.2.1 found on one or more DNSBLs, see http://postmaster.comcast.net/smtp-error-codes.php#BL000001",
  ],
  [
    "SOFT sender x@att.net",
    "x@att.net",
    "5.0.0",
    "smtp; 553 5.3.0 alph749 DNSBL:RBL 521< 192.0.2.1 >_is_blocked.For assistance forward this error to abuse_rbl@abuse-att.net",
  ],
  [
    "SOFT sender x@earthlink.net",
    "x@earthlink.net",
    "5.1.3",
    "smtp; 553 5.1.3 ERROR: invalid host. Access denied - Spamhaus",
  ],
  [
    "SOFT sender x@outlook.com",
    "x@outlook.com",
    "5.7.1",
    "smtp; 550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
  ],
  [
    "HARD recipient x@hotmail.com",
    "x@hotmail.com",
    "5.5.0",
    "smtp; 550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [DB5EUR03FT010.eop-EUR03.prod.protection.outlook.com]",
  ],
  ["SOFT sender x@c.com", "x@c.com", "5.7.64", "smtp; 550 5.7.64 TenantAttribution; Relay Access Denied"],
  [
    "HARD recipient x@c.com",
    "x@c.com",
    "5.4.1",
    "smtp; 550 5.4.1 Recipient address rejected: Access denied. [AM7EUR06FT012.eop-eur06.prod.protection.outlook.com]",
  ],
  ["SOFT network x@c.com", "x@c.com", "5.4.14", "smtp; 554 5.4.14 Hop count exceeded - possible mail loop ATTR34"],
  [
    "SOFT network x@c.com",
    "x@c.com",
    "5.4.316",
    "smtp; 550 5.4.316 Message expired, connection refused(Socket error code 10061)",
  ],
  [
    "SOFT",
    "x@c.com",
    "5.4.317",
    "smtp; 550 5.4.317 Message expired, cannot connect to remote server(CertificateExpired)",
  ],
  ["SOFT sender", "x@c.com", "5.7.705", "smtp; 550 5.7.705 Access denied, tenant has exceeded threshold"],
  ["SOFT sender", "x@c.com", "5.1.8", "smtp; 550 5.1.8 Access denied, bad outbound sender"],
  [
    "SOFT sender",
    "x@c.com",
    "5.1.90",
    "smtp; 550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
  ],
  ["SOFT recipient x@c.com", "x@c.com", "5.2.1", "smtp; 550 5.2.1 Mailbox cannot be accessed"],
  [
    "SOFT",
    "x@c.com",
    "5.2.121",
    "smtp; 550 5.2.121 Recipient's per hour message receive limit from specific sender exceeded.",
  ],
  [
    "SOFT sender",
    "x@c.com",
    "5.7.606",
    "smtp; 550 5.7.606 Access denied, banned sending IP [192.0.2.1]. To request removal from this list please visit https://sender.office.com/",
  ],
  ["HARD recipient x@c.com", "x@c.com", "5.1.1", "smtp; 550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found ##"],
  ["SOFT", "x@c.com", "5.1.20", "smtp; 550 5.1.20 Multiple From addresses are not allowed without Sender address"],
  [
    "SOFT",
    "x@c.com",
    "5.3.190",
    "smtp; 550 5.3.190 Journaling on-premises messages to Microsoft 365 not supported when Journaling Archive is disabled",
  ],
  [
    "SOFT",
    "x@gmail.com",
    "4.2.1",
    "smtp; 450 4.2.1 The user you are trying to contact is receiving mail too quickly. Please resend your message at a later time. If the user is able to receive mail at that time, your message will be delivered.",
  ],
  [
    "SOFT recipient x@gmail.com",
    "x@gmail.com",
    "5.2.1",
    "smtp; 550 5.2.1 The email account that you tried to reach is disabled. Learn more at https://support.google.com/mail/?p=DisabledUser",
  ],
  [
    "SOFT",
    "x@gmail.com",
    "5.7.1",
    "smtp; 550-5.7.1 [192.0.2.1      12] Our system has detected that this message is\n    550-5.7.1 likely unsolicited mail. To reduce the amount of spam sent to Gmail,\n    550 5.7.1 this message has been blocked.",
  ],
  [
    "SOFT sender",
    "x@gmail.com",
    "5.7.28",
    "smtp; 550-5.7.28 Our system has detected an unusual rate of unsolicited mail originating from your IP address.",
  ],
  ["SOFT content", "x@gmail.com", "5.3.4", "smtp; 552-5.3.4 Your message exceeded Google's message size limits."],
  ["SOFT content", "x@gmail.com", "5.6.0", "smtp; 554 5.6.0 Mail message is malformed. Not accepted."],
  [
    "HARD recipient x@yahoo.com",
    "x@yahoo.com",
    "5.0.0",
    "smtp; 554 delivery error: dd This user doesn't have a yahoo.com account (x@yahoo.com) [0] - mta4099.mail.bf1.yahoo.com",
  ],
  [
    "HARD recipient x@yahoo.com",
    "x@yahoo.com",
    "5.0.0",
    "smtp; 552 1 Requested mail action aborted, mailbox not found",
  ],
  [
    "SOFT sender",
    "x@yahoo.com",
    "5.7.9",
    "smtp; 554 Message not allowed - [PH01] Email not accepted for policy reasons.  Please visit https://postmaster.yahooinc.com/error-codes",
  ],
  ["SOFT", "x@yahoo.com", "4.0.0", "smtp; 451 Message temporarily deferred - [160]"],
];

test.each(REFUSALS)(
  "a refusal is classified as %s for <%s> with the status %s and the text: %s",
  (expected, address, status, diagnostic) => {
    const block = `Final-Recipient: rfc822; ${address}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: ${diagnostic}`;
    expect(readingOf({ name: "", expected: [expected], status: block })).toEqual({ kind: "BOUNCE", found: [expected] });
  },
);
