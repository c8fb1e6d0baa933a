import { expect, test } from "@jest/globals";
import { readBounce } from "../../../domain/bounces/bounce.ts";
import { kindOf } from "../../../domain/inbox/kind.ts";
import { FACTS, parsed, wrote } from "../mail/mail.ts";

const FORWARDED = `Look at this

---------- Forwarded message ---------
From: Mail Delivery Subsystem <mailer-daemon@relay.example>
Subject: Returned mail: see transcript for details

   ----- Transcript of session follows -----
... while talking to mx.customer.example.:
>>> RCPT To:<x@customer.example>
<<< 550 5.1.1 <x@customer.example>... User unknown

Final-Recipient: RFC822; x@customer.example
Action: failed
Status: 5.1.1
`;

test.each([FORWARDED, FORWARDED.replaceAll(/^/gm, "> "), FORWARDED.replaceAll(/^/gm, ">> ")])(
  "a bounce report forwarded as text counts as a bounce, unless the email is a reply to us",
  (text) => {
    const message = wrote(
      "me@elsewhere.example",
      "WG: Returned mail: see transcript for details",
      text,
      "me@elsewhere.example",
    );
    expect(kindOf(message, FACTS)).toBe("BOUNCE");
    expect(readBounce(message)?.recipients).toMatchObject([
      { address: "x@customer.example", reason: "USER_UNKNOWN", type: "HARD", structured: false },
    ]);
    expect(kindOf(message, { ...FACTS, attributedBy: 2 })).toBe("REPLY");
  },
);

test("a bounce report forwarded as a file counts as a bounce; an ordinary email forwarded as a file does not", () => {
  const head = (from: string) =>
    `${"Received: from a.example by b.example; Mon, 2 Nov 2026 10:00:00 +0000\n".repeat(40)}From: ${from}\nSubject: failure notice`;
  const attached = (inner: string) =>
    parsed(
      `From: me@elsewhere.example\nTo: me@ours.example\nSubject: FW: failure notice\nContent-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: text/plain\n\nSee below.\n--o\nContent-Type: message/rfc822\n\n${inner}\n--o--`,
    );
  const status = "Final-Recipient: rfc822; x@customer.example\nAction: failed\nStatus: 5.1.1\n";
  const report = attached(`${head("MAILER-DAEMON@relay.example")}\n\nYour mail failed.\n\n${status}`);
  expect(kindOf(report, FACTS)).toBe("BOUNCE");
  expect(readBounce(report)?.recipients).toMatchObject([{ address: "x@customer.example", type: "HARD" }]);
  expect(kindOf(attached(`${head("bob@customer.example")}\n\n${status}`), FACTS)).toBe("OTHER");
});

test("a person's own description of a bounce is not a report, even when forwarded", () => {
  const told = FORWARDED.replace(
    / {3}-{5} Transcript[\s\S]*/,
    "Your mail to x@customer.example could not be delivered: user unknown.\n",
  );
  const message = wrote(
    "me@elsewhere.example",
    "WG: Returned mail: see transcript for details",
    told,
    "me@elsewhere.example",
  );
  expect(readBounce(message)).toBeNull();
  expect(kindOf(message, FACTS)).toBe("OTHER");
});

test("a bounce report wrapped inside another system's report is still read", () => {
  const inner =
    "Content-Type: multipart/report; report-type=delivery-status; boundary=i\n\n--i\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; relay.example\n\nFinal-Recipient: rfc822; x@customer.example\nAction: failed\nStatus: 5.1.1\n\n--i--";
  const message = parsed(
    `Return-Path: <>\nFrom: postmaster@relay.example\nTo: me@ours.example\nSubject: Undeliverable\nContent-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: text/plain\n\nSee below.\n--o\nContent-Type: message/rfc822\n\n${inner}\n--o--`,
  );
  expect(readBounce(message)?.recipients).toMatchObject([{ address: "x@customer.example", reason: "USER_UNKNOWN" }]);
});

test("at Japanese carriers and closed groups 'user unknown' without a status code is only a soft bounce", () => {
  const told = (address: string, words: string) =>
    wrote("MAILER-DAEMON@relay.example", "failure notice", `<${address}>:\n${words}\n`, "");
  for (const address of ["x@docomo.ne.jp", "x@ezweb.ne.jp", "x@i.softbank.jp", "x@googlegroups.com"]) {
    expect(readBounce(told(address, "550 : User unknown"))?.recipients).toMatchObject([{ address, type: "SOFT" }]);
    expect(readBounce(told(address, "550 5.1.1 User unknown"))?.recipients).toMatchObject([{ address, type: "HARD" }]);
  }
  expect(readBounce(told("x@customer.example", "550 : User unknown"))?.recipients).toMatchObject([{ type: "HARD" }]);
});
