import { describe, expect, test } from "@jest/globals";
import { dueAtOf } from "../../../domain/inbox/intent/dates.ts";
import { readIntent } from "../../../domain/inbox/intent/read.ts";

/** A Wednesday. */
const AT = Date.UTC(2026, 9, 14, 10);
const OWN = ["ann@a.test", "bob@b.test"];

/** What an email says, and the day or address that it promises. */
const PROMISES: [text: string, promised: string][] = [
  ["Please write me again in March.", "2027-03-01"],
  ["Not now, but circle back in January.", "2027-01-01"],
  ["Could you follow up with me after the 15th?", "2026-10-16"],
  ["Reach out next quarter, we have no budget until then.", "2027-01-01"],
  ["Let's talk again in Q2.", "2027-04-01"],
  ["Ping me in three weeks.", "2026-11-04"],
  ["Try me again next month.", "2026-11-01"],
  ["Please contact me after November 20.", "2026-11-21"],
  ["I'll get back to you next week.", "2026-10-19"],
  ["Call me on 2 December.", "2026-12-02"],
  ["Please check back next year.", "2027-01-07"],
  ["Happy to talk after the holidays.", "2027-01-07"],
  ["Bitte melden Sie sich im März noch einmal.", "2027-03-01"],
  ["Schreiben Sie mir in drei Wochen wieder.", "2026-11-04"],
  ["Kommen Sie bitte nach dem 20. auf mich zu.", "2026-10-21"],
  ["Fragen Sie im nächsten Quartal noch einmal nach.", "2027-01-01"],
  ["Melden Sie sich gern am 02.12. bei mir.", "2026-12-02"],
  ["Rufen Sie mich nächste Woche an.", "2026-10-19"],
  ["Recontactez-moi en mars.", "2027-03-01"],
  ["Merci de me relancer dans trois semaines.", "2026-11-04"],
  ["Écrivez-moi après le 20.", "2026-10-21"],
  ["Rappelez-moi le mois prochain.", "2026-11-01"],
  ["Escríbame de nuevo en marzo.", "2027-03-01"],
  ["Contácteme después del 20.", "2026-10-21"],
  ["Hablamos el próximo mes.", "2026-11-01"],
  ["Mi ricontatti a marzo.", "2027-03-01"],
  ["Mi scriva il prossimo mese.", "2026-11-01"],
  ["Risentiamoci dopo il 20.", "2026-10-21"],
  ["Escreva-me novamente em março.", "2027-03-01"],
  ["Fale comigo no próximo mês.", "2026-11-01"],
  ["Mail me in maart nog eens.", "2027-03-01"],
  ["Neem volgende maand contact met me op.", "2026-11-01"],
  ["Hör av dig i mars.", "2027-03-01"],
  ["Kontakta mig nästa månad.", "2026-11-01"],
  ["Please ask my colleague eva@c.test about this.", "eva@c.test"],
  ["I am not in charge. Please contact Eva (eva@c.test) instead.", "eva@c.test"],
  ["Wenden Sie sich bitte an meine Kollegin eva@c.test.", "eva@c.test"],
  ["Veuillez contacter ma collègue eva@c.test.", "eva@c.test"],
  ["Contacte a mi compañera eva@c.test.", "eva@c.test"],
  ["Si rivolga alla collega eva@c.test.", "eva@c.test"],
];

/** Texts that are no promise, though they have the words. */
const NONE = [
  "Thanks, sounds interesting. How much is it?",
  "I wrote to you in March.",
  "We talked about this last week.",
  "Do not contact me again in March.",
  "We launched our product in May.",
  "Please never write to me again.",
  "You may call it what you like.",
  "Our fair is in November.",
  "Ich habe Ihnen im März geschrieben.",
  "Bitte schreiben Sie mir nicht mehr.",
  "Nous avons parlé en mars.",
  "Je ne suis pas intéressé.",
  "Hablamos ayer en la feria.",
  "Ho scritto a marzo al vostro ufficio.",
  "Não tenho interesse.",
  "Wij hebben in maart gebeld.",
  "Vi har pratat i mars.",
  "Best regards\nBob Smith\nbob@b.test\nE-mail: office@b.test",
  "Please contact bob@b.test, that is me.",
  "Please remove eva@c.test from your list.",
  "Call me on 2 December 2020.",
  "Write me again, the sun is out.",
  "Is the meeting at 10 am or in the afternoon?",
];

function found(words: string): string[] {
  const { clauses } = readIntent({ words, at: AT, timeZone: "Europe/Berlin", ownAddresses: OWN });
  return clauses.flatMap(({ intent, date, address }) => (intent === "LATER" ? (date ?? []) : (address ?? [])));
}

describe("promises in replies", () => {
  test("at least nine in ten are found with the right day", () => {
    const missed = PROMISES.filter(([text, promised]) => found(text)[0] !== promised).map(
      ([text]) => `${text} => ${found(text)}`,
    );
    expect([missed.length <= PROMISES.length / 10, missed]).toEqual([true, expect.anything()]);
  });

  test.each(NONE)("are not found in: %s", (text) => {
    expect(found(text)).toEqual([]);
  });

  test("a day in the past or too far ahead gives no due date; a coming day is due on its morning in the given time zone", () => {
    expect(dueAtOf("2026-10-14", AT, "Europe/Berlin")).toBeNull();
    expect(dueAtOf("2029-01-01", AT, "Europe/Berlin")).toBeNull();
    expect(dueAtOf("2027-03-01", AT, "Europe/Berlin")?.toISOString()).toBe("2027-03-01T08:00:00.000Z");
    expect(dueAtOf("2027-03-01", AT, "America/New_York")?.toISOString()).toBe("2027-03-01T14:00:00.000Z");
    expect(dueAtOf("no date", AT, "Europe/Berlin")).toBeNull();
  });

  test("an email of a million characters is read only up to a limit", () => {
    expect(
      readIntent({ words: "Please write me in March. ".repeat(40_000), at: AT }).clauses.length,
    ).toBeLessThanOrEqual(40);
  });
});
