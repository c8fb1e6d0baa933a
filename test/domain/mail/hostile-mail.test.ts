import { expect, test } from "@jest/globals";
import { readBounce } from "../../../domain/bounces/bounce.ts";
import { ownEvidence } from "../../../domain/bounces/own-evidence.ts";
import { attributionKeys } from "../../../domain/inbox/attribution.ts";
import { readIntent } from "../../../domain/inbox/intent/read.ts";
import { kindOf } from "../../../domain/inbox/kind.ts";
import { isDoubtful, readAutoReply } from "../../../domain/mail/auto-reply.ts";
import type { Inbound } from "../../../domain/mail/inbound.ts";
import { isQuoting } from "../../../domain/mail/quotes.ts";
import { FACTS, parsed } from "./mail.ts";

const SIZE = 1024 * 1024;

// Each makes some pattern start again many times
const UNITS = [
  ...[" ", "\n", "a", "<", "a@", "a@b ", "> ", "\n>", "-", "(a", "1.1. ", "é", "邮箱", "地址不", "\t"],
  ...[
    "user ",
    "mailbox exceed ",
    "recipient address of the ",
    "your domain is ",
    "no such ",
    "message to to ",
    "account is not ",
  ],
  ...[
    "message-id: <",
    "x-mail-ref: ",
    "v1.a.",
    "from: mailer-daemon\n",
    ">>> DATA\n<<< 550 x\n",
    "5.1.1 ",
    "550 ",
    "\nreceived",
  ],
  ...["stop ", "do not ", "until ", "bis zum ", "im urlaub ", "1 november ", "please remove "],
  ...[
    "automatic ",
    "your request ",
    "ticket ",
    "we will ",
    "i am on ",
    "our a is ",
    "ich ",
    "hi a ",
    "sent from ",
    "von x gesendet ",
  ],
  "scanned for virus ",
  "this message is confidential and intended ",
  "rcpt to:<a@b.example>\n550 x\n",
  ">>> RCPT To:<a@b.example>\n>>> DATA\n<<< 550 x\n",
  "received: from a by b with lmtp\n",
  "address:\n<a@b.example>\n",
  "bl.a.example/ ",
  "sender domain has no mx ",
  "final-recipient: rfc822; a@b\naction: failed\n\n",
];

/** A pattern that is not linear would take minutes, and exceed the time limit of the test. */
test.each(UNITS)(
  "an email with a megabyte of %j in any part is classified within the time limit of the test",
  (unit) => {
    const text = unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE);
    const daemon = parsed(
      "Return-Path: <>\nFrom: mailer-daemon@relay.example\nTo: me@ours.example\nSubject: failure notice\n\nx",
    );
    const person = {
      ...daemon,
      returnPath: "bob@a.example",
      from: { name: "", address: "bob@a.example" },
      subject: "Fwd: x",
    };
    const body = { text, replyText: text, html: text, returned: text };
    const part = text.slice(0, 256 * 1024);
    const mails: Inbound[] = [
      { ...daemon, ...body },
      { ...daemon, deliveryStatus: part },
      { ...daemon, feedbackReport: part },
      { ...person, ...body },
      { ...person, subject: text, from: { name: text, address: "bob@a.example" } },
    ];
    for (const mail of mails) {
      expect(kindOf(mail, FACTS)).toMatch(/^[A-Z_]+$/);
      expect(readBounce(mail)?.recipients.length ?? 0).toBeLessThanOrEqual(100);
      ownEvidence(mail);
      attributionKeys(mail);
      readIntent({ words: mail.replyText, subject: mail.subject });
      isDoubtful(mail);
      isQuoting(mail, ["<abcdefghijklmnop@ours.example>"], text);
      readAutoReply({ ...mail, headers: new Map([["auto-submitted", ["auto-replied"]]]) });
    }
  },
);
