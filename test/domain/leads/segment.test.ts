import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { AppError } from "../../../domain/errors.ts";
import { matchesLead, readFilterRules } from "../../../domain/leads/segment.ts";
import type { LeadFacts } from "../../../domain/leads/segment-match.ts";
import { facetsOf, sortable } from "../../../domain/leads/segment-values.ts";

const NOW = new Date("2026-06-15T12:00:00Z");

const ada: LeadFacts = {
  _id: "led_01J",
  email: "ada@x.example",
  firstName: "Ada",
  lastName: null,
  company: "Büro (GmbH) + Co. Σίσυφος",
  tags: ["SaaS", "vip"],
  listIds: ["lst_1"],
  status: "CONTACTED",
  suppressed: false,
  lastContactedAt: new Date("2026-06-10T12:00:00Z"),
  lastRepliedAt: null,
  customFields: {
    headcount: 50,
    revenue: "1200.5",
    renewal: "2026-05-01",
    open: true,
    Note: "A\nb",
    plan: null,
    roles: ["CTO", "Founder"],
  },
};

function rule(field: string, operator: string, value?: unknown): unknown {
  return { combinator: "AND", rules: [{ field, operator, ...(value !== undefined && { value }) }] };
}

function holds(rules: unknown): boolean {
  return matchesLead(readFilterRules(rules), ada, NOW);
}

test.each([
  ["company", "EQ", "BÜRO (gmbh) + CO. ΣΊΣΥΦΟΣ", true],
  ["company", "EQ", "büro", false],
  ["company", "NEQ", "büro", true],
  ["lastName", "NEQ", "lovelace", true],
  ["lastName", "NOT_IN", ["lovelace"], true],
  ["lastName", "NOT_CONTAINS", "love", true],
  ["lastName", "EQ", "", false],
  ["firstName", "IN", ["grace", "ADA"], true],
  ["company", "CONTAINS", "(GMBH)", true],
  ["company", "CONTAINS", ".*", false],
  ["company", "CONTAINS", "^b", false],
  ["company", "STARTS_WITH", "bÜr", true],
  ["company", "ENDS_WITH", "σίσυφος", true],
  ["company", "ENDS_WITH", "σίσυφοσ", true],
  ["email", "ENDS_WITH", "@X.example", true],
  ["status", "EQ", "contacted", true],
  ["status", "IN", ["WON", "LOST"], false],
  ["status", "STARTS_WITH", "con", true],
  ["suppressed", "EQ", false, true],
  ["suppressed", "NEQ", true, true],
  ["tags", "CONTAINS_ANY", ["x", "SaaS"], true],
  ["tags", "CONTAINS_ALL", ["SaaS", "vip"], true],
  ["tags", "CONTAINS_ALL", ["SaaS", "x"], false],
  ["tags", "NOT_IN", ["x", "y"], true],
  ["tags", "NOT_IN", ["vip", "y"], false],
  ["listIds", "CONTAINS_ANY", ["lst_1"], true],
  ["lastContactedAt", "WITHIN_LAST_DAYS", 5, true],
  ["lastContactedAt", "WITHIN_LAST_DAYS", 4, false],
  ["lastContactedAt", "BEFORE", "2026-06-10T14:00:00.001+02:00", true],
  ["lastContactedAt", "AFTER", "2026-06-10", true],
  ["lastContactedAt", "AFTER", "2026-06-10T12:00:00Z", false],
  ["lastContactedAt", "BETWEEN", ["2026-06-10T12:00:00Z", "2026-06-11"], true],
  ["lastRepliedAt", "BEFORE", "2030-01-01", false],
  ["lastRepliedAt", "IS_NOT_SET", undefined, true],
  ["firstName", "IS_SET", undefined, true],
  ["customFields.plan", "IS_SET", undefined, false],
  ["customFields.absent", "IS_NOT_SET", undefined, true],
  ["customFields.headcount", "GTE", 50, true],
  ["customFields.headcount", "GT", 50, false],
  ["customFields.headcount", "BETWEEN", [50, 51], true],
  ["customFields.headcount", "EQ", "50", true],
  ["customFields.headcount", "NOT_IN", [50], false],
  ["customFields.absent", "LT", 5, false],
  ["customFields.absent", "NEQ", 5, true],
  ["customFields.revenue", "LT", 1_201, true],
  ["customFields.revenue", "EQ", 1_200.5, true],
  ["customFields.renewal", "BEFORE", "2026-05-02", true],
  ["customFields.renewal", "WITHIN_LAST_DAYS", 90, true],
  ["customFields.renewal", "BETWEEN", ["2026-05-01", "2026-05-01"], true],
  ["customFields.open", "EQ", true, true],
  ["customFields.open", "NEQ", true, false],
  ["customFields.Note", "CONTAINS", "a\nB", true],
  ["customFields.note", "CONTAINS", "a", false],
  ["customFields.roles", "EQ", "cto", true],
])("the rule %s %s %j matches: %s", (field, operator, value, expected) => {
  expect(holds(rule(field, operator, value))).toBe(expected);
});

