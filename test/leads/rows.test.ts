import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { IMPORT, readJson } from "../../api/json.ts";
import { readRows } from "../../api/rows.ts";
import { isRows, pagesOf, type Rows } from "../../operations/leads/import-rows.ts";

/** The result of reading a body: its value, with the rows read in pages of this size, or the code of its refusal. */
function came(text: string, size: number): unknown {
  try {
    const body = readRows(Buffer.from(text), IMPORT);
    if (typeof body !== "object" || body === null || !("rows" in body) || !isRows(body.rows)) return body;
    return { ...body, rows: itemsOf(body.rows, size) };
  } catch (error) {
    return codeOf(error);
  }
}

function itemsOf(rows: Rows, size: number): unknown[] {
  const items: unknown[] = [];
  for (let start = 0; start < rows.length || start === 0; start += size) {
    const page = rows.page(start, size);
    expect(JSON.parse(rows.json(start, size))).toEqual(page);
    items.push(...page);
  }
  expect(items).toHaveLength(rows.length);
  return items;
}

function whole(text: string): unknown {
  try {
    return readJson(Buffer.from(text), IMPORT);
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : error;
}

const cell = fc.oneof(
  fc.string(),
  fc.constantFrom('","', "]", "[", "\\", '"', "rows", "\u2028", "名"),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string()),
);
const row = fc.dictionary(
  fc.string().filter((key) => key !== "__proto__"),
  cell,
  { maxKeys: 4 },
);
const space = fc.constantFrom("", " ", "\n\t");

test("a body whose rows are kept as bytes gives the same values as parsing the whole body", () => {
  const body = fc.record({ before: cell, rows: fc.array(row, { maxLength: 9 }), after: fc.oneof(cell, row) });
  fc.assert(
    fc.property(body, space, fc.integer({ min: 1, max: 4 }), ({ before, rows, after }, gap, size) => {
      const items = rows.map((one) => JSON.stringify(one)).join(`${gap},${gap}`);
      const text = `{"before":${JSON.stringify(before)},${gap}"rows"${gap}:${gap}[${gap}${items}${gap}],"after":${JSON.stringify(after)}}`;
      expect(came(text, size)).toEqual(whole(text));
    }),
  );
});

test("a cut or changed body is refused exactly when parsing the whole body fails, and otherwise gives the same values", () => {
  const good = '{"action":"commit","rows":[{"a":"x,]"},{"a":[1,{"rows":[2]}]},{}],"rowz":{"rows":[3]}}';
  const edit = fc.record({
    at: fc.nat(good.length),
    drop: fc.nat(3),
    put: fc.constantFrom("", ",", "]", "[", "{", "}", '"', "\\", " ", '"rows":[1],', "0"),
  });
  fc.assert(
    fc.property(edit, fc.integer({ min: 1, max: 4 }), ({ at, drop, put }, size) => {
      const text = good.slice(0, at) + put + good.slice(at + drop);
      expect(came(text, size)).toEqual(whole(text));
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['{"rows":[{"a":1},]}', "MALFORMED_JSON"],
  ['{"rows":[,{"a":1}]}', "MALFORMED_JSON"],
  ['{"rows":[{"a":1}{"a":2}]}', "MALFORMED_JSON"],
  ['{"rows":[{"a":1},,{"a":2}]}', "MALFORMED_JSON"],
  ['{"rows":[{"a":1}', "MALFORMED_JSON"],
  ['{"rows":[{"__proto__":1}]}', "VALIDATION_FAILED"],
  ['{"rows":[{"a":"\\u0000"}]}', "VALIDATION_FAILED"],
  ['{"rows":[{"a":"\\ud800"}]}', "VALIDATION_FAILED"],
  ['{"rows":[{"a":9007199254740993}]}', "VALIDATION_FAILED"],
])("%s is refused with %s", (text, code) => {
  for (const size of [1, 2, 1_000]) expect(came(text, size)).toBe(code);
});

test.each([
  '{"rows":[1],"rows":[2,3]}',
  '{"ro\\u0077s":[1],"rows":[2]}',
  '{"rows":[2],"ro\\u0077s":[1]}',
  '{"rows":[],"rows":7}',
  '{"rows":{"rows":[1]}}',
  '[{"rows":[1]}]',
])("repeated or nested names of rows are read as JSON.parse reads them: %s", (text) => {
  expect(came(text, 1)).toEqual(whole(text));
});

test("more rows than an import takes are refused before any is read", () => {
  expect(came(`{"rows":[${"1,".repeat(50_000)}1]}`, 1)).toBe("VALIDATION_FAILED");
  expect(came(`{"rows":[${"1,".repeat(49_999)}1]}`, 10_000)).toMatchObject({ rows: { length: 50_000 } });
});

test("the first row that is not an object is named by its position", () => {
  const body = readRows(Buffer.from(`{"rows":[${"{},".repeat(1_500)}7]}`), IMPORT);
  if (typeof body !== "object" || body === null || !("rows" in body) || !isRows(body.rows)) throw new Error("no rows");
  const { rows } = body;
  expect(() => [...pagesOf(rows)]).toThrow(
    expect.objectContaining({ details: { issues: [expect.objectContaining({ path: "rows.1500" })] } }),
  );
});

test("two bodies have the same digest exactly when their rows are the same", () => {
  const digest = (text: string) => JSON.stringify(readRows(Buffer.from(text), IMPORT));
  expect(digest('{"rows":[{"a":1}]}')).toBe(digest('{"rows":[{"a":1}]}'));
  expect(digest('{"rows":[{"a":1}]}')).not.toBe(digest('{"rows":[{"a":2}]}'));
});
