import { expect, test } from "@jest/globals";
import { readingOf, type Written } from "./reports.ts";

// Reports as the large providers write them
const REPORTS: readonly Written[] = [
  {
    name: "gmail new no such user",
    expected: ["HARD recipient x@gmail.com"],
    from: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    subject: "Delivery Status Notification (Failure)",
    extra: "X-Failed-Recipients: x@gmail.com",
    text: `
** Address not found **

Your message wasn't delivered to x@gmail.com because the address couldn't be found, or is unable to receive mail.

Learn more here: https://support.google.com/mail/?p=NoSuchUser

The response was:

550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser ab1-20020a - gsmtp
`,
  },
  {
    name: "gmail blocked",
    expected: ["SOFT sender x@b.com"],
    from: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    subject: "Delivery Status Notification (Failure)",
    extra: "X-Failed-Recipients: x@b.com",
    text: `
** Message blocked **

Your message to x@b.com has been blocked. See technical details below for more information.

The response from the remote server was:

550 5.7.1 Unauthenticated mail is prohibited. Sender IP is not in SPF.
`,
  },
  {
    name: "gmail domain not found",
    expected: ["HARD recipient x@bb.com"],
    from: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    subject: "Delivery Status Notification (Failure)",
    extra: "X-Failed-Recipients: x@bb.com",
    text: `
** Address not found **

Your message wasn't delivered to x@bb.com because the domain bb.com couldn't be found. Check for typos or unnecessary spaces and try again.

The response was:

DNS Error: DNS type 'mx' lookup of bb.com responded with code NXDOMAIN Domain name not found: bb.com
`,
  },
  {
    name: "gmail dns servfail",
    expected: ["SOFT network x@bb.com"],
    from: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    subject: "Delivery Status Notification (Failure)",
    extra: "X-Failed-Recipients: x@bb.com",
    text: `
** Message not delivered **

There was a problem delivering your message to x@bb.com. See the technical details below.

The response was:

DNS Error: DNS type 'mx' lookup of bb.com responded with code SERVFAIL
`,
  },
  {
    name: "gmail full",
    expected: ["SOFT recipient x@gmail.com"],
    from: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    subject: "Delivery Status Notification (Failure)",
    extra: "X-Failed-Recipients: x@gmail.com",
    text: `
** Recipient inbox full **

Your message couldn't be delivered to x@gmail.com. Their inbox is full, or it's getting too much mail right now.

The response was:

552 5.2.2 The email account that you tried to reach is over quota. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaPerm - gsmtp
`,
  },
  {
    name: "yahoo 2013",
    expected: ["SOFT sender x@b.com"],
    from: "MAILER-DAEMON@yahoo.com",
    subject: "Failure Notice",
    text: `Sorry, we were unable to deliver your message to the following address.

<x@b.com>:
554: 5.7.1 <x@b.com>: Relay access denied

--- Below this line is a copy of the message.

Received: from`,
  },
  {
    name: "yahoo unknown",
    expected: ["HARD recipient x@b.com"],
    from: "MAILER-DAEMON@yahoo.com",
    subject: "Failure Notice",
    text: `Sorry, we were unable to deliver your message to the following address.

<x@b.com>:
No mx record found for domain=b.com

--- Below this line is a copy of the message.
`,
  },
  {
    name: "aol 2000s",
    expected: ["SOFT sender x@aol.com"],
    from: "Mail Delivery Subsystem <MAILER-DAEMON@aol.com>",
    subject: "Returned mail: User unknown",
    text: `The original message was received at Mon, 2 Nov 2026
from x [192.0.2.1]

*** ATTENTION ***

Your e-mail is being returned to you because there was a problem with its
delivery.  The address which was undeliverable is listed in the section
labeled: "----- The following addresses had permanent fatal errors -----".

The reason your mail is being returned to you is listed in the section
labeled: "----- Transcript of Session Follows -----".

The line beginning with "<<<" describes the specific reason your e-mail could
not be delivered.  The next line contains a second error message which is a
general translation for other e-mail servers.

Please direct further questions regarding this message to your e-mail
administrator.

--AOL Postmaster

   ----- The following addresses had permanent fatal errors -----
<x@aol.com>

   ----- Transcript of session follows -----
... while talking to air-xj04.mail.aol.com.:
>>> RCPT To:<x@aol.com>
<<< 550 x IS NOT ACCEPTING MAIL FROM THIS SENDER
550 <x@aol.com>... User unknown
`,
  },
  {
    name: "kddi",
    expected: ["HARD recipient x@ezweb.ne.jp"],
    from: "Postmaster@ezweb.ne.jp",
    subject: "Mail System Error - Returned Mail",
    text: `This Message was undeliverable due to the following reason:

Each of the following recipients was rejected by a remote mail server.

    Recipient: <x@ezweb.ne.jp>
    >>> RCPT TO:<x@ezweb.ne.jp>
    <<< 550 <x@ezweb.ne.jp>: User unknown
`,
  },
  {
    name: "docomo data",
    expected: ["SOFT"],
    from: "Mail Delivery System <MAILER-DAEMON@docomo.ne.jp>",
    text: `<x@docomo.ne.jp>: host mfsmax.docomo.ne.jp[192.0.2.1] said: 550 Unknown user
    x@docomo.ne.jp (in reply to end of DATA command)
`,
  },
  {
    name: "softbank",
    expected: ["HARD recipient x@softbank.ne.jp"],
    from: "MAILER-DAEMON@softbank.ne.jp",
    subject: "Returned mail: User unknown",
    text: `The following address is not known: x@softbank.ne.jp
550 Invalid recipient: <x@softbank.ne.jp>
`,
  },
  {
    name: "mail.ru full",
    expected: ["SOFT recipient x@mail.ru"],
    from: "Mail Delivery System <mailer-daemon@corp.mail.ru>",
    subject: "Mail failure.",
    extra: "X-Failed-Recipients: x@mail.ru",
    text: `Это письмо создано автоматически сервером Mail.Ru, отвечать на него не нужно.

К сожалению, Ваше письмо не может быть доставлено одному или нескольким получателям:

**********************

  x@mail.ru
    Ящик получателя переполнен

**********************
`,
  },
  {
    name: "yandex",
    expected: ["HARD recipient x@yandex.ru"],
    from: "mailer-daemon@yandex.ru",
    subject: "Undelivered Mail Returned to Sender",
    text: `This is the mail system at host mxback1.yandex.net.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

Please, do not reply to this message.

*********************************

Это письмо отправлено почтовым сервером yandex.net.

К сожалению, мы вынуждены сообщить Вам о том, что Ваше письмо не может
быть отправлено одному или нескольким адресатам. Технические подробности можно найти ниже.

Пожалуйста, не отвечайте на это сообщение.

<x@yandex.ru>: host mxs.yandex.ru[192.0.2.1] said: 550 5.7.1 No such user!
    (in reply to RCPT TO command)
`,
  },
  {
    name: "gmx",
    expected: ["HARD recipient x@web.de"],
    from: "GMX Mailer Daemon <mailer-daemon@gmx.de>",
    subject: "Mail delivery failed: returning message to sender",
    text: `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of
its recipients. This is a permanent error. The following address
failed:

x@web.de:
SMTP error from remote server for RCPT TO command, host: mx-ha02.web.de (192.0.2.1) reason: 550 Requested action not taken: mailbox unavailable
For explanation visit http://postmaster.web.de/error-messages?ip=192.0.2.9&c=mbox

--- The header of the original message is following. ---

Received: from`,
  },
  {
    name: "gmx blocked",
    expected: ["SOFT sender x@t-online.de"],
    from: "GMX Mailer Daemon <mailer-daemon@gmx.de>",
    subject: "Mail delivery failed: returning message to sender",
    text: `A message that you sent could not be delivered to one or more of
its recipients. This is a permanent error. The following address
failed:

x@t-online.de:
SMTP error from remote server in greeting, host: mx00.t-online.de (192.0.2.1) reason: 554 IP=192.0.2.9 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.) (BL)
`,
  },
  {
    name: "1und1 spanish",
    expected: ["HARD recipient x@b.es"],
    from: "Mail Delivery System <mailer-daemon@ionos.es>",
    subject: "Mail delivery failed: returning message to sender",
    text: `Este mensaje ha sido generado automáticamente.

No se ha podido entregar el mensaje a los siguientes destinatarios:

x@b.es:
El buzón no existe
`,
  },
];

test.each(REPORTS)("a report from an email provider is classified correctly: $name", (report) => {
  expect(readingOf(report)).toEqual({ kind: report.kind ?? "BOUNCE", found: report.expected });
});
