import { expect, test } from "@jest/globals";
import { readRefusal } from "../../../domain/bounces/refusal.ts";
import { readingOf } from "./reports.ts";

/** Answers that say in words or by code that they hold for now. Without these words each is a hard bounce. */
const FOR_NOW = [
  ["4.1.1", "450 4.1.1 <pat@b.com>: Recipient address rejected: User unknown in local recipient table"],
  ["5.1.1", "550 5.1.1 User unknown (#4.3.0)"],
  ["5.1.1", "550 5.1.1 User temporarily unknown"],
  ["5.1.1", "550 5.1.1 User unknown, please try again later"],
  ["5.1.1", "550 5.1.1 User unknown, the mailbox is being migrated"],
  ["4.1.6", "451 4.1.6 Mailbox has moved to another server"],
  ["5.2.1", "550 5.2.1 Mailbox not found because it is disabled"],
  ["5.1.1", "550 5.1.1 User unknown: directory service unavailable"],
  ["5.0.0", "550 User could not be found, LDAP error"],
  ["5.0.0", "550 user unknown: database connection failed"],
  ["5.1.1", "550 5.1.1 Internal error: unknown user"],
  ["5.4.6", "554 5.4.6 Mail loop detected, user not found"],
  ["5.4.4", "550 5.4.4 Domain not found: DNS timeout"],
  ["5.4.4", "550 5.4.4 DNS server failed temporarily: host not found"],
  ["5.0.0", "Das Postfach ist vorübergehend nicht verfügbar: Benutzer unbekannt"],
  ["5.0.0", "La boîte aux lettres est temporairement introuvable"],
  ["5.0.0", "El buzón no existe, inténtelo más tarde"],
  ["5.0.0", "Casella momentaneamente non disponibile: utente sconosciuto"],
  ["5.0.0", "A caixa postal não existe temporariamente"],
  ["5.0.0", "De mailbox is tijdelijk niet gevonden: onbekende gebruiker"],
  ["5.0.0", "Brevlådan är tillfälligt okänd: okänd användare"],
  ["5.0.0", "Skrzynka tymczasowo nie istnieje: nieznany użytkownik"],
  ["5.0.0", "Пользователь не найден, повторите попытку позже"],
  ["5.0.0", "メールボックスが一時的に見つかりません"],
] as const;

test.each(FOR_NOW)("a temporary refusal is a soft bounce: %s %s", (status, answer) => {
  const block = `Final-Recipient: rfc822; pat@b.com\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${answer}`;
  const reports = [
    { name: "status", expected: ["SOFT"], status: block },
    { name: "words", expected: ["SOFT"], text: `Your message could not be delivered to:\n\n<pat@b.com>:\n${answer}\n` },
  ];
  expect(reports.map((report) => readingOf(report))).toEqual(reports.map(() => ({ kind: "BOUNCE", found: ["SOFT"] })));
});

test.each([
  ["5.1.1", "550 5.1.1 User unknown"],
  ["5.1.1", "550 5.1.1 User unknown: check for typos and try again"],
  ["5.1.1", "550 5.1.1 The account does not exist. This is not a temporary error"],
  ["5.1.1", "550 5.1.1 permanent failure: user unknown in directory"],
  ["5.4.4", "550 5.4.4 Domain not found: NXDOMAIN"],
  ["5.0.0", "550 Invalid recipient pat@b.com (#5.1.1), Exim 4.92.3"],
  ["5.0.0", "Benutzer unbekannt"],
  ["5.0.0", "El buzón no existe"],
  ["5.0.0", "O utilizador não existe"],
])("a refusal without temporary wording is a hard bounce: %s %s", (status, answer) => {
  const block = `Final-Recipient: rfc822; pat@b.com\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${answer}`;
  expect(readingOf({ name: "status", expected: ["HARD"], status: block })).toEqual({ kind: "BOUNCE", found: ["HARD"] });
});

test("a 4.x.x status makes the bounce soft when the server's answer has no code", () => {
  const block =
    "Final-Recipient: rfc822; pat@b.com\nAction: failed\nStatus: 4.0.0\nDiagnostic-Code: smtp; User unknown";
  expect(readingOf({ name: "status", expected: ["SOFT"], status: block })).toEqual({ kind: "BOUNCE", found: ["SOFT"] });
});

test("an earlier temporary answer does not soften a permanent refusal", () => {
  const text =
    "The following address failed:\n\n  pat@b.com\n    mx.b.com said: 550 5.1.1 User unknown\n    first attempt: 12 Nov, 421 4.4.2 timed out\n";
  expect(readingOf({ name: "two answers", expected: ["HARD"], text })).toEqual({ kind: "BOUNCE", found: ["HARD"] });
});

test("a temporary refusal during our own SMTP session is retried", () => {
  const refused = (text: string) => readRefusal({ stage: "RCPT", code: 550, text }).effect;
  expect(refused("5.1.1 User unknown")).toBe("HARD_BOUNCE");
  expect(refused("5.1.1 User unknown: directory service temporarily unavailable")).toBe("RETRY");
});
