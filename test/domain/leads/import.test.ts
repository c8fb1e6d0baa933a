import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Row, readMapping, suggestedMapping } from "../../../domain/leads/columns.ts";
import { isLeadRow, type Known, type KnownLead, type LeadRow, planPage, readRow } from "../../../domain/leads/import.ts";
import { applyLeadChange, blankLead } from "../../../domain/leads/lead.ts";

const MAPPING = readMapping({ email: "email", first: "firstName", phone: "phone", tags: "tags", size: "customFields.size" }, true);
const NOTHING: Known<KnownLead> = { leads: new Map(), blocked: new Set(), suppressed: new Set(), members: null };

const cell = fc.oneof(fc.constant(""), fc.constant(" "), fc.constant(null), fc.string({ maxLength: 30 }), fc.integer());
const row: fc.Arbitrary<Row> = fc.record(
  {
    email: fc.oneof(fc.constantFrom("a@x.example", "B@x.example", "c@y.example"), cell),
    first: cell,
    phone: cell,
    tags: fc.oneof(cell, fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 })),
    size: cell,
  },
  { requiredKeys: [] },
);

function read(rows: Row[]): LeadRow[] {
  const seen = new Set<string>();
  return rows
    .map((cells, index) => readRow(cells, index + 1, MAPPING))
    .filter(isLeadRow)
    .filter(({ email }) => !seen.has(email) && seen.add(email));
}

/** The leads in the database after a plan has been carried out. */
function after(plan: ReturnType<typeof planPage<KnownLead>>, before: Known<KnownLead>): Known<KnownLead> {
  const leads = new Map(before.leads);
  for (const { content, row } of plan.created) leads.set(content.email, { _id: `led_${row}`, ...content });
  for (const { lead, changes } of plan.updated) leads.set(lead.email, { ...lead, ...changes });
  return { ...before, leads };
}

test("every row of a page is counted exactly once: as created, updated, skipped or invalid", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.array(row, { maxLength: 20 }), (first, second) => {
      const known = after(planPage(read(first), NOTHING), NOTHING);
      const rows = read(second);
      const { counts } = planPage(rows, { ...known, blocked: new Set(["a@x.example"]) });
      expect(counts.created + counts.updated + counts.skipped + counts.invalid).toBe(rows.length);
    }),
  );
});

test("importing the same page again changes nothing", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.array(row, { maxLength: 20 }), (first, second) => {
      const old = after(planPage(read(first), NOTHING), NOTHING);
      const rows = read(second);
      const known = after(planPage(rows, old), old);
      const again = planPage(rows, known);
      expect(again.counts).toMatchObject({ created: 0, updated: 0, skipped: rows.length, alreadyExists: rows.length });
    }),
  );
});

test("an import never removes a value or a tag", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.array(row, { maxLength: 20 }), (first, second) => {
      const old = after(planPage(read(first), NOTHING), NOTHING);
      const known = after(planPage(read(second), old), old);
      for (const [email, before] of old.leads) {
        const now = known.leads.get(email);
        expect(now?.tags).toEqual(expect.arrayContaining(before.tags));
        if (before.firstName !== null) expect(now?.firstName).not.toBeNull();
        expect(Object.keys(now?.customFields ?? {})).toEqual(expect.arrayContaining(Object.keys(before.customFields)));
      }
    }),
  );
});

test("an update changes only what differs", () => {
  const lead = {
    _id: "led_1",
    ...applyLeadChange(blankLead("a@x.example", "x.example"), { firstName: "Ada", tags: ["a"], customFields: { size: 1 } }),
  };
  const known = { ...NOTHING, leads: new Map([["a@x.example", lead]]) };
  const plan = (cells: Row) => planPage(read([{ email: "a@x.example", ...cells }]), known).updated[0]?.changes;
  expect(plan({ first: "Ada", tags: "a", size: 1 })).toBeUndefined();
  expect(plan({ tags: "b, a" })).toEqual({ tags: ["a", "b"] });
  expect(plan({ size: 2 })).toEqual({ customFields: { size: 2 }, facets: expect.arrayContaining(["customFields.size\0t2"]) });
  expect(plan({ phone: "+44" })).toMatchObject({ phone: "+44", phoneStatus: "revealed" });
  expect(plan({ first: "Eda" })).toMatchObject({ firstName: "Eda", fullName: "Eda" });
});

