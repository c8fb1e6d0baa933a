import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import mongoose from "mongoose";
import { applyLeadChange, blankLead } from "../../domain/leads/lead.ts";
import { matchesLead, readFilterRules } from "../../domain/leads/segment.ts";
import type { HistoryEvent } from "../../domain/states.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { countSegment, resolveSegment, sampleOf } from "../../store/leads/segment.ts";
import { emit } from "../../store/outbox.ts";
import { type Stage, stagesOf } from "../support/plan.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

function rule(field: string, operator: string, value?: unknown): unknown {
  return { field, operator, ...(value !== undefined && { value }) };
}

async function workspaceWith(rows: object[]) {
  const { rest, workspaceId } = await world.workspace();
  const created = [];
  for (const row of rows) created.push((await rest.post("/leads", row)).body);
  const preview = (filterRules: unknown) => rest.post("/lead-lists/preview", { filterRules });
  return { rest, workspaceId, leads: created, ids: created.map(({ id }: { id: string }) => id), preview };
}

test("a preview counts the matching leads and shows ten of them", async () => {
  const rows = Array.from({ length: 12 }, (_, n) => ({
    email: `n${n}@x.example`,
    company: n % 2 ? "ACME (Ltd)" : "Other",
    size: n,
  }));
  const { preview, leads } = await workspaceWith(rows);
  const all = await preview({});
  expect(all).toMatchObject({ status: 200, body: { count: 12 } });
  expect(all.body.sample).toHaveLength(10);
  const { body } = await preview({
    version: 1,
    combinator: "AND",
    rules: [rule("company", "CONTAINS", "acme (L"), rule("customFields.size", "GTE", 9)],
  });
  expect(body.count).toBe(2);
  expect(body.sample).toEqual(expect.arrayContaining([leads[9], leads[11]]));
  expect((await preview({ company: "acme (ltd)" })).body.count).toBe(6);
  expect((await preview({ company: "nobody" })).body).toEqual({ count: 0, sample: [] });
});

test("text is compared literally, even if it looks like a pattern or an operator", async () => {
  const { preview } = await workspaceWith([
    { email: "a@x.example", company: "a.*b" },
    { email: "b@x.example", company: "axxb", customFields: { note: "line\nend$" } },
    { email: "c@x.example" },
  ]);
  const count = async (...rules: unknown[]) => (await preview({ rules })).body.count;
  expect(await count(rule("company", "EQ", "a.*b"))).toBe(1);
  expect(await count(rule("company", "CONTAINS", ".*"))).toBe(1);
  expect(await count(rule("company", "STARTS_WITH", "^a"))).toBe(0);
  expect(await count(rule("company", "ENDS_WITH", "XB"))).toBe(1);
  expect(await count(rule("company", "CONTAINS", "company"))).toBe(0);
  expect(await count(rule("customFields.note", "CONTAINS", "\nEND$"))).toBe(1);
  expect(await count(rule("customFields.note", "ENDS_WITH", "line"))).toBe(0);
  expect(await count(rule("email", "STARTS_WITH", "A@"))).toBe(1);
  expect(await count(rule("email", "CONTAINS", ".*"))).toBe(0);
  expect(await count(rule("source", "EQ", "api"))).toBe(3);
  expect(await count(rule("source", "STARTS_WITH", "."))).toBe(0);
  expect(await count(rule("company", "NEQ", "axxb"))).toBe(2);
  for (const filterRules of [
    { $where: "1" },
    { company: { $ne: 1 } },
    { "customFields.__proto__": "x" },
    { rules: "x" },
    [],
  ]) {
    expect((await preview(filterRules)).status).toBe(400);
  }
  expect(await preview({ rules: [rule("company", "MATCHES", "x")] })).toMatchObject({
    body: {
      code: "FILTER_INVALID",
      details: { issues: [{ path: "filterRules.rules.0.operator", code: "BAD_OPERATOR" }] },
    },
  });
});

