import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { KEY, keyOf, typedValue, typedValues } from "../../../domain/leads/custom-field.ts";
import { type Cell, typedCell } from "../../../domain/leads/typed-cell.ts";
import type { FieldType } from "../../../domain/states.ts";

test.each([
  ["Head count", "headCount"],
  ["CRM ID", "crmId"],
  ["headCount", "headCount"],
  ["Größe (m²)", "grosseM2"],
  ["2nd phone", "field2ndPhone"],
  ["字", ""],
])("the custom field label %j gets the key %j", (label, key) => {
  expect(keyOf(label)).toBe(key);
});

test("a custom field key made from any label is valid or empty", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (label) => keyOf(label) === "" || KEY.test(keyOf(label))));
});

const options = ["Gold", "Free"];

test.each<[FieldType, unknown, boolean, unknown]>([
  ["TEXT", "x", false, "x"],
  ["TEXT", 5, false, undefined],
  ["TEXT", 5, true, "5"],
  ["NUMBER", 5.5, false, 5.5],
  ["NUMBER", "5.5", false, undefined],
  ["NUMBER", " 5.5", true, 5.5],
  ["NUMBER", "5,5", false, undefined],
  ["NUMBER", "5,5", true, 5.5],
  ["NUMBER", "1e400", true, undefined],
  ["DATE", "2026-05-01", false, "2026-05-01"],
  ["DATE", "2026-05-01T10:00:00+02:00", false, "2026-05-01T10:00:00+02:00"],
  ["DATE", "2026-02-30", true, undefined],
  ["DATE", "1 May 2026", true, "2026-05-01"],
  ["DATE", "1 May 2026", false, undefined],
  ["DATE", 46143, true, undefined],
  ["DATE", "2026-05-01T10:00:00", false, undefined],
  ["URL", "https://x.example/a?b=1", false, "https://x.example/a?b=1"],
  ["URL", "javascript:alert(1)", false, undefined],
  ["URL", "x.example", false, undefined],
  ["URL", "x.example", true, "https://x.example"],
  ["URL", "www.x.example/a b", true, undefined],
  ["URL", "n. a. yet", true, undefined],
  ["SELECT", "Gold", false, "Gold"],
  ["SELECT", "gold", false, undefined],
  ["SELECT", " gold", true, "Gold"],
  ["SELECT", "golden", true, undefined],
  ["NUMBER", null, false, null],
])("a %s field reads %j (from a file cell: %s) as %j", (type, value, isCell, expected) => {
  const field = { key: "k", type, options: type === "SELECT" ? options : null };
  const read = isCell ? typedCell(field, value as Cell, null) : typedValue(field, value);
  expect("value" in read ? read.value : undefined).toEqual(expected);
});

test("each invalid custom field value is reported with the path, and undeclared fields stay unchanged", () => {
  const fields = [{ key: "size", type: "NUMBER" as const, options: null }];
  const { values, issues } = typedValues(fields, { size: "big", other: { a: 1 } }, "customFields");
  expect(issues).toEqual([{ path: "customFields.size", code: "TYPE_MISMATCH", message: "must be a number, not text" }]);
  expect(values).toEqual({ size: "big", other: { a: 1 } });
});