test("a row may not take a lead past 50 tags or 200 custom fields", () => {
  const tags = Array.from({ length: 50 }, (_, n) => `t${n}`);
  const customFields = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`k${n}`, n]));
  const lead = { _id: "led_1", ...applyLeadChange(blankLead("a@x.example", "x.example"), { tags, customFields }) };
  const known = { ...NOTHING, leads: new Map([["a@x.example", lead]]) };
  const plan = (cells: Row) => planPage(read([{ email: "a@x.example", ...cells }]), known);
  expect(plan({ tags: "t1" }).counts).toMatchObject({ skipped: 1, invalid: 0 });
  expect(plan({ tags: "one more" })).toMatchObject({ counts: { invalid: 1 }, errors: [{ row: 1, email: "a@x.example", code: "TOO_BIG" }] });
  expect(plan({ size: 1 })).toMatchObject({ counts: { invalid: 1 }, errors: [{ code: "TOO_BIG" }] });
});

test.each([
  ["'=1+1", "=1+1"],
  ["'+44", "+44"],
  ["'-1", "-1"],
  ["'@cmd", "@cmd"],
  ["'\tx", "\tx"],
  ["'＝1", "＝1"],
  ["''=1", "'=1"],
  ["'quoted'", "'quoted'"],
  ["=1+1", "=1+1"],
  [12, "12"],
  [false, "false"],
])("the cell %j is read as the text %j", (cell, text) => {
  expect(readRow({ email: "a@x.example", first: cell }, 1, MAPPING)).toMatchObject({ change: { firstName: text } });
});

test.each([
  [{ first: "Ada" }, { email: null, code: "REQUIRED" }],
  [{ email: "  " }, { email: null, code: "REQUIRED" }],
  [{ email: "a@@x.example" }, { email: "a@@x.example", code: "INVALID_FORMAT" }],
  [{ email: { address: "a@x.example" } }, { email: null, code: "INVALID_TYPE" }],
  [
    { email: "a@x.example", first: ["Ada"] },
    { email: "a@x.example", code: "INVALID_TYPE" },
  ],
  [
    { email: "a@x.example", size: { $gt: 1 } },
    { email: "a@x.example", code: "INVALID_TYPE" },
  ],
  [
    { email: "a@x.example", first: "x".repeat(201) },
    { email: "a@x.example", code: "TOO_BIG" },
  ],
  [
    { email: "a@x.example", tags: "x".repeat(51) },
    { email: "a@x.example", code: "TOO_BIG" },
  ],
])("the row %j is refused as %j", (cells, error) => {
  expect(readRow(cells, 7, MAPPING)).toEqual({ row: 7, message: expect.any(String), ...error });
});

test("columns are matched by name, ignoring case, spaces and underscores, and only the first one for each field", () => {
  expect(suggestedMapping(["E_MAIL", "email", "FirstName", "last name", "Job_Title", "tags", "customFields.Size", "balance"])).toEqual({
    E_MAIL: "email",
    FirstName: "firstName",
    "last name": "lastName",
    Job_Title: "jobTitle",
    tags: "tags",
    "customFields.Size": "customFields.Size",
  });
});

test("headers of the usual exports are matched in several languages, and the field's own name goes before them", () => {
  const columns = ["E-Mail-Adresse", "Prénom", "Apellidos", "Organization", "company", "Phone Number", "Title", "Stadt", "País", "Name"];
  expect(suggestedMapping(columns)).toEqual({
    "E-Mail-Adresse": "email",
    Prénom: "firstName",
    Apellidos: "lastName",
    company: "company",
    "Phone Number": "phone",
    Title: "jobTitle",
    Stadt: "city",
    País: "country",
  });
});

test("no column reaches a prototype, an operator or a field that only the service writes", () => {
  for (const column of [
    "__proto__",
    "constructor",
    "customFields.__proto__",
    "customFields.constructor",
    "customFields.$set",
    "customFields.a.b",
    "suppressed",
    "status",
    "workspaceId",
    "_id",
  ]) {
    expect(suggestedMapping([column])).toEqual({});
    expect(() => readMapping({ email: "email", x: column }, true)).toThrow("not valid");
  }
});
