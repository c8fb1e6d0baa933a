import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { warmupText } from "../../../domain/warmup/text.ts";
import { personsName, signersName } from "../../../domain/warmup/writer.ts";

const from = { name: "Ann Miller", email: "ann@one.example", signatureHtml: null };
const writer = (name: string | null, email = "office@two.example", signatureHtml: string | null = null) => ({
  name,
  email,
  signatureHtml,
});
const mailOf = (own: object, other: object = {}) =>
  warmupText({ openingId: "wml_1", turn: 1, language: "en", from: { ...from, ...own }, to: { ...from, ...other } });

test.each([
  ["Ann Miller", "a@x.example", "Ann", "Ann Miller"],
  ["  Miller,  Ann ", "a@x.example", "Ann", "Ann Miller"],
  ['"Ann Miller"', "a@x.example", "Ann", "Ann Miller"],
  ["Ann Miller | Acme Ltd", "a@x.example", "Ann", "Ann Miller"],
  ["Ann Miller (Acme)", "a@x.example", "Ann", "Ann Miller"],
  ["Ann from Acme", "a@x.example", "Ann", "Ann"],
  ["Dr. Ann Miller", "a@x.example", "Ann", "Dr. Ann Miller"],
  ["J. R. O'Brien-Smith", "a@x.example", "O'Brien-Smith", "J. R. O'Brien-Smith"],
  ["Frau Müller", "a@x.example", "Frau Müller", "Frau Müller"],
  ["María del Carmen Núñez", "a@x.example", "María", "María del Carmen Núñez"],
  ["דנה כהן", "a@x.example", "דנה", "דנה כהן"],
  ["Ann 😀 Miller 🇩🇪", "a@x.example", "Ann", "Ann Miller"],
  ["Ann\r\n Maria\tMiller", "a@x.example", "Ann", "Ann Maria Miller"],
  ["Ann\u202e Mil\u200bler", "a@x.example", "Ann", "Ann Miller"],
  [null, "ann.miller@x.example", "Ann", "Ann Miller"],
  [null, "ANN_MILLER+news@x.example", "Ann", "Ann Miller"],
  ["Acme Support", "ann.miller@x.example", "Ann", "Ann Miller"],
])("%j with the address %s has the greeting name %s and the full name %s", (name, email, first, full) => {
  expect(personsName(writer(name, email))).toEqual({ first, full });
});

test.each([
  [null, "info@x.example"],
  [null, "ann@x.example"],
  [null, "sales.team@x.example"],
  [null, "a.miller@x.example"],
  [null, "ann.miller2@x.example"],
  ["", "office@x.example"],
  ["Sales Team", "sales@x.example"],
  ["+49 170 1234567", "office@x.example"],
  ["www.evil.example", "ann.miller@x.example"],
  ["Ann\r\nBcc: eve@evil.example", "ann.miller@x.example"],
  ["<img src=x onerror=alert(1)>", "ann.miller@x.example"],
  ["{{ 7 | times: 7 }}", "ann.miller@x.example"],
  ["[day]", "ann.miller@x.example"],
  ["{a|b}", "ann.miller@x.example"],
  ["a".repeat(5_000), "ann.miller@x.example"],
  ["Ann ".repeat(1_250), "ann.miller@x.example"],
])("%.40j with the address %s is not a person's name, and the greeting contains no name", (name, email) => {
  expect(personsName(writer(name, email))).toBeNull();
  expect(mailOf({}, writer(name, email)).text.split("\n")[0]).toMatch(/^(?:Hello|Good day|Hello there),$/);
});

test("a warmup email is signed with the name of a company or a team, but not with a domain name", () => {
  expect([
    signersName(writer("Acme & Sons 24")),
    signersName(writer("Sales Team")),
    signersName(writer("evil.example")),
  ]).toEqual(["Acme & Sons 24", "Sales Team", null]);
});

test("a display name with any characters adds no lines and no tags to a warmup email", () => {
  const hostile = fc.string({
    unit: fc.constantFrom(..."<>&\"'{}[]|%$\\/@:.,;\r\n\t\0\u2028\u202e\u200b🙂אaZ é1 "),
    maxLength: 300,
  });
  const tags = (html: string) => html.match(/<[^>]*>/g);
  const shape = (mail: { text: string; html: string }) => [mail.text.split("\n").length, tags(mail.html)?.length];
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: "binary", maxLength: 100 })), (name) => {
      const mail = mailOf({ name }, { name });
      const isSigned = signersName(writer(name, from.email)) !== null;
      expect(shape(mail)).toEqual(shape(mailOf({ name: isSigned ? "Leo Roth" : null })));
      expect(mail.subject).toBe(mailOf({}).subject);
      expect(mail.html).not.toMatch(/<(?!\/?p>|br>)/);
    }),
    { numRuns: 2_000 },
  );
});

test("a name with an apostrophe is escaped in HTML and plain in the text", () => {
  const { text, html } = mailOf({ name: "Cathal O'Brien" });
  expect(text).toMatch(/,\nCathal O'Brien$/);
  expect(html).toMatch(/<br>\nCathal O&#39;Brien<\/p>$/);
});
