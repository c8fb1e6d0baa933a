import { expect, test } from "@jest/globals";
import { ownWords } from "../../../domain/mail/own-words.ts";
import { ATTRIBUTIONS, BANNERS, HEADS, SHORT_ATTRIBUTIONS } from "./mail-programs.ts";

const OWN = "Thank you, that sounds good.\n\nDoes Tuesday at 10:00 suit you?";
const OLD = "Hello Bob,\n\nwe help teams like yours.\n\nAnn Lee\n\nUnsubscribe: https://ours.example/u/1";
const MARKED = OLD.replace(/^/gm, "> ").replace(/ $/gm, "");

const words = (text: string) => ownWords(text).words;

/** Breaks a long line at spaces as a program does; `width` is in characters. */
function wrapped(line: string, width: number): string {
  const lines: string[] = [];
  for (const word of line.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || `${last} ${word}`.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}

test.each(ATTRIBUTIONS)(
  "%s: the quoted text below the attribution line is left out, with or without quote marks and line wraps",
  (_, line) => {
    for (const attribution of [line, wrapped(line, 72), wrapped(line, 50), line.replace(" <", " <\n")]) {
      for (const between of ["\n\n", "\n"]) {
        expect(words(`${OWN}${between}${attribution}\n${MARKED}`)).toBe(OWN);
        expect(words(`${OWN}${between}${attribution}\n\n${MARKED}\n\n`)).toBe(OWN);
        expect(words(`${OWN}${between}${attribution}\n\n${OLD}`)).toBe(OWN);
        expect(words(`${OWN}${between}${attribution}`)).toBe(OWN);
      }
      expect(words(`${OWN}\n\n> ${attribution.replaceAll("\n", "\n> ")}\n>\n${MARKED}`)).toBe(OWN);
    }
  },
);

test("a quoted line that ends in << still counts as quoted", () => {
  expect(words(`${OWN}\n\n> We wrote:\n> >> cheap <<\n> see << below <<\n> Yes, please.`)).toBe(OWN);
});

test.each(SHORT_ATTRIBUTIONS)(
  "the attribution line %s is removed when a line with a quote mark follows, and kept when other text follows",
  (line) => {
    expect(words(`${OWN}\n\n${line}\n${MARKED}`)).toBe(OWN);
    expect(words(`${OWN}\n${line}\n\n${MARKED}\n`)).toBe(OWN);
    const own = `${OWN}\n\n${line}\nthat is what I heard.`;
    expect(words(own)).toBe(own);
  },
);

test.each(ATTRIBUTIONS)("%s: the sender's text below or between the quoted lines is kept", (_, line) => {
  expect(words(`${line}\n${MARKED}\n\n${OWN}`)).toBe(OWN);
  expect(words(`${line}\n\n> What does it do?\n\nIt counts.\n\n> How much is it?\n\nTen a month.`)).toBe(
    "It counts.\n\nTen a month.",
  );
});

test.each(HEADS)("%s: the text below the header lines of a quoted email is left out", (_, from, sent, to, subject) => {
  const values: [string, string, string, string] = [
    "Ann Lee <ann@ours.example>",
    "Monday, 2 November 2026 09:05",
    "Bob <bob@b.example>",
    "Re: Widgets",
  ];
  const bare = ["ann@ours.example", "Mon, 2 Nov 2026 09:05:11 +0100", "bob@b.example", "Widgets"] as const;
  const mailto = [
    "Ann Lee [mailto:ann@ours.example]",
    "den 2 november 2026 09:05",
    "Bob Miller",
    "SV: Widgets",
  ] as const;
  const names = [from, sent, to, subject] as const;
  for (const value of [values, bare, mailto]) {
    const lines = names.map((name, index) => `${name}: ${value[index]}`);
    const bold = names.map((name, index) => `*${name}:* ${value[index]}`);
    const boldName = names.map((name, index) => `*${name}*: ${value[index]}`);
    for (const head of [
      lines,
      bold,
      boldName,
      lines.toReversed(),
      [lines[1], lines[0], lines[2], lines[3]],
      [lines[3], lines[1], lines[0], lines[2]],
    ]) {
      for (const above of ["\n\n", "\n", "\n\n________________________________\n", "\n\n-----\n\n", "\n\n\n  "]) {
        expect(words(`${OWN}${above}${head.join("\n")}\n\n${OLD}`)).toBe(OWN);
      }
    }
    expect(words(`${OWN}\n\n${lines.join("\n\n")}\n\n${OLD}`)).toBe(OWN);
    expect(words(`${OWN}\n${lines.join(" ")}\n${OLD}`)).toBe(OWN);
  }
});

test.each(BANNERS)("the text below the banner %s of a quoted email is left out", (banner) => {
  expect(words(`${OWN}\n\n${banner}\nFrom: Ann Lee <ann@ours.example>\nSubject: Widgets\n\n${OLD}`)).toBe(OWN);
  expect(
    words(
      `${OWN}\n${banner}\n\nVon: ann@ours.example\nDatum: 02.11.2026 09:05\nAn: bob@b.example\nBetreff: Widgets\n\n${OLD}`,
    ),
  ).toBe(OWN);
  expect(
    words(`${OWN}\n\n${banner}\n\nOn Mon, Nov 2, 2026 at 9:05 AM, Ann Lee <ann@ours.example> wrote:\n\n${OLD}`),
  ).toBe(OWN);
});

test.each([
  "Hello, From: the beginning I liked it",
  "From: the beginning I liked it.\nTo: be honest, the price is high.",
  "Invitation:\n\nDate: Tuesday 3 November 2026\nTime: 10:00\nPlace: our office",
  "From: London\nTo: Paris\nDate: 3 May 2026",
  "Od: poniedziałku\nDo: piątku\nTemat: szkolenie",
  "Two options:\n1. Monday 2 November 2026 at 10:00\n2. Tuesday at 11:00",
  "On 2 November 2026 at 10:00 we have time:\nwould that do?",
  "We can meet on 2 Nov 2026 at 10:00. Please write to Ann Lee <ann@ours.example>:\nshe books the rooms.",
  "My colleague wrote:\nwe need this by May.",
  "As you wrote on 2 November 2026 at 10:00:\nthe price is open.",
  "Wie Sie am 2. November 2026 um 10:00 schrieben:\nder Preis ist offen.",
  "Q: How?\nA: So.",
  "I have sent you an e-mail.",
  "Please send me an e-mail from your phone.",
  "Sent by courier yesterday.",
  "We use Outlook for iOS and Android.",
  "Cheers!\nPlease take me off your list.",
  "Kind regards to Ann.\nWe take it.",
  "Thank you.\n\nBest regards,\nBob",
  "Gruß Bob",
  "Plan A is fine.\n---\nPlan B too",
  "Plan A\n===\nPlan B\n===\nPlan C",
  "- one\n- two\n\n    - three",
  "Prices:\n| a | b |\n| 1 | 2 |",
  "See https://ours.example/a:b\nAnd?",
  "Forwarded message received, thanks.",
  "The original message was better.",
  "a\n\n\n\nb",
  "Look here:\n>>> https://b.example <<<\nand tell me.",
  "Sent from my desk, which is easier than my phone.",
  "One question I had:\n\nis it on?",
  "On your host you can run:\n\n    a b",
])("a sender's own text that resembles a quote or a signature is kept whole: %j", (text) => {
  expect(ownWords(text)).toEqual({ words: text, hasQuote: false });
});

test.each([
  ["RFC 3676", "-- \nBob Miller\nB Ltd\n+49 30 123456"],
  ["without its space", "--\nBob"],
  ["a closing with contact data", "Kind regards,\nBob Miller\nHead of Purchasing\nB Ltd, www.b.example"],
  [
    "de",
    "Mit freundlichen Grüßen\n\nBob Müller\nMüller GmbH\nTel. +49 30 123456\nSitz der Gesellschaft ist Berlin, und sie ist dort seit langem eingetragen.",
  ],
  ["fr", "Cordialement,\nBob Dupont\nResponsable des achats\n01 23 45 67 89"],
  ["es", "Saludos cordiales\nBob\nB S.L.\nbob@b.example"],
  ["ru", "С уважением,\nБоб Иванов\nООО Б\n+7 495 1234567"],
  ["a notice", "Best regards\nBob Miller\nB Ltd\nThis e-mail is confidential and intended solely for its addressee."],
  ["a ruler", "_________________\nBob Miller\nbob@b.example"],
  ["a list's footer", "_______________________________________________\nB list\nhttps://lists.b.example/b"],
  ["a phone", "Sent from my iPhone"],
  ["a phone, de", "Von meinem iPhone gesendet"],
  ["a phone, fr", "Envoyé de mon iPhone"],
  ["a phone, es", "Enviado desde mi iPhone"],
  ["a phone, it", "Inviato da iPhone"],
  ["a phone, pt", "Enviado do meu iPhone"],
  ["a phone, nl", "Verstuurd vanaf mijn iPhone"],
  ["a phone, da", "Sendt fra min iPhone"],
  ["a phone, sv", "Skickat från min iPhone"],
  ["a phone, fi", "Lähetetty iPhonesta"],
  ["a phone, pl", "Wysłane z iPhone'a"],
  ["a phone, cs", "Odesláno z iPhonu"],
  ["a phone, ru", "Отправлено с iPhone"],
  ["a phone, uk", "Надіслано з iPhone"],
  ["a phone, tr", "iPhone'umdan gönderildi"],
  ["a phone, el", "Στάλθηκε από το iPhone μου"],
  ["a phone, vi", "Đã gửi từ iPhone của tôi"],
  ["a phone, zh", "发自我的iPhone"],
  ["a phone, zh-TW", "從我的 iPhone 傳送"],
  ["a phone, ja", "iPhoneから送信"],
  ["a phone, ko", "나의 iPhone에서 보냄"],
  ["a phone, he", "נשלח מה-iPhone שלי"],
  ["a phone, ar", "أُرسلت من الـ iPhone"],
  ["Outlook", "Get Outlook for iOS<https://aka.ms/o0ukef>"],
  ["Outlook, de", "Outlook für Android beziehen"],
  ["Outlook, fr", "Télécharger Outlook pour Android"],
  ["ProtonMail", "Sent with Proton Mail secure email."],
  ["Samsung", "Sent from my Galaxy"],
  ["Yahoo", "Sent from Yahoo Mail on Android"],
  ["K-9", "--\nDiese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet."],
  ["Windows", "Sent from Mail for Windows"],
  ["some other program", "Sent from Mailspring"],
  ["a ruler and a name", "___\nBob Miller\nHead of Purchasing"],
  ["two of them", "Bob\n\n-- \nBob Miller\n\nSent from my iPad"],
])("a signature is left out of the reply text: %s", (_, signature) => {
  const [kept, ...rest] = signature.startsWith("Bob\n") ? [`${OWN}\n\nBob`, signature.slice(5)] : [OWN, signature];
  expect(words(`${kept}\n\n${rest.join("\n")}`)).toBe(kept);
  expect(
    words(
      `${kept}\n\n${rest.join("\n")}\n\nOn Mon, Nov 2, 2026 at 9:05 AM Ann Lee <ann@ours.example> wrote:\n${MARKED}`,
    ),
  ).toBe(kept);
});

test('an attribution line ("On ..., Ann wrote:") after the sender\'s text on the same line is removed, and the text is kept', () => {
  const attribution = "On Mon, Nov 2, 2026 at 9:05 AM, Ann Lee <ann@ours.example> wrote:";
  for (const [own, between] of [
    ["Yes", " "],
    ["Yes, on Tuesday.", " "],
    ["Yes", "--- "],
    ["One - two", " - "],
  ] as const) {
    expect(words(`${own}${between}${attribution}\n${MARKED}`)).toBe(own);
    expect(words(`Hello Ann,\n${own}${between}${attribution}\n\n${OLD}`)).toBe(`Hello Ann,\n${own}`);
  }
});

test("a single From line starts a quoted email only if the line stands below an empty line", () => {
  for (const line of [
    "From: Ann Lee <ann@ours.example>",
    "Von: Ann Lee [mailto:ann@ours.example]",
    "De : Ann Lee <ann@ours.example>",
  ]) {
    expect(words(`${OWN}\n\n${line}\n\n${OLD}`)).toBe(OWN);
    expect(words(`${OWN}\n${line}`)).toBe(`${OWN}\n${line}`);
  }
});

test.each([
  "On Mon, Nov 2, 2026 at 9:05 AM Ann Lee <ann@ours.example> wrote",
  "Le 2 nov. 2026 à 09:05, Ann Lee <ann@ours.example> a écrit",
  "Am 02.11.2026 um 09:05 \n\nschrieb Ann Lee <ann@ours.example>:",
  "- Original Message -",
])("an incomplete attribution line is still recognised, and left out with the quote below it: %s", (line) => {
  expect(words(`${OWN}\n\n${line}\n\n${OLD}`)).toBe(OWN);
  expect(words(`${OWN}\n\n${line}\n${MARKED}`)).toBe(OWN);
});

test.each(ATTRIBUTIONS)("%s: the sender's text on the line directly above the attribution line is kept", (_, line) => {
  for (const own of [
    "Tuesday, 3 November at 10:00 is fine",
    "2 of us will come",
    "Thanks, Bob",
    "10:30 is fine",
    "Fine by me.",
  ]) {
    expect(words(`${own}\n${line}\n${MARKED}`)).toBe(own);
    expect(words(`${own}\n${line}\n\n${OLD}`)).toBe(own);
  }
});

test("a line that looks like a header, directly above the headers of a quoted email, is kept unless the line begins with Date", () => {
  const head = "From: ann@ours.example\nSent: Monday, 2 November 2026 09:05\nTo: bob@b.example\nSubject: Widgets";
  for (const own of ["To: be honest, no.", "Date: open", "Subject: fine"]) {
    expect(words(`Hello,\n${own}\n${head}\n\n${OLD}`)).toBe(own === "Date: open" ? "Hello," : `Hello,\n${own}`);
    expect(words(`Hello,\n${own}\n\n${head}\n\n${OLD}`)).toBe(`Hello,\n${own}`);
  }
});

test("the headers of a quoted email are removed from a line even if the line breaks between the headers were lost", () => {
  const head =
    "From: Ann Lee <ann@ours.example> Sent: Monday, 2 November 2026 09:05 To: Bob <bob@b.example> Subject: Widgets Hello Bob, we help.";
  expect(words(`Yes, on Tuesday. ${head}`)).toBe("Yes, on Tuesday.");
});

test("the wrapped rest of a quoted line is left out with the quote, and an answer directly below a quote is kept", () => {
  const long = `> ${"we help teams like yours ".repeat(3).trim()},`;
  expect(words(`${OWN}\n\n${long}\nunsubscribe here\n> or not\n`)).toBe(OWN);
  expect(words(`${OWN}\n\n> See (https://ours.example/one\ntwo=three)\n> there`)).toBe(OWN);
  expect(words("> Shall we?\nyes\n> When?\nTuesday")).toBe("yes\n\nTuesday");
  expect(words(`${long.replace(/,$/, "?")}\nYes, they do.`)).toBe("Yes, they do.");
});

test("the text below an attribution line is the reply if nothing stands above the line", () => {
  expect(
    words(
      "On Mon, Nov 2, 2026 at 9:05 AM, Ann Lee <ann@ours.example> wrote:\n\n    a + b\n\nIt should be:\n\n    a - b",
    ),
  ).toBe("a + b\n\nIt should be:\n\n    a - b");
});

// What gateways and scanners put above and below a person's words, and lines that introduce a quote without a date or a
// name
test.each([
  [
    "CAUTION: This email came from outside the organisation. Do not open links unless you know the sender.\n\nPlease send it.",
  ],
  ["[EXTERNAL]\nPlease send it."],
  ["EXTERNAL SENDER\n\nPlease send it."],
  ["You don't often get email from ann@ours.example. Learn why this is important\n\nPlease send it."],
  ["[EXTERN] Diese Nachricht stammt von außerhalb. Vorsicht bei Links und Anhängen.\n\nPlease send it."],
  ["ATTENTION : ce message provient de l'extérieur. N'ouvrez pas les pièces jointes.\n\nPlease send it."],
  ["Please send it.\n\n_____\nThis footer was generated automatically by the mail gateway of Firm Ltd."],
  [
    "Please send it.\n\nKind regards\nPat Person\nFirm Ltd\n+44 20 7946 0000\n\nThis footer was generated automatically by the mail gateway.",
  ],
  ["Please send it.\n\nDiese E-Mail wurde automatisch auf Viren geprüft."],
  ["Please send it.\n\nThis e-mail is confidential. If you are not the intended recipient, delete it."],
  ["Please send it.\n\nann@ours.example wrote:\n\nHello Bob,\ndo you use widgets?"],
  ["Please send it.\n\nAt 6/16 10:04 AM, you wrote:\n>Hello Bob,\n>do you use widgets?"],
  [
    "Please send it.\n\nOn Fri, Nov 27, 2026 at 8:00 AM Ann Lee\n<\nmailto:Ann Lee <ann@ours.example>\n> wrote:\nHello Bob",
  ],
])("gateway banners, gateway footers and attribution lines are left out of the reply text: %s", (text) => {
  expect(ownWords(text).words).toBe("Please send it.");
});

test.each([
  "CAUTION is our middle name.\nPlease send it.",
  "This is confidential, so keep it to yourself.",
  "Do not open the door for links, says my boss.",
  "I checked it for viruses and it is clean.",
  "What you wrote: I like it.",
])("a sender's own sentence that resembles a gateway banner or footer is kept: %s", (text) => {
  expect(ownWords(text).words).toBe(text);
});
