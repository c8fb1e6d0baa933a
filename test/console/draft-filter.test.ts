import { expect, test } from "@jest/globals";
import {
  type CustomField,
  draftOf,
  type FieldRow,
  isComplete,
  newRow,
  operatorsFor,
  rulesOf,
  shapeOf,
  withOperator,
} from "../../console/pages/lists/draft-filter.ts";
import { readFilterRules } from "../../domain/leads/segment.ts";
import { FIELDS, fieldOf } from "../../domain/leads/segment-fields.ts";
import { FIELD_TYPES } from "../../domain/states.ts";
import { FILTER_EXAMPLES } from "../../operations/sequences/filter-reference.ts";

const CUSTOM: CustomField[] = FIELD_TYPES.map((type) => ({
  key: type.toLowerCase(),
  label: type,
  type,
  options: type === "SELECT" ? ["a", "b"] : null,
  archived: false,
}));
const NAMES = [
  ...FIELDS.map(({ name }) => name),
  ...CUSTOM.map(({ key }) => `customFields.${key}`),
  "customFields.own",
];

/** The row, with a value that a person could enter. */
function filled(row: FieldRow): FieldRow {
  const { entry, count } = shapeOf(row, CUSTOM);
  const known = fieldOf(row.field);
  const word = known?.kind === "WORD" ? (known.words[0] ?? "") : "a";
  const value = { TEXT: "a", NUMBER: "7", DATE: "2026-11-24", DAYS: "30", FLAG: "true", CHOICE: word }[entry];
  return { ...row, values: { NONE: [], ONE: [value], TWO: [value, value], MANY: [value] }[count] };
}

const groupOf = (rule: FieldRow) => ({ id: 0, kind: "GROUP" as const, combinator: "AND" as const, rules: [rule] });

test.each(NAMES)(
  "each operator that the filter builder offers for %s is accepted by the service and read again",
  (name) => {
    const operators = operatorsFor(name, CUSTOM);
    expect(operators.length).toBeGreaterThan(2);
    for (const operator of operators) {
      const row = filled(withOperator(newRow(name, CUSTOM), operator, CUSTOM));
      expect([operator, isComplete(row, CUSTOM)]).toEqual([operator, true]);
      const rules = rulesOf(groupOf(row), CUSTOM);
      expect(readFilterRules(rules).rules).toHaveLength(1);
      const again = draftOf(rules, CUSTOM);
      expect(again.rules).toMatchObject([{ kind: "FIELD", field: name, operator, values: row.values }]);
      expect(rulesOf(again, CUSTOM)).toEqual(rules);
    }
  },
);

test("a stored filter keeps its meaning, whatever the builder cannot show of it", () => {
  const odd = [
    { field: "customFields.own", operator: "EQ", value: true },
    { field: "customFields.own", operator: "GT", value: 5 },
    { field: "customFields.number", operator: "EQ", value: "seven" },
    { field: "createdAt", operator: "AFTER", value: "2026-11-24T10:00:00+01:00" },
    { event: "SENT", operator: "PERFORMED", withinDays: null, minCount: 1, negate: false },
    { combinator: "OR", rules: [{ combinator: "AND", rules: [{ field: "tags", operator: "IS_SET" }] }] },
  ];
  const stored: object[] = [...FILTER_EXAMPLES.map(([, rules]) => rules), { version: 1, rules: odd }, { tags: "fair" }];
  for (const rules of stored) {
    const before = readFilterRules(rules);
    expect(readFilterRules(rulesOf(draftOf({ ...rules }, CUSTOM), CUSTOM))).toEqual(before);
  }
  expect(draftOf({ rules: odd }, CUSTOM).rules.map(({ kind }) => kind)).toEqual([
    "RAW",
    "RAW",
    "RAW",
    "FIELD",
    "EVENT",
    "GROUP",
  ]);
});

test("a condition without its value, or a group without conditions, is incomplete", () => {
  const row = newRow("company", CUSTOM);
  expect(isComplete(groupOf(row), CUSTOM)).toBe(false);
  expect(isComplete(groupOf({ ...row, values: [" "] }), CUSTOM)).toBe(false);
  expect(isComplete(groupOf({ ...row, values: ["a"] }), CUSTOM)).toBe(true);
  expect(isComplete({ ...groupOf(row), rules: [] }, CUSTOM)).toBe(true);
  expect(isComplete({ ...groupOf(row), rules: [{ ...groupOf(row), rules: [] }] }, CUSTOM)).toBe(false);
});
