import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readBounce } from "../../../domain/bounces/bounce.ts";
import { parsed } from "../mail/mail.ts";

/** What a host replied to one address, and at which command. */
interface Refusal {
  words: string;
  at: "MAIL" | "RCPT" | "DATA";
  hard: boolean;
}

const REFUSALS: readonly Refusal[] = [
  { words: "550 5.1.1 User unknown", at: "RCPT", hard: true },
  { words: "550 no such mailbox", at: "RCPT", hard: true },
  { words: "550 5.7.1 Blocked using zen.spamhaus.org", at: "RCPT", hard: false },
  { words: "552 5.2.2 Mailbox full", at: "RCPT", hard: false },
  { words: "450 4.2.0 Greylisted", at: "RCPT", hard: false },
  { words: "554 5.7.1 Relay access denied", at: "RCPT", hard: false },
  { words: "550 This account is disabled", at: "RCPT", hard: false },
  { words: "554 5.7.1 Message looks like spam", at: "DATA", hard: false },
  { words: "553 5.1.8 Domain of sender does not exist", at: "MAIL", hard: false },
  { words: "550 Nope", at: "RCPT", hard: false },
];
type Asked = Refusal & { address: string };

const hostOf = (address: string) => `mx.${address.slice(address.indexOf("@") + 1)}`;
const SHAPES: Record<string, (asked: readonly Asked[]) => string> = {
  paragraphs: (asked) =>
    asked
      .map(({ address, words, at }) => {
        const command = { MAIL: "MAIL FROM", RCPT: "RCPT TO", DATA: "end of DATA" }[at];
        return `<${address}>: host ${hostOf(address)}[192.0.2.1] said: ${words} (in\n    reply to ${command} command)\n`;
      })
      .join("\n"),
  transcript: (asked) =>
    [
      "   ----- The following addresses had permanent fatal errors -----",
      ...asked.map(({ address }) => `<${address}>`),
      "\n   ----- Transcript of session follows -----",
      ...asked.flatMap(({ address, words, at }) => [
        `... while talking to ${hostOf(address)}.:`,
        ...(at === "MAIL" ? [">>> MAIL From:<me@ours.example>"] : [`>>> RCPT To:<${address}>`]),
        ...(at === "DATA" ? ["<<< 250 ok", ">>> DATA"] : []),
        `<<< ${words}`,
        ...(at === "RCPT" ? [`550 5.1.1 <${address}>... User unknown`] : ["554 5.0.0 Service unavailable"]),
      ]),
    ].join("\n"),
  sections: (asked) =>
    asked
      .map(
        ({ address, words }) =>
          `<${address}>:\n192.0.2.1 does not like recipient.\nRemote host said: ${words}\nGiving up on 192.0.2.1.\n`,
      )
      .join("\n"),
  indented: (asked) =>
    asked
      .map(
        ({ address, words, at }) =>
          `  ${address}\n    host ${hostOf(address)} [192.0.2.1]\n    SMTP error from remote mail server after ${at === "RCPT" ? `RCPT TO:<${address}>` : at === "MAIL" ? "MAIL FROM:<me@ours.example>" : "end of data"}:\n    ${words}`,
      )
      .join("\n"),
  reasons: (asked) =>
    asked.map(({ address, words }) => `    Recipient: <${address}>\n    Reason:    ${words}\n`).join("\n"),
  dialogue: (asked) =>
    asked
      .filter(({ at }) => at === "RCPT")
      .map(({ address, words }) => ` --> RCPT To:<${address}>\n <-- ${words}`)
      .join("\n"),
};

const people = fc.uniqueArray(
  fc.tuple(fc.constantFrom("ann", "bob", "eve", "kim", "zoe"), fc.constantFrom(...REFUSALS)),
  {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 5,
  },
);

test.each(Object.entries(SHAPES))(
  "in a report written as %s each address is classified by the reply about that address alone",
  (_shape, told) => {
    fc.assert(
      fc.property(people, (drawn) => {
        const asked = drawn.map(([name, refusal]) => ({ ...refusal, address: `${name}@${name}-co.com` }));
        const text = told(asked);
        const message = parsed(
          `Return-Path: <>\nFrom: MAILER-DAEMON@relay.com\nTo: me@ours.example\nSubject: failure notice\n\n${text}\n`,
        );
        const found = new Map(readBounce(message)?.recipients.map(({ address, type }) => [address, type]));
        for (const { address, hard } of asked) {
          if (!text.includes(address)) continue;
          expect([address, found.get(address)]).toEqual([address, hard ? "HARD" : "SOFT"]);
        }
      }),
      { numRuns: 300 },
    );
  },
);
