import { expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { cellOf, linesOf, textOfCell } from "../../../domain/leads/csv-cell.ts";

/** Texts in which characters that mean something to a spreadsheet appear more often than others. */
const hostile = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."'=+-@\t\r\n＝＋－＠,;\"19 a") }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("-5", "+5.25", "+442079460000", "'-5", "''=1", "-1e5", "'", "''"),
);

test.each([
  ["=1+1", "'=1+1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ["\rx", "'\rx"],
  ["\nx", "'\nx"],
  ["＝1", "'＝1"],
  ["－x", "'－x"],
  ["-2+3", "'-2+3"],
  ["-1e5", "'-1e5"],
  ["+44 20", "'+44 20"],
  ["'=1", "''=1"],
  ["'''@x", "''''@x"],
  ["'-5", "''-5"],
  ["-5", "-5"],
  ["+5.25", "+5.25"],
  ["+442079460000", "+442079460000"],
  ["'quoted'", "'quoted'"],
  ["''", "''"],
  ["a=1", "a=1"],
])("the text %j becomes the cell %j, and is read as the same text again", (text, cell) => {
  expect([cellOf(text), textOfCell(cell)]).toEqual([cell, text]);
});

test("a cell that begins like a formula, a number or a phone number, without our quote, is read unchanged", () => {
  for (const cell of ["=1+1", "-5", "+442079460000", "@x", "'x", "''x"]) expect(textOfCell(cell)).toBe(cell);
});

test("no cell begins like a formula, whatever quotes precede it, and each is read as the text it was", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const cell = cellOf(text);
      const isPlain = /^[+-]?\d{1,15}(?:\.\d{1,15})?$|^\+[1-9]\d{1,14}$/.test(text);
      if (!isPlain) expect(cell).toMatch(/^(?![=+\-@\t\r\n＝＋－＠])/u);
      expect([text, `'${text}`]).toContain(cell);
      expect(textOfCell(cell)).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test("a text with a quote or a character that ends a cell or record for some reader is put into quotes, in a header too", () => {
  for (const text of ["a,b", "a;b", "a\tb", 'a"b', "a\rb", "a\nb", "a\r\nb"]) {
    expect(linesOf([[text, "x"]])).toBe(`"${text.replaceAll('"', '""')}",x\r\n`);
  }
  expect(linesOf([["=a", "plain text"]])).toBe("'=a,plain text\r\n");
});

test("a reader that ends records at CR, LF or both finds exactly the records that were written", () => {
  const row = fc.array(hostile, { minLength: 2, maxLength: 2 });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      const read: string[][] = parse(linesOf(rows), { record_delimiter: ["\r\n", "\n", "\r"], skip_empty_lines: false });
      expect(read.map((cells) => cells.map(textOfCell))).toEqual(rows);
    }),
    { numRuns: 500 },
  );
});
