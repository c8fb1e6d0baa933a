import { expect, test } from "@jest/globals";
import { ERASED_TEXT, redactorOf } from "../../domain/redaction.ts";

const { text, deep, names } = redactorOf({
  addresses: ["ada.b+x@people.test"],
  names: ["Ada Lovelace", "Zoë Ångström"],
});

test.each([
  ["an address in any case", "to ADA.B+x@People.test!", `to ${ERASED_TEXT}!`],
  ["an address in a link", "https://x.test/?e=ada.b%2Bx%40people.test&a=1", `https://x.test/?e=${ERASED_TEXT}&a=1`],
  ["an address in brackets", "Ada Lovelace <ada.b+x@people.test>", `${ERASED_TEXT} <${ERASED_TEXT}>`],
  ["a name over two lines", "Dear Ada\n Lovelace,", `Dear ${ERASED_TEXT},`],
  ["a name with accents", "zoë ångström", ERASED_TEXT],
])("%s is replaced", (_, before, after) => {
  expect(text(before)).toBe(after);
  expect(names(before)).toBe(true);
});

test.each([
  "xada.b+x@people.test",
  "ada.b+x@people.test.example",
  "ada.b+x@people.testing",
  "Ada Smith and Jim Lovelace",
  "Granada Lovelace",
  "Ada Lovelaces",
])("%s is someone else and stays", (other) => {
  expect(text(other)).toBe(other);
  expect(names(other)).toBe(false);
});

test("each text inside a value is replaced, and dates and bytes stay the same", () => {
  const at = new Date(0);
  const bytes = Buffer.from("Ada Lovelace");
  expect(deep({ at, bytes, list: [{ note: "Ada Lovelace" }, 3, null] })).toEqual({
    at,
    bytes,
    list: [{ note: ERASED_TEXT }, 3, null],
  });
});

test("a person without a name or address replaces nothing", () => {
  expect(redactorOf({ addresses: [], names: [] }).text("Ada Lovelace")).toBe("Ada Lovelace");
});
