import { expect, test } from "@jest/globals";
import { kindOf } from "../../../domain/inbox/kind.ts";
import { FACTS, parsed, reply } from "./mail.ts";

const QUOTE = "\n\nOn Mon, Nov 2, 2026 at 9:05 AM Ann Lee <ann@ours.example> wrote:\n> Do you use widgets?";
const mail = (text: string) =>
  reply({ "In-Reply-To": "<1@ours.example>", "Content-Type": "text/plain; charset=utf-8" }, text);
const kind = (text: string) => kindOf(mail(text), { ...FACTS, attributedBy: 2 });

test.each([
  "Bob Lead reacted to your message:",
  "👍 Bob Lead reacted via Gmail",
  "Bob Lead hat über Gmail reagiert",
  "Bob Lead hat auf Ihre Nachricht mit 👍 reagiert",
  "Bob Lead a réagi à votre message",
  "Bob Lead reaccionó a tu mensaje",
  "Bob Lead ha reagito al tuo messaggio",
  "Bob Lead heeft gereageerd via Gmail",
  "Bob Lead reagiu à sua mensagem",
  "Bob Lead zareagował na Twoją wiadomość",
  "Bob Lead reagerade på ditt meddelande",
  "Bob Leadさんがあなたのメッセージにリアクションしました",
  "Liked “Do you use widgets?”",
])("an emoji reaction without further words is not a reply, and a reaction with further words is: %s", (text) => {
  expect(kind(text)).toBe("OTHER");
  expect(kind(`${text}${QUOTE}`)).toBe("OTHER");
  expect(kind(`${text}\n\nYes, call me on Tuesday.`)).toBe("REPLY");
  expect(kind(`Yes, call me on Tuesday.\n\n${text}`)).toBe("REPLY");
});

test.each([
  "👍",
  "I reacted to your message because we need it.",
  "My team reacted with interest. Can we talk?",
  "Liked it.",
])("a text written by a person counts as a reply even if the text resembles a reaction: %s", (text) => {
  expect(kind(text)).toBe("REPLY");
});

test("Gmail's reaction part marks an email as a reaction in any language, unless the email has further words", () => {
  const gmail = (text: string) =>
    parsed([
      "From: Lead <lead@customer.example>",
      "To: me@ours.example",
      "Subject: Re: Widgets",
      "In-Reply-To: <1@ours.example>",
      'Content-Type: multipart/alternative; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain; charset=utf-8",
      "",
      text,
      "--b",
      "Content-Type: text/vnd.google.email-reaction+json; charset=utf-8",
      "",
      '{"emoji":"👍","version":1}',
      "--b--",
    ]);
  expect(kindOf(gmail("👍"), { ...FACTS, attributedBy: 2 })).toBe("OTHER");
  expect(kindOf(gmail("👍 Yes, please send it."), { ...FACTS, attributedBy: 2 })).toBe("REPLY");
});
