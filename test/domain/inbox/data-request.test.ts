import { expect, test } from "@jest/globals";
import { dataRequestIn, type KnownAddress, sourceAnswer } from "../../../domain/inbox/data-request.ts";

const known: KnownAddress = {
  email: "ada@engines.test",
  firstName: "Ada",
  createdAt: new Date("2026-03-03T10:00:00Z"),
  createdFrom: {
    kind: "IMPORT",
    at: new Date("2026-03-03T10:00:00Z"),
    actor: { kind: "CONSOLE", id: "usr_1" },
    name: "contacts.csv",
    id: null,
  },
  source: "CSV",
};

test("the answer states the recorded source, in the greeting of the lead and with the name of the mailbox", () => {
  expect(sourceAnswer(known, "Nora", "UTC")).toBe(
    "Hello Ada,\n\nWe have your address ada@engines.test from an import of contacts.csv on 3 March 2026.\n\nKind regards\nNora",
  );
});

test("the answer says so when no source is recorded", () => {
  const answer = sourceAnswer({ ...known, firstName: " ", createdFrom: null }, null, "UTC");
  expect(answer).toBe(
    "Hello,\n\nWe have had your address ada@engines.test since 3 March 2026. Our records do not say where it came from.\n\nKind regards",
  );
});

test("the answer repeats the source that a caller named, on one line, and none of our own words for it", () => {
  const answer = (source: string | null) => sourceAnswer({ ...known, source }, null, "UTC");
  expect(answer("Webinar\r\nMay 2026")).toContain("\n\nOur records name this source: Webinar May 2026\n\n");
  for (const word of ["API", "CRM_HUBSPOT", "PROVIDERA_SHEETS", "LEAD_SEARCH", null])
    expect(answer(word)).not.toContain("name this source");
});

test.each([
  ["Where did you get my address from? I know nobody at your company.", ["Where did you get my address from?"]],
  ["Hallo, woher haben Sie meine Adresse? Gruß", ["Hallo, woher haben Sie meine Adresse?"]],
  ["Please tell me the price.", []],
])("of %j the sentences %j ask about data", (words, sentences) => {
  expect(dataRequestIn({ words, subject: "Re: Widgets" })).toEqual(sentences);
});
