import { expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { cellOf, isEmptyCell, readCell, textOfCell } from "../../../domain/values/cell.ts";
import { linesOf } from "../../../domain/values/csv-lines.ts";
import { numberIn } from "../../../domain/values/number.ts";

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
])("the text %j is exported as the cell %j and read back unchanged", (text, cell) => {
  expect([cellOf(text), textOfCell(cell)]).toEqual([cell, text]);
});

test("a cell that starts like a formula, a number or a phone number is read unchanged unless the export added a quote", () => {
  for (const cell of ["=1+1", "-5", "+442079460000", "@x", "'x", "''x"]) expect(textOfCell(cell)).toBe(cell);
});

test("no exported cell starts like a formula, and each cell is read back as the original text", () => {
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

test("an exported text with a quote, a separator or a line break is put into quotes, also in a header", () => {
  for (const text of ["a,b", "a;b", "a\tb", 'a"b', "a\rb", "a\nb", "a\r\nb"]) {
    expect(linesOf([[text, "x"]])).toBe(`"${text.replaceAll('"', '""')}",x\r\n`);
  }
  expect(linesOf([["=a", "plain text"]])).toBe("'=a,plain text\r\n");
});

test("a CSV reader that ends rows at CR, LF or both reads exactly the rows that were written", () => {
  const row = fc.array(hostile, { minLength: 2, maxLength: 2 });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
      const read: string[][] = parse(linesOf(rows), {
        record_delimiter: ["\r\n", "\n", "\r"],
        skip_empty_lines: false,
      });
      expect(read.map((cells) => cells.map(textOfCell))).toEqual(rows);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['="01067"', "01067"],
  ['= "01067" ', "01067"],
  [" =1+1", " =1+1"],
  ['=T("01067")', "01067"],
  ['=trim("a ""b""")', 'a "b"'],
  ['="=1+1"', "=1+1"],
  ['=HYPERLINK("mailto:ada@x.example","ada@x.example")', "ada@x.example"],
  ['=HYPERLINK("https://x.example")', "https://x.example"],
  ["'01067", "01067"],
  ["''01067", "'01067"],
  ["'0351 / 12-34", "0351 / 12-34"],
  ["'tis", "'tis"],
  ["=> later", "=> later"],
  ["=)", "=)"],
  ["#1 in Dresden", "#1 in Dresden"],
  ["12E4", "12E4"],
  ["4E5", "4E5"],
  ["+442079460000", "+442079460000"],
  ["@ada", "@ada"],
])("the spreadsheet cell %j is read as the text %j", (cell, text) => {
  expect(readCell(cell, false)).toEqual({ text });
});

test.each([
  ["=SUM(A1:A9)", "FORMULA"],
  ["=A1", "FORMULA"],
  ["=1+1", "FORMULA"],
  ['="a"&"b"', "FORMULA"],
  ["=-5", "FORMULA"],
  ["########", "DIGITS_LOST"],
  ["4.92E+11", "DIGITS_LOST"],
  ["4,92E+11", "DIGITS_LOST"],
  ["4.930123456E9", "DIGITS_LOST"],
  ["4E+11", "DIGITS_LOST"],
  ["-1.5e-7", "DIGITS_LOST"],
])("the spreadsheet cell %j is not read, with the reason %s", (cell, code) => {
  expect(readCell(cell, false)).toEqual({ code });
});

test("a number in scientific notation is accepted where a number is expected", () => {
  expect(readCell("4,92E+11", true)).toEqual({ text: "4,92E+11" });
  expect(["4,92E+11", "1.5E+3", "-2e-2", "1E999"].map(numberIn)).toEqual([492_000_000_000, 1_500, -0.02, null]);
});

test.each(["4.92E+11", "########", "'01067", "=1+1", '="x"', "\u200b", "#BEZUG!"])(
  "the text %j survives an export and an import",
  (text) => {
    expect(readCell(cellOf(text), false)).toEqual({ text });
    expect(isEmptyCell(cellOf(text))).toBe(false);
  },
);

test.each(["\u200b", "\u00a0\ufeff", "#BEZUG!", "#NV", "#¿NOMBRE?", "Err:502"])(
  "the cell %j counts as empty",
  (cell) => {
    expect(isEmptyCell(cell)).toBe(true);
  },
);