test("event rules count by type, campaign, days and number, and can be negated", async () => {
  const { rest, workspaceId, ids, preview } = await workspaceWith(
    ["a", "b", "c", "d"].map((name) => ({ email: `${name}@x.example` })),
  );
  const { body: campaign } = await rest.post("/campaigns", { name: "Spring" });
  const [a, b, c] = ids;
  const happen = (type: HistoryEvent, leadId: string | undefined, daysAgo: number, campaignId: string | null = null) =>
    emit(workspaceId, { type, leadId: leadId ?? null, campaignId, at: new Date(Date.now() - daysAgo * DAY_MS) });
  await happen("OPEN", a, 1, campaign.id);
  await happen("OPEN", a, 2, campaign.id);
  await happen("OPEN", b, 20);
  await happen("CLICK", b, 1);
  await happen("CONVERTED", c, 1);
  await happen("OPEN", undefined, 1);
  const matching = async (...rules: object[]) => {
    const { body } = await preview({ rules: rules.map((one) => ({ operator: "PERFORMED", ...one })) });
    expect(body.count).toBe(body.sample.length);
    return body.sample
      .map(({ email }: { email: string }) => email[0])
      .toSorted()
      .join("");
  };
  expect(await matching({ event: "OPEN" })).toBe("ab");
  expect(await matching({ event: "OPEN", withinDays: 10 })).toBe("a");
  expect(await matching({ event: "OPEN", minCount: 2 })).toBe("a");
  expect(await matching({ event: "OPEN", minCount: 3 })).toBe("");
  expect(await matching({ event: "OPEN", negate: true })).toBe("cd");
  expect(await matching({ event: "OPEN", campaignId: campaign.id, minCount: 2, withinDays: 30 })).toBe("a");
  expect(await matching({ event: "CLICK" })).toBe("b");
  expect(await matching({ event: "CONVERTED" })).toBe("c");
  expect(await matching({ event: "OPEN" }, { event: "CLICK", negate: true })).toBe("a");
  expect(await matching({ event: "REPLIED" })).toBe("");
});

test("for an event of very many leads the leads are checked one by one, with the same result", async () => {
  const { workspaceId } = await workspaceWith(
    ["a", "b", "c"].map((name) => ({ email: `${name}@x.example`, company: name === "c" ? "Other" : "Acme" })),
  );
  const leads = await scoped(workspaceId).Lead.find({}, { sort: { email: 1 } });
  for (const { _id: leadId } of leads.slice(0, 2)) await emit(workspaceId, { type: "SENT", leadId });
  await emit(workspaceId, { type: "SENT", leadId: leads[0]?._id ?? null });
  const sent = { event: "SENT", operator: "PERFORMED" };
  const acme = rule("company", "EQ", "acme");
  for (const rules of [
    { rules: [sent, acme] },
    { rules: [{ ...sent, minCount: 2 }] },
    { rules: [{ ...sent, negate: true }] },
    { combinator: "OR", rules: [{ ...sent, minCount: 2, withinDays: 3 }, rule("company", "EQ", "other")] },
    {
      rules: [
        acme,
        {
          combinator: "OR",
          rules: [
            { ...sent, negate: true },
            { ...sent, minCount: 2 },
          ],
        },
      ],
    },
  ]) {
    const tree = readFilterRules(rules);
    const [byIds, byLead] = [
      await resolveSegment(workspaceId, tree, new Date(), 5_000),
      await resolveSegment(workspaceId, tree, new Date(), 5_000, 0),
    ];
    expect([byIds.stages.length === 0, byLead.stages.length > 0]).toEqual([true, true]);
    const [some, same] = [await sampleOf(byLead, 10, 5_000), await sampleOf(byIds, 10, 5_000)];
    expect(some.map(({ email }) => email).toSorted()).toEqual(same.map(({ email }) => email).toSorted());
    expect(Object.keys(some[0] ?? {})).toEqual(Object.keys(same[0] ?? {}));
    expect(await countSegment(byLead, 5_000)).toBe(await countSegment(byIds, 5_000));
  }
});

