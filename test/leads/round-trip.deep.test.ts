import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { LEAD_TEXTS, leadTexts } from "../../domain/leads/lead.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

type Given = { email: string; tags?: string[]; customFields: Record<string, unknown> } & Record<string, unknown>;

/** Characters that mean something to a file, a spreadsheet or a list appear more often than others. */
const unit = fc.oneof(
  { arbitrary: fc.constantFrom(..."'\"=+-@\t\r\n＝＋－＠,; \\./$0a"), weight: 3 },
  { arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }), weight: 1 },
);
const whole = fc.constantFrom(
  "=1+1",
  "NULL",
  "'NULL",
  " N/A ",
  "-",
  "'=1",
  "''=1",
  "''",
  "-5",
  "'-5",
  "+442079460000",
  "a\nb",
  "a\rb",
  "a\r\nb",
  "\n=x",
  "＝1",
  "NaN",
  "1e3",
);
const isText = (text: string) => text.isWellFormed() && !text.includes("\0");
const isBlank = (value: unknown) =>
  value === null || value === undefined || (typeof value === "string" && value.trim() === "");
/** A blank cell means no value (rules/leads 2.1), so a file cannot carry a blank text. */
const text = fc
  .oneof(whole, fc.string({ unit, minLength: 1, maxLength: 40 }))
  .filter((one) => isText(one) && !isBlank(one));
const tag = fc
  .oneof(
    whole,
    fc.string({ unit, minLength: 1, maxLength: 20 }),
    fc.constantFrom(" ", " a ", '"', '"a', 'a"b', "a, b", "a;b"),
  )
  .filter(isText);

const key = fc
  .oneof(
    fc.string({ unit, maxLength: 20 }),
    fc.constantFrom("email", " a ", "a\nb", "a\rb", "=x", "'=x", "id", "k".repeat(300), "Größe"),
  )
  .filter((one) => isText(one) && !/^\$|\.|^(?:__proto__|constructor|prototype)$/.test(one));
const value: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: text, weight: 4 },
  {
    arbitrary: fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
      fc.boolean(),
    ),
    weight: 2,
  },
  { arbitrary: fc.constantFrom([1, "a"], [[1]], [], [null], "", " ", null, { a: { b: "=1" } }), weight: 1 },
);
const local = fc
  .string({ unit: fc.constantFrom(..."=+-'a1"), minLength: 1, maxLength: 12 })
  .filter((name) => !name.startsWith("'"));
const texts = Object.fromEntries(
  leadTexts().map((field) => [field, text.filter((one) => one.length <= LEAD_TEXTS[field])]),
);
const lead: fc.Arbitrary<Given> = fc.record(
  {
    email: local.map((name) => `${name}@x.example`),
    ...texts,
    timezone: fc.constantFrom(...Intl.supportedValuesOf("timeZone")),
    tags: fc.uniqueArray(tag, { maxLength: 5 }),
    customFields: fc.dictionary(key, value, { maxKeys: 5 }),
  },
  { requiredKeys: ["email", "customFields"] },
);
const leads = fc.uniqueArray(lead, { minLength: 1, maxLength: 8, selector: ({ email }) => email });

/** The part of a lead that a file can carry: its texts, its tags, and its custom fields as texts. */
function carried({ email, emailDomain, phoneStatus, tags, customFields, ...lead }: Record<string, unknown>) {
  const own = Object.entries(customFields ?? {})
    .map(([name, value]) => [name, asText(value)] as const)
    .filter(([, value]) => !isBlank(value));
  const known = leadTexts().map((field) => [field, isBlank(lead[field]) ? null : lead[field]] as const);
  return { email, emailDomain, phoneStatus, tags, customFields: Object.fromEntries(own), ...Object.fromEntries(known) };
}

/** An empty cell stands for null, for an empty list and for blanks alike. */
function asText(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value) && value.every((one) => one === null)) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function leadsOf(rest: Rest) {
  const { items } = (await rest.get("/leads?pageSize=200")).body;
  return new Map<string, unknown>(items.map((one: Record<string, unknown>) => [one["email"], carried(one)]));
}

test("a lead that is exported and imported into an empty workspace keeps every value that a file can hold", async () => {
  await fc.assert(
    fc.asyncProperty(leads, async (given) => {
      const [{ rest }, other] = [await world.workspace(), await world.workspace()];
      for (const one of given) expect(await rest.post("/leads", one)).toMatchObject({ status: 201 });
      const { content } = (await rest.get("/leads/export")).body;
      const rows: Record<string, string>[] = parse(content, { columns: true });
      const { body } = await other.rest.post("/leads/import", { action: "commit", rows });
      expect(body).toMatchObject({ total: given.length, created: given.length, invalid: 0 });
      expect(await leadsOf(other.rest)).toEqual(await leadsOf(rest));
    }),
    { numRuns: 25 },
  );
}, 120_000);
