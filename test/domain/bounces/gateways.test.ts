import { expect, test } from "@jest/globals";
import { readingOf, type Written } from "./reports.ts";

// Reports as smaller servers and gateways write them, and emails that are no reports
const REPORTS: readonly Written[] = [
  {
    name: "biglobe",
    expected: ["SOFT recipient x@biglobe.ne.jp"],
    from: "postmaster@biglobe.ne.jp",
    subject: "Returned mail: mailbox full",
    text: `   ----- The following addresses had delivery problems -----
x@biglobe.ne.jp

   ----- Non-delivered information -----
The number of messages in recipient's mailbox exceeded the local limit.
`,
  },
  {
    name: "interscan",
    expected: ["HARD recipient x@c.com"],
    from: "InterScan MSS <notification@b.com>",
    returnPath: "notification@b.com",
    subject: "Mail could not be delivered",
    text: `Sent >>> RCPT TO:<x@c.com>
Received <<< 550 5.1.1 <x@c.com>... user unknown

Unable to deliver message to <x@c.com>
`,
  },
  {
    name: "mailfoundry",
    expected: ["HARD recipient x@c.com"],
    from: "MAILER-DAEMON <mailer-daemon@b.com>",
    subject: "Message delivery has failed",
    text: `Unable to deliver message to: <x@c.com>
Delivery failed for the following reason:
Server mx.c.com[192.0.2.1] failed with: 550 <x@c.com> No such user here

This has been a permanent failure.  No further delivery attempts will be made.
`,
  },
  {
    name: "mailmarshal",
    expected: ["HARD recipient x@c.com"],
    from: "MailMarshal <postmaster@b.com>",
    subject: 'Undeliverable Mail: "Hello"',
    text: `Your message:
   From:    me@ours.example
   Subject: Hello

Could not be delivered because of

550 5.1.1 User unknown

The following recipients were affected: 
    x@c.com

Additional Information
======================
`,
  },
  {
    name: "mailmarshal two",
    expected: ["SOFT sender x@c.com", "SOFT sender y@c.com"],
    from: "MailMarshal <postmaster@b.com>",
    subject: 'Undeliverable Mail: "Hello"',
    text: `Your message:
   From:    me@ours.example
   Subject: Hello

Could not be delivered because of

550 5.7.1 Message rejected, host is on our deny list

The following recipients were affected: 
    x@c.com
    y@c.com
`,
  },
  {
    name: "notes two",
    expected: ["HARD recipient x@c.com", "SOFT recipient y@c.com"],
    from: "postmaster@b.com",
    subject: "DELIVERY FAILURE",
    text: `------- Failure Reasons  --------

User not listed in public Name & Address Book
x@c.com

Recipient's mail file has exceeded its quota
y@c.com

------- Returned Message --------

hello`,
  },
  {
    name: "notes one",
    expected: ["HARD recipient x@c.com"],
    from: "postmaster@b.com",
    subject: "DELIVERY FAILURE",
    text: `------- Failure Reasons  --------

User not listed in public Name & Address Book
x@c.com

------- Returned Message --------
`,
  },
  {
    name: "surfcontrol",
    expected: ["HARD recipient x@c.com"],
    from: "SurfControl E-mail Filter <postmaster@b.com>",
    subject: "Message delivery failure",
    text: `Your message could not be sent.
A transcript of the attempts to send the message follows.
The number of attempts made: 1
Addressed To: x@c.com

Thu 29 Apr 2010 23:34:45 +0900
Failed to send to identified host,
x@c.com: [192.0.2.5], 550 x@c.com... No such user

--- Message non-deliverable.
`,
  },
  {
    name: "communigate",
    expected: ["HARD recipient x@c.com"],
    from: "MAILER-DAEMON@b.com",
    subject: "Undeliverable mail: Hello",
    text: `Failed to deliver to '<x@c.com>'
SMTP module(domain @c.com:mx.c.com) reports:
 host mx.c.com says:
 550 5.1.1 <x@c.com> user unknown
`,
  },
  {
    name: "communigate local",
    expected: ["SOFT recipient x@c.com"],
    from: "MAILER-DAEMON@b.com",
    subject: "Undeliverable mail: Hello",
    text: `Failed to deliver to 'x@c.com'
LOCAL module(account x@c.com) reports:
 account is full (quota exceeded)
`,
  },
  {
    name: "icewarp",
    expected: ["HARD recipient x@c.com"],
    from: "MAILER-DAEMON <>",
    subject: "Mail delivery failure",
    text: `--- The message cannot be delivered to the following address. ---

 x@c.com Mailbox unknown or not accepting mail.
 550 5.1.1 <x@c.com>... User unknown
`,
  },
  {
    name: "xmail",
    expected: ["HARD recipient x@c.com"],
    from: "postmaster@b.com",
    subject: "Error sending message [123.abc] from [b.com]",
    text: `[<00>] XMail bounce: Rcpt=[x@c.com];Error=[550 5.1.1 <x@c.com>: User unknown]


[<01>] Error sending message [123.abc] from [b.com].

ID:        <S123>
Mail From: <me@ours.example>
Rcpt To:   <x@c.com>
Server:    <mx.c.com>


[<02>] The reason of the delivery failure was:

550 5.1.1 <x@c.com>: User unknown


[<05>] Here is listed the initial part of the message:

Received: from`,
  },
  {
    name: "mercury",
    expected: ["HARD recipient x@c.com"],
    from: "Postmaster@b.com",
    subject: "Postmaster notify: see transcript for details",
    text: `The following mail could not be delivered to one or more recipients:

   Address: x@c.com
   Error  : 550 no such user

`,
  },
  {
    name: "intermail",
    expected: ["SOFT sender a@c.com", "HARD recipient x@d.com"],
    from: "Mail Administrator <Postmaster@b.com>",
    subject: "Mail System Error - Returned Mail",
    text: `This Message was undeliverable due to the following reason:

Each of the following recipients was rejected by a remote mail server.
The reasons given by the server are included to help you determine why
each recipient was rejected.

    Recipient: <a@c.com>
    Reason:    5.7.1 <a@c.com>... Relaying denied

    Recipient: <x@d.com>
    Reason:    5.1.1 unknown or illegal alias: x@d.com

Please reply to <Postmaster@b.com>
if you feel this message to be in error.
`,
  },
  {
    name: "opensmtpd",
    expected: ["HARD recipient x@c.com"],
    from: "Mailer Daemon <MAILER-DAEMON@b.com>",
    subject: "Delivery status notification: error",
    text: `    Hi!

    This is the MAILER-DAEMON, please DO NOT REPLY to this email.

    An error has occurred while attempting to deliver a message for
    the following list of recipients:

x@c.com: 550 5.1.1 <x@c.com>: Recipient address rejected: User unknown

    Below is a copy of the original message:
`,
  },
  {
    name: "opensmtpd no mx",
    expected: ["HARD recipient x@c.com"],
    from: "Mailer Daemon <MAILER-DAEMON@b.com>",
    subject: "Delivery status notification: error",
    text: `    An error has occurred while attempting to deliver a message for
    the following list of recipients:

x@c.com: No MX found for destination

    Below is a copy of the original message:
`,
  },
  {
    name: "smartermail",
    expected: ["HARD recipient x@c.com", "SOFT content y@c.com"],
    from: '"System Administrator" <postmaster@b.com>',
    subject: "Delivery Failure",
    text: `Could not deliver message to the following recipient(s):

Failed Recipient: x@c.com
Reason: Remote host said: 550 Mailbox not found

Failed Recipient: y@c.com
Reason: Remote host said: 554 5.7.1 spam detected

   -- The header and top 20 lines of the message follows --
`,
  },
  {
    name: "mailenable two",
    expected: ["HARD recipient x@c.com", "SOFT sender y@d.com"],
    from: "Postmaster <postmaster@b.com>",
    subject: "Message Delivery Failure",
    text: `MailEnable: Message could not be delivered to some recipients.
The following recipient(s) could not be reached:

	Recipient: [SMTP:x@c.com]
	Reason: The message could not be delivered because the domain name (c.com) does not appear to be registered

	Recipient: [SMTP:y@d.com]
	Reason: Remote SMTP Server Returned: 550 5.7.1 blocked


Message headers follow:
`,
  },
  {
    name: "kerio",
    expected: ["SOFT recipient x@c.com"],
    from: '"Kerio Connect" <postmaster@b.com>',
    subject: "Delivery failure",
    text: `Your message was not delivered to some or all recipients.

x@c.com: User mailbox exceeds allowed quota
`,
  },
  {
    name: "gsuite group",
    expected: ["SOFT sender sales@c.com"],
    from: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    subject: "Delivery Status Notification (Failure)",
    extra: "X-Failed-Recipients: sales@c.com",
    text: `Hello me@ours.example,

We're writing to let you know that the group you tried to contact (sales) may not exist, or you may not have permission to post messages to the group. A few more details on why you weren't able to post:

 * You might have spelled or formatted the group name incorrectly.
 * The owner of the group may have removed this group.
`,
  },
  {
    name: "proofpoint",
    expected: ["SOFT sender x@c.com"],
    text: `<x@c.com>: host mx0a-001.pphosted.com[192.0.2.1] said: 550 5.7.0 Local Policy Violation - 3abc (in reply to end of DATA command)
`,
  },
  {
    name: "proofpoint unknown",
    expected: ["HARD recipient x@c.com"],
    text: `<x@c.com>: host mx0a-001.pphosted.com[192.0.2.1] said: 550 5.1.1 User Unknown (in reply to RCPT TO command)
`,
  },
  {
    name: "vacation is no bounce",
    kind: "AUTO_REPLY",
    expected: [],
    from: "bob@c.com",
    returnPath: "",
    subject: "Re: Hello",
    text: `I am out of the office until Monday.
`,
  },
  {
    name: "challenge",
    kind: "OTHER",
    expected: [],
    from: "bob@c.com",
    returnPath: "bob@c.com",
    subject: "Re: bounce rates",
    extra: "In-Reply-To: <a@b>",
    text: `Hi, interesting. Your mail could not be delivered to my colleague x@c.com, can you resend?
Bob`,
  },
  {
    name: "newsletter about bounces",
    kind: "BULK",
    expected: [],
    from: "Acme <news@acme.com>",
    returnPath: "news@acme.com",
    subject: "How to lower your bounce rate",
    extra: "List-Unsubscribe: <https://x>",
    text: `Mail that could not be delivered costs money. Write to sales@acme.com
550 customers trust us.
`,
  },
  {
    name: "a person who tells of a bounce in a mail of their own",
    kind: "OTHER",
    expected: [],
    from: "Bob <bob@c.com>",
    returnPath: "bob@c.com",
    subject: "Delivery failure",
    text: "Hi,\n\nyour message could not be delivered to x@c.com, it came back with 550 5.1.1.\nCould you send it to me?\n\nBob\n",
  },
  {
    name: "a person who asks about one",
    kind: "OTHER",
    expected: [],
    from: "Bob <bob@c.com>",
    returnPath: "bob@c.com",
    subject: "Undeliverable mail",
    text: "The mail to x@c.com could not be delivered. Do you know why? I get this every day.\n\n<x@c.com>: 550 5.1.1 User unknown\n",
  },
  {
    name: "a parcel that was not delivered",
    kind: "OTHER",
    expected: [],
    from: "no-reply@parcels.example",
    returnPath: "no-reply@parcels.example",
    subject: "Delivery problem: your order",
    text: "We were unable to deliver your parcel. Please choose another day.\n",
  },
];

test.each(REPORTS)(
  "a report from an email gateway, or an email that is no report, is classified correctly: $name",
  (report) => {
    expect(readingOf(report)).toEqual({ kind: report.kind ?? "BOUNCE", found: report.expected });
  },
);