test("a campaign or list of another workspace is unknown, and a segment cannot refer to another segment", async () => {
  const { rest, preview } = await workspaceWith([{ email: "a@x.example" }]);
  const other = await world.workspace();
  const { body: campaign } = await other.rest.post("/campaigns", { name: "Theirs" });
  const { body: list } = await other.rest.post("/lead-lists", { name: "Theirs" });
  const { body: segment } = await rest.post("/lead-lists", { name: "Mine", filterRules: {} });
  const opened = { event: "OPEN", operator: "PERFORMED", campaignId: campaign.id };
  expect(await preview({ rules: [{ combinator: "OR", rules: [opened] }] })).toMatchObject({
    status: 404,
    body: { code: "CAMPAIGN_NOT_FOUND" },
  });
  expect(await preview({ listIds: [list.id] })).toMatchObject({ status: 404, body: { code: "LIST_NOT_FOUND" } });
  expect(await preview({ listIds: [segment.id] })).toMatchObject({ status: 400, body: { code: "FILTER_INVALID" } });
  const { withScopes } = await world.workspace();
  expect((await (await withScopes("leads:read")).post("/lead-lists/preview", { filterRules: {} })).status).toBe(403);
});

const TEXTS = [
  "",
  "a",
  "A b",
  "ß",
  "ΣΑΣ",
  "a.*",
  "5",
  "-2.5",
  "2026-05-01",
  "2026-05-01T10:00:00+02:00",
  "é",
  "\u{10ffff}z",
  "$x",
];
const text = fc.constantFrom(...TEXTS);
const value = fc.oneof(
  text,
  fc.constantFrom(5, -2.5, 0, true, false, null),
  fc.constant({ deep: 1 }),
  fc.array(text, { maxLength: 2 }),
);
const instant = fc.constantFrom("2026-05-01", "2026-05-02T00:00:00Z", "2026-05-01T10:00:00+02:00");
const fieldRule = fc.oneof(
  fc.record({
    field: fc.constantFrom("company", "jobTitle", "customFields.k", "email", "source", "secondaryEmails", "id"),
    operator: fc.constantFrom("EQ", "NEQ", "CONTAINS", "NOT_CONTAINS", "STARTS_WITH", "ENDS_WITH"),
    value: fc.oneof(text, fc.constantFrom("n1", "example", "led_")).filter((one) => one !== ""),
  }),
  fc.record({
    field: fc.constantFrom("company", "customFields.k"),
    operator: fc.constantFrom("IN", "NOT_IN"),
    value: fc.array(text, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    field: fc.constantFrom("customFields.k"),
    operator: fc.constantFrom("EQ", "NEQ", "GT", "GTE", "LT", "LTE"),
    value: fc.constantFrom(5, -2.5, 0, 4.9),
  }),
  fc.record({ field: fc.constant("customFields.k"), operator: fc.constantFrom("EQ", "NEQ"), value: fc.boolean() }),
  fc.record({
    field: fc.constantFrom("customFields.k", "lastContactedAt"),
    operator: fc.constantFrom("BEFORE", "AFTER"),
    value: instant,
  }),
  fc.record({
    field: fc.constantFrom("customFields.k", "lastContactedAt"),
    operator: fc.constant("WITHIN_LAST_DAYS"),
    value: fc.constantFrom(1, 45),
  }),
  fc.record({
    field: fc.constantFrom("customFields.k", "lastContactedAt"),
    operator: fc.constant("BETWEEN"),
    value: fc.constant(["2026-05-01", "2026-05-01T08:00:00Z"]),
  }),
  fc.record({
    field: fc.constant("status"),
    operator: fc.constantFrom("CONTAINS", "NOT_CONTAINS", "ENDS_WITH"),
    value: fc.constantFrom("act", "ED"),
  }),
  fc.record({
    field: fc.constant("tags"),
    operator: fc.constantFrom("CONTAINS_ANY", "CONTAINS_ALL", "NOT_IN"),
    value: fc.constantFrom(["x"], ["x", "Y"], ["y"]),
  }),
  fc.record({ field: fc.constant("suppressed"), operator: fc.constantFrom("EQ", "NEQ"), value: fc.boolean() }),
  fc.record({
    field: fc.constantFrom(
      "company",
      "customFields.k",
      "tags",
      "lastContactedAt",
      "suppressed",
      "status",
      "secondaryEmails",
      "suppressionReason",
    ),
    operator: fc.constantFrom("IS_SET", "IS_NOT_SET"),
  }),
);
const group = fc.record({
  combinator: fc.constantFrom("AND", "OR"),
  rules: fc.array(fieldRule, { minLength: 1, maxLength: 3 }),
});
const tree = fc.record({
  combinator: fc.constantFrom("AND", "OR"),
  rules: fc.array(fc.oneof(fieldRule, fieldRule, group), { maxLength: 3 }),
});

test("the database and the code agree on which leads match, whatever the rules and the leads", async () => {
  const { workspaceId } = await world.workspace();
  const facts = fc.record({
    company: fc.option(text),
    jobTitle: fc.option(text),
    tags: fc.uniqueArray(fc.constantFrom("x", "Y", "z"), { maxLength: 2 }),
    k: fc.option(value, { nil: undefined }),
    status: fc.constantFrom("ACTIVE", "CONTACTED", "REPLIED"),
    suppressed: fc.boolean(),
    lastContactedAt: fc.option(fc.constantFrom(new Date("2026-05-01T00:00:00Z"), new Date("2026-05-20T00:00:00Z"))),
    secondaryEmails: fc.constantFrom<string[]>([], ["a@x.example"]),
    source: fc.constantFrom("API", "csv", null),
  });
  const leads = fc.sample(facts, { numRuns: 150, seed: 7 }).map(({ company, jobTitle, tags, k, ...own }, n) => ({
    _id: newId("led"),
    ...applyLeadChange(blankLead(`n${n}@x.example`, "x.example"), {
      company,
      jobTitle,
      tags,
      customFields: k === undefined ? {} : { k },
    }),
    ...own,
  }));
  await scoped(workspaceId).Lead.insertMany(leads);
  const now = new Date("2026-06-01T00:00:00Z");
  await fc.assert(
    fc.asyncProperty(tree, async (rules) => {
      const read = readFilterRules(rules);
      const expected = leads.filter((lead) => matchesLead(read, lead, now)).length;
      expect(await countSegment(await resolveSegment(workspaceId, read, now, 5_000), 5_000)).toBe(expected);
    }),
    { numRuns: 150 },
  );
});

/** Enough leads for the planner to weigh its indexes: one in thirty matches each rule below. */
let planned: Promise<string> | null = null;
function manyLeads(): Promise<string> {
  planned ??= world.workspace().then(async ({ workspaceId }) => {
    const rows = Array.from({ length: 600 }, (_, n) => {
      const isOne = n % 30 === 0;
      const customFields = isOne
        ? { plan: "gold", size: 3, renewal: "2025-12-31" }
        : { plan: "x", size: 0, renewal: "2026-02-01" };
      const email = `${isOne ? "a" : "z"}${n}@${isOne ? "x" : "y"}.example`;
      const own: Partial<Lead> = isOne
        ? {
            status: "WON",
            verificationStatus: "VALID",
            suppressed: true,
            listIds: ["lst_1"],
            secondaryEmails: [`b${n}@x.example`],
          }
        : {};
      const tags = [isOne ? "a" : "z"];
      const content = applyLeadChange(blankLead(email, isOne ? "x.example" : "y.example"), {
        company: isOne ? "Acme" : null,
        tags,
        customFields,
      });
      return { _id: newId("led"), ...content, ...own };
    });
    await scoped(workspaceId).Lead.insertMany(rows);
    return workspaceId;
  });
  return planned;
}

async function planOf(workspaceId: string, rules: unknown): Promise<Stage[]> {
  const { match, stages } = await resolveSegment(workspaceId, readFilterRules(rules), new Date(), 5_000);
  expect(stages).toEqual([]);
  return stagesOf("leads", { workspaceId, ...match });
}

test.each([
  ["facets", rule("company", "EQ", "acme")],
  ["facets", rule("company", "IN", ["acme", "other"])],
  ["facets", rule("company", "STARTS_WITH", "ac")],
  ["facets", rule("company", "CONTAINS", "c")],
  ["facets", rule("company", "IS_SET")],
  ["facets", rule("customFields.plan", "EQ", "gold")],
  ["facets", rule("customFields.plan", "STARTS_WITH", "go")],
  ["facets", rule("customFields.size", "BETWEEN", [1, 5])],
  ["facets", rule("customFields.size", "GT", 1)],
  ["facets", rule("customFields.renewal", "BEFORE", "2026-01-01")],
  ["facets", rule("customFields.renewal", "WITHIN_LAST_DAYS", 3)],
  ["email", rule("email", "EQ", "A30@x.example")],
  ["email", rule("email", "STARTS_WITH", "a")],
  ["emailDomain", rule("emailDomain", "IN", ["x.example"])],
  ["secondaryEmails", rule("secondaryEmails", "EQ", "b30@x.example")],
  ["status", rule("status", "IN", ["WON", "LOST"])],
  ["verificationStatus", rule("verificationStatus", "EQ", "VALID")],
  ["suppressed", rule("suppressed", "EQ", true)],
  ["tags", rule("tags", "CONTAINS_ANY", ["a", "b"])],
  ["listIds", rule("listIds", "CONTAINS_ALL", ["lst_1"])],
])("an index over %s limits the search for %j, without a scan of the collection or a sort", async (field, one) => {
  const workspaceId = await manyLeads();
  const plan = await planOf(workspaceId, { rules: [one] });
  const bounds = plan.flatMap(({ indexBounds }) => indexBounds?.[field] ?? []);
  expect(bounds.length).toBeGreaterThan(0);
  expect(bounds).not.toContain("[MinKey, MaxKey]");
  expect(plan.map(({ stage }) => stage)).not.toContain("COLLSCAN");
  expect(plan.map(({ stage }) => stage)).not.toContain("SORT");
});

test("the narrowest rule limits the index search, whatever the order of the rules", async () => {
  const workspaceId = await manyLeads();
  const rules = [
    rule("customFields.size", "LT", 1_000),
    rule("company", "CONTAINS", "m"),
    rule("customFields.plan", "EQ", "gold"),
    rule("company", "IS_SET"),
  ];
  for (const order of [rules, rules.toReversed()]) {
    const plan = await planOf(workspaceId, { rules: order });
    expect(plan.flatMap(({ indexBounds }) => indexBounds?.["facets"] ?? [])).toEqual([
      expect.stringContaining("tgold"),
    ]);
  }
});

test.each([
  rule("company", "NEQ", "acme"),
  rule("lastContactedAt", "AFTER", "2026-01-01"),
  rule("source", "EQ", "api"),
  rule("createdAt", "WITHIN_LAST_DAYS", 3),
])("%j reads only leads of its own workspace, through an index", async (one) => {
  const workspaceId = await manyLeads();
  const stages = (await planOf(workspaceId, { rules: [one] })).map(({ stage }) => stage);
  expect(stages).toContain("IXSCAN");
  expect(stages).not.toContain("COLLSCAN");
  expect(stages).not.toContain("SORT");
});

test("leads with an event within some days are read from an index without reading documents", async () => {
  const { workspaceId } = await world.workspace();
  const events = mongoose.connection.collection("events");
  const since = { $gte: new Date(0), $lte: new Date() };
  const explained = await events
    .aggregate([
      { $match: { workspaceId, type: "OPEN", at: since, leadId: { $gt: "" }, campaignId: "cmp_1" } },
      { $group: { _id: "$leadId", count: { $sum: 1 } } },
    ])
    .explain("queryPlanner");
  const text = JSON.stringify(explained);
  expect(text).toContain("workspaceId_1_type_1_at_1_leadId_1_campaignId_1");
  expect(text).not.toContain("COLLSCAN");
});