test.each([
  [{}, true],
  [{ status: "CONTACTED", tags: ["vip", "x"], firstName: ["Ada", "Bob"] }, true],
  [{ tags: "vip" }, true],
  [{ "customFields.headcount": 50 }, true],
  [{ "customFields.headcount": [49, 50] }, true],
  [{ firstName: "Bob" }, false],
  [{ version: 1, combinator: "OR", rules: [] }, true],
  [
    {
      rules: [
        {
          combinator: "OR",
          rules: [
            { field: "firstName", operator: "EQ", value: "x" },
            { field: "tags", operator: "IS_SET" },
          ],
        },
      ],
    },
    true,
  ],
])("the rules %j match: %s", (rules, expected) => {
  expect(holds(rules)).toBe(expected);
});

test.each([
  ["", "BAD_VALUE", null],
  ["", "BAD_VALUE", []],
  ["colour", "UNKNOWN_FIELD", { colour: "red" }],
  ["$where", "UNKNOWN_FIELD", { $where: "1" }],
  ["__proto__", "UNKNOWN_FIELD", JSON.parse('{"__proto__": {"rules": []}}')],
  ["constructor", "UNKNOWN_FIELD", { constructor: "x" }],
  ["customFields.__proto__", "UNKNOWN_FIELD", { "customFields.__proto__": "x" }],
  ["customFields.$ne", "UNKNOWN_FIELD", { "customFields.$ne": "x" }],
  ["customFields.a.b", "UNKNOWN_FIELD", { "customFields.a.b": "x" }],
  ["workspaceId", "UNKNOWN_FIELD", { workspaceId: "wsp_1" }],
  ["facets", "UNKNOWN_FIELD", { facets: "x" }],
  ["firstName", "BAD_VALUE", { firstName: { $ne: null } }],
  ["firstName", "BAD_VALUE", { firstName: [{ $gt: "" }] }],
  ["firstName", "BAD_VALUE", { firstName: null }],
  ["rules.0.value", "BAD_VALUE", rule("firstName", "EQ", { $regex: ".*" })],
  ["rules.0.operator", "BAD_OPERATOR", rule("firstName", "$regex", "x")],
  ["rules.0.operator", "BAD_OPERATOR", rule("firstName", "eq", "x")],
  ["rules.0.operator", "BAD_OPERATOR", rule("firstName", "GT", "x")],
  ["rules.0.operator", "BAD_OPERATOR", rule("createdAt", "EQ", "2026-01-01")],
  ["rules.0.operator", "BAD_OPERATOR", rule("tags", "EQ", "x")],
  ["rules.0.field", "UNKNOWN_FIELD", rule("Firstname", "EQ", "x")],
  ["rules.0.value", "BAD_VALUE", rule("status", "EQ", "NOPE")],
  ["rules.0.value", "BAD_VALUE", rule("suppressed", "EQ", "true")],
  ["rules.0.value", "BAD_VALUE", rule("createdAt", "AFTER", "2026-02-30")],
  ["rules.0.value", "BAD_VALUE", rule("createdAt", "AFTER", "2026-02-03T10:00:00")],
  ["rules.0.value", "BAD_VALUE", rule("createdAt", "BETWEEN", ["2026-02-03", "2026-02-02"])],
  ["rules.0.value", "BAD_VALUE", rule("createdAt", "WITHIN_LAST_DAYS", 0)],
  ["rules.0.value", "BAD_VALUE", rule("customFields.n", "BETWEEN", [2, 1])],
  ["rules.0.value", "BAD_VALUE", rule("customFields.n", "GT", "x")],
  ["rules.0.value", "BAD_VALUE", rule("customFields.n", "CONTAINS", 5)],
  ["rules.0.value", "BAD_VALUE", rule("firstName", "STARTS_WITH", "")],
  ["rules.0.value", "BAD_VALUE", rule("firstName", "IN", [])],
  [
    "rules.0.value",
    "BAD_VALUE",
    rule(
      "firstName",
      "IN",
      Array.from({ length: 1_001 }, () => "x"),
    ),
  ],
  ["rules.0.value", "BAD_VALUE", rule("firstName", "IS_SET", "x")],
  ["rules.0.extra", "UNKNOWN_FIELD", { rules: [{ field: "firstName", operator: "IS_SET", extra: 1 }] }],
  ["extra", "UNKNOWN_FIELD", { rules: [], extra: 1 }],
  ["version", "BAD_VALUE", { version: 2, rules: [] }],
  ["combinator", "BAD_VALUE", { combinator: "and", rules: [] }],
  ["rules", "BAD_VALUE", { combinator: "AND", rules: {} }],
  ["rules.0", "BAD_VALUE", { rules: ["x"] }],
  ["rules.0.rules", "BAD_VALUE", { rules: [{ combinator: "OR", rules: [] }] }],
  ["rules.0.operator", "BAD_OPERATOR", { rules: [{ event: "OPEN", operator: "EQ" }] }],
  ["rules.0.event", "BAD_VALUE", { rules: [{ event: "open", operator: "PERFORMED" }] }],
  ["rules.0.withinDays", "BAD_VALUE", { rules: [{ event: "OPEN", operator: "PERFORMED", withinDays: 1.5 }] }],
  ["rules.0.minCount", "BAD_VALUE", { rules: [{ event: "OPEN", operator: "PERFORMED", minCount: 0 }] }],
  ["rules.0.campaignId", "BAD_VALUE", { rules: [{ event: "OPEN", operator: "PERFORMED", campaignId: { $ne: 1 } }] }],
  ["rules.0.negate", "BAD_VALUE", { rules: [{ event: "OPEN", operator: "PERFORMED", negate: "no" }] }],
])("a fault is reported at %j: %s of %j", (path, code, rules) => {
  expect(issuesOf(rules)).toEqual(expect.arrayContaining([expect.objectContaining({ path, code })]));
});

