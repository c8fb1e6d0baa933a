import { describe, expect, test } from "@jest/globals";
import { openTable } from "../../../domain/csv/table.ts";

/** The rows of a file, and the text that revealed how it writes quotes. */
async function read(text: string, size = 1_000): Promise<{ rows: string[][]; example: string | null }> {
  const bytes = Buffer.from(text);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const table = await openTable(pieces());
  const rows: string[][] = [];
  for await (const some of table.records) rows.push(...some.map(({ cells }) => cells));
  return { rows, example: table.escapedQuotes() };
}

describe("quotes that are escaped by backslashes", () => {
  test.each([
    ["in the midst of a cell", '"Acme \\"Best\\" GmbH"', 'Acme "Best" GmbH'],
    ["around a whole cell", '"\\"Acme, Ltd\\""', '"Acme, Ltd"'],
    ["at the end of a cell", '"Monitor 27\\""', 'Monitor 27"'],
    ["beside a delimiter", '"say \\"yes\\", \\"no\\""', 'say "yes", "no"'],
    ["beside escaped backslashes", '"\\"C:\\\\temp\\\\\\" and \\"D:\\\\"', '"C:\\temp\\" and "D:\\'],
    ["in a cell of two lines", '"one \\"two\nthree\\" four"', 'one "two\nthree" four'],
  ])("are read %s", async (_where, cell, expected) => {
    const text = `company,note\n${cell},"x, y"\nplain,z\n`;
    for (const size of [1_000, 3]) {
      const { rows, example } = await read(text, size);
      expect(rows).toEqual([
        ["company", "note"],
        [expected, "x, y"],
        ["plain", "z"],
      ]);
      expect(example).not.toBeNull();
    }
  });

  test("are read in all cells of the file once one of them shows it, and in cells without quotes too", async () => {
    const { rows, example } = await read('a,b\n"5\\"",6\\" pipe\n"say \\"hi\\"",x\n');
    expect(rows.slice(1)).toEqual([
      ['5"', '6" pipe'],
      ['say "hi"', "x"],
    ]);
    expect(example).toBe('"5\\"",6\\" pipe');
  });

  test("are found far behind the first chunk of a file, within a cell or across two chunks", async () => {
    const far = `${'"x ""y"" z",1\n'.repeat(20_000)}`;
    for (const cell of ['"Acme \\"Best\\" GmbH"', `"${"long ".repeat(4_000)}\\"Best\\" GmbH"`]) {
      const { rows, example } = await read(`a,b\n${far}${cell},2\n"C:\\\\",3\n`, 16_384);
      expect(rows).toHaveLength(20_003);
      expect(rows.at(-2)?.[0]).toMatch(/"Best" GmbH$/);
      expect(rows.at(-1)).toEqual(["C:\\", "3"]);
      expect(rows[1]).toEqual(['x "y" z', "1"]);
      expect(example).toContain('\\"Best\\"');
    }
  });
});

test("a backslash before a quote is also recognised as an escape in a cell without quotes", async () => {
  const { rows, example } = await read('a,b\nx,5\\" pipe\n"y, z",6" pipe\n');
  expect({ rows: rows.slice(1), isKnown: example !== null }).toEqual({
    rows: [
      ["x", '5" pipe'],
      ["y, z", '6" pipe'],
    ],
    isKnown: true,
  });
});

describe("a file that follows RFC 4180 is read without a warning", () => {
  test.each([
    ["a path that ends with a backslash", '"C:\\temp\\","D:\\"', ["C:\\temp\\", "D:\\"]],
    ["such a path at the end of a line", 'x,"C:\\temp\\"', ["x", "C:\\temp\\"]],
    ["a quoted path in a text", '"say ""C:\\temp\\"" now",x', ['say "C:\\temp\\" now', "x"]],
    ["a quoted path alone", '"""C:\\""","""D:\\"""', ['"C:\\"', '"D:\\"']],
    ["a backslash before a doubled quote", '"5\\"" pipe",x', ['5\\" pipe', "x"]],
    ["two backslashes", '"\\\\server\\share\\\\","a\\\\b"', ["\\\\server\\share\\\\", "a\\\\b"]],
    ["a path without quotes", "C:\\temp\\,x", ["C:\\temp\\", "x"]],
  ])("%s", async (_what, row, expected) => {
    for (const size of [1_000, 3]) {
      const { rows, example } = await read(`a,b\r\n${row}\r\n${row}\r\n"p ""q""",r\r\n`, size);
      expect({ rows: rows.slice(1), example }).toEqual({ rows: [expected, expected, ['p "q"', "r"]], example: null });
    }
  });
});
