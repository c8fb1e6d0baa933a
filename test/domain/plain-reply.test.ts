import { expect, test } from "@jest/globals";
import EmailReplyParser from "email-reply-parser";
import fc from "fast-check";
import { plainReply } from "../../domain/plain-reply.ts";

const parsed = (text: string) => new EmailReplyParser().parseReply(text).trim();

const PLAIN = [
  "Hello Ann,",
  "thank you for it.",
  "On Monday I am free",
  "Best",
  "Le chat",
  "~",
  "a ~~",
  "  indented",
  "x  ",
  "100 % of it",
  "",
];
const ATTRIBUTIONS = [
  ...[
    "On Fri, 20 Nov 2026, Ann wrote:",
    "On Fri, Nov 20, 2026 at 10:00 AM Ann <ann@a.example>\nwrote:",
    "On Fri, Ann Lee <\na@b.c> wrote:",
  ],
  ...["Le ven. 20 nov. 2026 à 10:00, Ann a écrit :", "El vie, 20 nov 2026, Ann escribió:", "Il giorno ven 20 nov Ann ha scritto:"],
  ...[
    "Em sex., 20 de nov. de 2026, Ann escreveu:",
    "On a wrote:",
    "On\nx wrote:",
    "On x\nwrote:",
    "On $& a b wrote:",
    "On a b wrote",
    "On x on 1 at 2 wrote:",
  ],
];
const MARKS = [
  ...[
    "> quoted",
    ">",
    "> Bob on 3 Nov at 4 wrote:",
    "> 2026 from <a@b>:",
    "-- ",
    "--",
    "___",
    "-----Original Message-----",
    "Sent from my phone",
  ],
  ...[
    "Kind regards,",
    "Cheers",
    "Von: Ann <a@b>",
    "From: Ann",
    "<ann@a.example>",
    "Am 20.11.2026 um 10:00 schrieb Ann:",
    "Am Freitag ",
    "schrieb Ann <a@b>:",
  ],
  ...[
    "Op vr 20 nov",
    "schreef Ann:",
    "Den 20. nov. skrev Ann:",
    "fre. x",
    "2026-11-20 10:00 GMT Ann <a@b>:",
    '20.11.2026 10:00 "Ann" <a@b>:',
    "在 2026",
    "Ann 写道：",
  ],
  ...[
    "Bonne journée",
    "Get Outlook for iOS",
    "W dniu 20",
    "Ann pisze:",
    "-On a b wrote:-",
    "as I wrote",
    "\r",
    "\u2028",
    "\u00a0",
    "~~",
    " > x",
    "> *:",
  ],
];

/** Its answer is taken in place of the library's, so it must be the same. */
test.each([
  ["any lines", fc.array(fc.constantFrom(...PLAIN, ...ATTRIBUTIONS, ...MARKS), { maxLength: 12 })],
  [
    "an answer above a quote",
    fc
      .tuple(
        fc.array(fc.constantFrom(...PLAIN, "On x"), { maxLength: 6 }),
        fc.constantFrom("", " ", "On", "x"),
        fc.constantFrom(...ATTRIBUTIONS),
        fc.array(fc.constantFrom("> quoted", "", ">", "> Bob wrote:", "> a 2026 from <a@b>:", ">> x", " "), { maxLength: 4 }),
      )
      .map(([own, before, attribution, quote]) => [...own, before, attribution, ...quote]),
  ],
  ["any text", fc.array(fc.oneof(fc.string(), fc.constantFrom(...PLAIN)), { maxLength: 6 })],
])("the short way reads %s as the library does", (_, lines) => {
  fc.assert(
    fc.property(lines, (some) => {
      const text = some.join("\n");
      const short = plainReply(text);
      if (short !== null) expect(short).toBe(parsed(text));
    }),
    { numRuns: 5_000 },
  );
});

test.each(ATTRIBUTIONS.slice(0, 7))("an answer above %j goes the short way", (attribution) => {
  const text = `Yes, please.\n\nBest\nBob\n\n${attribution}\n> one\n\n> two\n`;
  expect(plainReply(text)).toBe("Yes, please.\n\nBest\nBob");
  expect(parsed(text)).toBe("Yes, please.\n\nBest\nBob");
});