function issuesOf(rules: unknown, options: Parameters<typeof readFilterRules>[1] = {}): unknown {
  try {
    readFilterRules(rules, options);
  } catch (error) {
    if (error instanceof AppError && error.code === "FILTER_INVALID") return error.details?.["issues"];
    throw error;
  }
  return null;
}

function nested(depth: number): unknown {
  const leaf = { field: "firstName", operator: "IS_SET" };
  let group: unknown = leaf;
  for (let level = 0; level < depth; level++) group = { combinator: "AND", rules: [group] };
  return group;
}

test("groups may be nested five deep, but not six", () => {
  expect(issuesOf(nested(5))).toBeNull();
  expect(issuesOf(nested(6))).toMatchObject([{ path: "rules.0.rules.0.rules.0.rules.0.rules.0", code: "BAD_VALUE" }]);
  expect(issuesOf(nested(1_000))).toHaveLength(1);
});

test("a hundred rules in total are accepted, and the next one is refused with its path", () => {
  const rules = Array.from({ length: 50 }, () => ({ field: "firstName", operator: "IS_SET" }));
  expect(issuesOf({ rules: [...rules, { combinator: "OR", rules }] })).toBeNull();
  expect(issuesOf({ rules: [{ combinator: "OR", rules }, ...rules, ...rules] })).toMatchObject([
    { path: "rules.51.field", code: "BAD_VALUE" },
  ]);
});

