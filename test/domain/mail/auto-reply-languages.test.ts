import { expect, test } from "@jest/globals";
import { readAutoReply } from "../../../domain/mail/auto-reply.ts";
import { reply } from "./mail.ts";

// What the mail is, its subject, its text and its Auto-Submitted header. All came on Monday, 2 November 2026
const NOTES: readonly (readonly [string, string, string, string])[] = [
  [
    "OOO 2026-11-16",
    "Automatic reply: Hello",
    "I am out of the office until Monday, November 16. For urgent matters contact x@a.com.",
    "auto-replied",
  ],
  [
    "OOO 2026-11-13",
    "Automatische Antwort: Hallo",
    "Vielen Dank für Ihre Nachricht. Ich bin bis einschließlich 13.11.2026 nicht im Haus.",
    "",
  ],
  ["OOO 2026-11-16", "Abwesenheitsnotiz: Hallo", "Ich bin ab dem 16. November wieder für Sie da.", ""],
  [
    "OOO 2026-11-16",
    "Réponse automatique : Bonjour",
    "Je suis absent du bureau. Je serai de retour le 16 novembre 2026.",
    "",
  ],
  ["OOO 2026-11-16", "Respuesta automática: Hola", "Estaré fuera de la oficina hasta el 16/11/2026.", ""],
  ["OOO 2026-11-16", "Risposta automatica: Ciao", "Sarò fuori ufficio fino al 16 novembre.", ""],
  ["OOO 2026-11-16", "Resposta automática: Olá", "Estou de férias até 16/11/2026.", ""],
  ["OOO 2026-11-16", "Automatisch antwoord: Hallo", "Ik ben op vakantie tot en met 16 november 2026.", ""],
  ["OOO 2026-11-16", "Autosvar: Hej", "Jag är på semester till och med 16 november.", ""],
  ["OOO 2026-11-16", "Automatisk svar: Hej", "Jeg er på ferie til og med 16. november 2026.", ""],
  ["OOO 2026-11-16", "Odpowiedź automatyczna: Witam", "Jestem na urlopie do 16.11.2026.", ""],
  ["OOO 2026-11-16", "Automatická odpověď: Dobrý den", "Jsem mimo kancelář do 16.11.2026.", ""],
  ["OOO 2026-11-16", "Automaattinen vastaus: Hei", "Olen lomalla 16.11.2026 asti.", ""],
  ["OOO 2026-11-16", "Otomatik Yanıt: Merhaba", "16.11.2026 tarihine kadar ofis dışındayım.", ""],
  ["OOO 2026-11-16", "Автоматический ответ: Привет", "Я в отпуске до 16 ноября 2026.", ""],
  ["OOO 2026-11-16", "自動応答: こんにちは", "11月16日まで休暇をいただいております。", ""],
  ["OOO 2026-11-16", "自动答复: 你好", "我正在休假，11月16日回来。", ""],
  ["OOO 2026-11-16", "자동 회신: 안녕하세요", "11월 16일까지 휴가입니다.", ""],
  ["OOO 2026-11-16", "Automatikus válasz: Szia", "2026. november 16-ig szabadságon vagyok.", ""],
  ["OOO 2026-11-16", "Răspuns automat: Salut", "Sunt în concediu până pe 16.11.2026.", ""],
  ["OOO 2026-11-16", "Αυτόματη απάντηση: Γεια", "Απουσιάζω έως 16/11/2026.", ""],
  ["OOO 2026-11-16", "Out of Office Re: Hello", "Out until 16 Nov", ""],
  ["OOO null", "Out of office", "I am away with no access to mail.", ""],
  ["OOO 2026-11-16", "Re: Hello", "I'm currently on annual leave, returning Monday 16th November.", "auto-replied"],
  ["OOO 2026-11-16", "Re: Hello", "I'm on PTO through 11/15 and will be back on 11/16.", "auto-replied"],
  ["OOO 2026-11-16", "[Auto-Reply] Hello", "I am OOO. I will be back on 2026-11-16.", ""],
  ["OOO 2026-11-16", "[Out of office] Hello", "back 16.11.2026", ""],
  ["AUTO", "[Ticket #123] We received your request", "Thanks, your ticket number is 123.", "auto-generated"],
  ["AUTO", "Auto-Response: Thank you for contacting us", "We will get back to you within 2 days.", ""],
  [
    "AUTO LEFT",
    "Automatic reply: Hello",
    "Thank you for your email. I am no longer with Acme Inc. Please contact Bob.",
    "",
  ],
  [
    "AUTO LEFT",
    "Re: Hello",
    "John Doe has left the company. Please direct your enquiries to info@a.com.",
    "auto-replied",
  ],
  ["AUTO LEFT", "Automatische Antwort: Hallo", "Herr Müller ist nicht mehr für unser Unternehmen tätig.", ""],
  ["AUTO LEFT", "Réponse automatique : Bonjour", "Je ne fais plus partie de la société Acme.", ""],
  ["AUTO LEFT", "Respuesta automática", "Juan ya no trabaja en esta empresa.", ""],
  ["AUTO LEFT", "Automatisch antwoord", "Jan is niet langer werkzaam bij Acme.", ""],
  ["AUTO LEFT", "Autosvar", "Jag har slutat på Acme.", ""],
  ["AUTO LEFT", "Automatisk svar", "Jeg er ikke længere ansat i Acme.", ""],
  ["AUTO LEFT", "Automatic reply", "This mailbox is no longer monitored. Maria no longer works here.", ""],
  ["AUTO LEFT", "Automatic reply", "My last day at Acme was October 30.", ""],
  ["AUTO LEFT", "Automatic reply", "I have moved on from Acme and this mailbox is not monitored.", ""],
  ["AUTO LEFT", "Automatic reply", "I've retired.", ""],
  ["OOO null", "Automatic reply", "I am on parental leave.", ""],
  ["NULL", "Re: Hello", "I was out of the office last week, sorry. Let's talk Tuesday.", ""],
  ["NULL", "Re: Hello", "I'll be on vacation until Nov 16, can we talk after that?", ""],
  ["NULL", "Automation ideas", "Let's talk automation", ""],
  ["NULL", "Absence of evidence", "hi", ""],
  ["NULL", "Re: Leave policy", "hi", ""],
  ["NULL", "Office hours", "hi", ""],
];

test.each(NOTES)(
  "auto-reply detection returns %s for the subject %s and the text %s",
  (expected, subject, text, submitted) => {
    const note = reply(
      {
        Subject: `=?utf-8?B?${Buffer.from(subject).toString("base64")}?=`,
        "Content-Type": "text/plain; charset=utf-8",
        ...(submitted !== "" && { "Auto-Submitted": submitted }),
      },
      text,
    );
    const read = readAutoReply(note, { at: Date.parse("2026-11-02T10:00:00Z"), timeZone: "Europe/Berlin" });
    const away = read?.subKind === "OUT_OF_OFFICE" ? `OOO ${read.returnDate}` : "AUTO";
    expect(read === null ? "NULL" : `${away}${read.contactLeft ? " LEFT" : ""}`).toBe(expected);
  },
);
