import { expect, test } from "@jest/globals";
import { readAutoReply } from "../../../domain/mail/auto-reply.ts";
import { returnDateIn } from "../../../domain/mail/return-date.ts";
import { reply } from "./mail.ts";

const NOON = Date.parse("2026-11-02T12:00:00Z");

test.each([
  ["Auto-Submitted", "auto-replied"],
  ["Auto-Submitted", "auto-generated; owner-email=x"],
  ["X-Autoreply", "yes"],
  ["X-Autorespond", "Hello"],
  ["X-FC-MachineGenerated", "true"],
  ["X-POST-MessageClass", "9; Autoresponder"],
  ["X-Apple-Action", "VACATION"],
  ["Delivered-To", "Autoresponder"],
  ["Precedence", "auto_reply"],
  ["X-Mailer", "vacation 1.2.6"],
  ["X-Auto-Response", "yes"],
  ["Return-Path", "<>"],
  ["Subject", "Automatic reply: Hello"],
  ["Subject", "Abwesenheitsnotiz: Hallo"],
  ["Subject", "Réponse automatique : Bonjour"],
  ["Subject", "Respuesta automática: Hola"],
  ["Subject", "Automatisch antwoord: Hallo"],
  ["Subject", "自動応答: こんにちは"],
])("the header %s: %s proves an auto-reply", (name, value) => {
  expect(readAutoReply(reply({ [name]: value }))).not.toBeNull();
});

test.each([
  ["Auto-Submitted", "no"],
  ["X-Auto-Response-Suppress", "All"],
  ["Precedence", "bulk"],
  ["Subject", "Re: Out of office desks for your team"],
  ["Subject", "Re: Automatic reply rates"],
])("the header %s: %s alone does not prove an auto-reply", (name, value) => {
  expect(readAutoReply(reply({ [name]: value }))).toBeNull();
});

test("two hints prove an auto-reply, and so does one hint with a subject that mentions absence", () => {
  const away = "I am currently out of the office and will answer later.";
  expect(readAutoReply(reply({ "X-Auto-Response-Suppress": "All" }, away))?.subKind).toBe("OUT_OF_OFFICE");
  expect(readAutoReply(reply({ Subject: "Hello: out of office" }, away))).not.toBeNull();
  expect(readAutoReply(reply({}, away))).toBeNull();
});

test("the receipt of a ticket is an auto-reply, not an absence", () => {
  const receipt = reply({ "Auto-Submitted": "auto-replied" }, "We received your request. Your ticket number is 4711.");
  expect(readAutoReply(receipt)).toMatchObject({ subKind: "AUTO_REPLY", returnDate: null, contactLeft: false });
});

test("a notice that a person has left the company is an auto-reply marked as a departure", () => {
  const words = [
    "I no longer work at Customer Ltd.",
    "Frau Maier ist nicht mehr bei uns beschäftigt.",
    "M. Petit a quitté la société.",
    "Ya no trabajo en esta empresa: ya no trabaja aquí.",
  ];
  for (const text of words) {
    const read = readAutoReply(
      reply({ "Auto-Submitted": "auto-replied", "Content-Type": "text/plain; charset=utf-8" }, text),
    );
    expect(read).toMatchObject({ subKind: "AUTO_REPLY", contactLeft: true });
  }
});

test("the return date is resolved relative to the day on which the notice arrived", () => {
  const note = reply({ "Auto-Submitted": "auto-replied" }, "I am out of the office until Friday, November 13th.");
  expect(readAutoReply(note)).toMatchObject({ subKind: "OUT_OF_OFFICE", returnDate: "2026-11-13" });
});

test.each([
  ["back on November 16", "2026-11-16"],
  ["I will return on 2026-11-16", "2026-11-16"],
  ["travelling November 10-20", "2026-11-20"],
  ["Ich bin bis zum 13. November 2026 abwesend", "2026-11-13"],
  ["Ab dem 16.11. bin ich wieder da", "2026-11-16"],
  ["bis einschließlich 03.01.", "2027-01-03"],
  ["absent jusqu'au 13 novembre", "2026-11-13"],
  ["de retour le lundi 16 novembre", "2026-11-16"],
  ["estaré fuera hasta el 13 de noviembre", "2026-11-13"],
  ["sarò assente fino al 13 novembre", "2026-11-13"],
  ["estou de férias até 13 de novembro", "2026-11-13"],
  ["ik ben afwezig tot 13 november", "2026-11-13"],
  ["away until October 30", null],
  ["back in the office on June 30, 2027", null],
  ["until 5 pm", null],
  ["sometime in spring", null],
])("the return date in %s is %s", (text, date) => {
  expect(returnDateIn(text, NOON, "Europe/Paris")).toBe(date);
});

test("'tomorrow' is counted in the recipient's time zone", () => {
  const evening = Date.parse("2026-11-02T20:00:00Z");
  expect(returnDateIn("back tomorrow", evening, "Europe/London")).toBe("2026-11-03");
  expect(returnDateIn("back tomorrow", evening, "Asia/Tokyo")).toBe("2026-11-04");
});