test("a rule accepts a thousand values and no more", () => {
  const values = Array.from({ length: 1_000 }, () => "x");
  expect(issuesOf({ firstName: values })).toBeNull();
  expect(issuesOf({ firstName: [...values, "x"] })).toMatchObject([{ path: "firstName", code: "BAD_VALUE" }]);
});

test("a fault's path starts at the place of the rules in the request, and a sequence refuses event rules", () => {
  expect(issuesOf({ rules: [{ field: "x", operator: "EQ" }] }, { at: "input.filterRules" })).toMatchObject([
    { path: "input.filterRules.rules.0.field" },
  ]);
  expect(issuesOf({ rules: [{ event: "OPEN", operator: "PERFORMED" }] }, { fieldsOnly: true })).toMatchObject([
    { path: "rules.0.event" },
  ]);
  expect(readFilterRules({ rules: [{ event: "OPEN", operator: "PERFORMED" }] }).rules).toEqual([
    { kind: "EVENT", event: "OPEN", withinDays: null, campaignId: null, minCount: 1, negate: false },
  ]);
});

test("any value given as rules is either accepted or refused with the paths of its faults", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        fc.object({ key: fc.constantFrom("rules", "field", "operator", "value", "event", "$ne", "combinator") }),
      ),
      (value) => {
        const issues = issuesOf(value);
        if (issues !== null)
          expect(issues).toEqual(expect.arrayContaining([expect.objectContaining({ path: expect.any(String) })]));
      },
    ),
  );
});

test("a rule and its negation divide the leads in two", () => {
  const pairs = [
    ["EQ", "NEQ"],
    ["CONTAINS", "NOT_CONTAINS"],
  ] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...pairs),
      fc.string({ minLength: 1, maxLength: 3 }),
      fc.option(fc.string()),
      ([one, other], text, company) => {
        const lead: LeadFacts = { company };
        const [is, isNot] = [one, other].map((operator) =>
          matchesLead(readFilterRules(rule("company", operator, text)), lead, NOW),
        );
        expect(is).toBe(!isNot);
      },
    ),
  );
});

test("the sortable form of numbers orders them as their values do", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (one, other) => {
      const [first, second] = [sortable(one), sortable(other)];
      expect(Math.sign(one - other) || 0).toBe(first < second ? -1 : first > second ? 1 : 0);
    }),
  );
});

test("the facets of a lead are its texts and custom fields, with case folded", () => {
  const facets = facetsOf({
    firstName: "ADA",
    company: null,
    customFields: { n: 1, yes: true, o: { a: 1 }, none: null, many: ["A", "a"] },
  });
  expect(facets).toEqual([
    "firstName\0tada",
    "customFields.n\0nbff0000000000000",
    "customFields.n\0t1",
    "customFields.yes\0b1",
    "customFields.yes\0ttrue",
    "customFields.o\0o",
    "customFields.many\0ta",
  ]);
});

test.each([
  ["GB", "EQ", "UK", true],
  ["GB", "EQ", "gb", true],
  ["GB", "IN", ["France", "United Kingdom"], true],
  ["GB", "NEQ", "Vereinigtes Königreich", false],
  ["GB", "NOT_IN", ["France"], true],
  ["France", "EQ", "France", true], // stored before names became codes
  ["Atlantis", "EQ", "atlantis", true],
  ["GB", "EQ", "Ireland", false],
])("a lead in %j meets country %s %j: %j", (country, operator, value, expected) => {
  expect(matchesLead(readFilterRules(rule("country", operator, value)), { ...ada, country }, NOW)).toBe(expected);
});
