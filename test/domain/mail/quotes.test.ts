import { expect, test } from "@jest/globals";
import { isQuoting } from "../../../domain/mail/quotes.ts";

const OURS = "Hello Bob,\n\nwe build widgets that save your team an hour each day.\n\nBest regards\nAnn";
const quoting = (text: string, html: string | null = null) =>
  isQuoting({ text, html }, ["<0123456789abcdef@a.test>", "<1@a>"], OURS);

test("an email quotes us if the email contains one of our lines in any layout, or one of our Message-IDs", () => {
  expect(quoting("Yes.\n\n> we build widgets that save\n> your team an hour each day.")).toBe(true);
  expect(quoting("Yes.", '<a href="mid:0123456789abcdef@a.test">your mail</a>')).toBe(true);
});

test("an everyday greeting or an id that is too short does not make an email quote us", () => {
  expect(quoting("Hello Bob,\n\nwhere do I find the invoice? Write to 1@a.\n\nBest regards\nAnn")).toBe(false);
});
