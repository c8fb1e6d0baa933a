import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { Prospect } from "../../models/lead-search/prospect.ts";
import { ProspectCompany } from "../../models/lead-search/prospect-company.ts";
import { ProspectImport } from "../../models/lead-search/prospect-import.ts";
import { ProspectValue } from "../../models/lead-search/prospect-value.ts";
import { importSample } from "../../operations/lead-search/import-people.ts";
import { agentOf } from "../support/mcp.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { importRows, importText, peopleOf } from "./data.ts";

let world: World;
let rest: Rest;
let key: string;
const lines: string[] = [];
beforeAll(async () => {
  world = await startWorld({ apart: true, onLog: (line) => lines.push(line) });
});
afterAll(() => world.close());
beforeEach(async () => {
  for (const model of [Prospect, ProspectCompany, ProspectImport, ProspectValue]) await model.collection.deleteMany({});
  ({ rest, key } = await world.workspace());
});

const CSV = `Id,First Name,Last Name,Job Title,Seniority,Department,City,State,Country,Company,Website,Industry,Employees,Technologies,Email,Phone
1,Zoë,Müller,Head of Sales,Director,Sales,München,Bavaria,Germany,Acme GmbH,https://www.acme.example/about,Software,51 – 200,PostgreSQL;React,zoe@acme.example,+49 1
2,Ben,Ruiz,Head of Sales,Director,Sales,Madrid,Madrid,Spain,Rio SA,rio.example,Retail,11-50,SAP,ben@rio.example,
3,Cleo,Lang,CTO,C-Level,Engineering,Berlin,Berlin,Germany,Acme GmbH,acme.example,Software,51-200,PostgreSQL,,+49 3
4,Dan,Poe,Account Executive,Senior,Sales,Paris,,France,Loire,loire.example,Media,1-10,,dan@loire.example,
`;

const browse = (filters: object, page: object = {}) => rest.post("/lead-search/browse", { filters, ...page });
const namesOf = async (filters: object) => {
  const { body } = await browse(filters);
  expect(body.total).toBe(body.items.length);
  return body.items.map(({ firstName }: { firstName: string }) => firstName).sort();
};

test("without a data set and a provider, searches and reveals name the missing setting", async () => {
  const calls = [
    browse({}),
    rest.post("/lead-search/companies", { filters: {} }),
    rest.get("/lead-search/lookups?kind=TITLE"),
    rest.post("/lead-search/reveal", { prospectId: "prs_1" }),
    rest.post("/lead-search/reveal/bulk", { prospectIds: ["prs_1"] }),
  ];
  for (const answer of await Promise.all(calls)) {
    expect(answer).toMatchObject({
      status: 503,
      body: { code: "PROVIDER_NOT_CONFIGURED", details: { setting: "LEAD_SEARCH_URL" } },
    });
  }
});

test.each([
  ["titles", ["head of  sales"], ["Ben", "Zoë"]],
  ["seniorities", ["C-LEVEL", "senior"], ["Cleo", "Dan"]],
  ["departments", ["Engineering"], ["Cleo"]],
  ["locations", ["germany"], ["Cleo", "Zoë"]],
  ["locations", ["Munchen"], ["Zoë"]],
  ["locations", ["Munchen, Germany", "France"], ["Dan", "Zoë"]],
  ["industries", ["software", "media"], ["Cleo", "Dan", "Zoë"]],
  ["companySizes", ["51-200"], ["Cleo", "Zoë"]],
  ["companyDomains", ["https://acme.example/"], ["Cleo", "Zoë"]],
  ["keywords", ["sales acme", "loire"], ["Dan", "Zoë"]],
  ["technologies", ["postgresql"], ["Cleo", "Zoë"]],
])(
  "the filter %s with %j finds people with any of the values, ignoring case and accents",
  async (filter, values, expected) => {
    await importText(CSV);
    expect(await namesOf({ [filter]: values })).toEqual(expected);
  },
);

test("all filters of a search must match, whichever filter the index uses", async () => {
  await importText(CSV);
  expect(
    await namesOf({ technologies: ["PostgreSQL"], titles: ["CTO", "Head of Sales"], locations: ["Berlin", "Madrid"] }),
  ).toEqual(["Cleo"]);
  expect(await namesOf({ seniorities: ["Director"], departments: ["Sales"], companySizes: ["11-50"] })).toEqual([
    "Ben",
  ]);
  expect(await namesOf({ keywords: ["acme"], industries: ["Software"], seniorities: ["Director"] })).toEqual(["Zoë"]);
  expect(await namesOf({ titles: ["CTO"], industries: ["Retail"] })).toEqual([]);
  expect(await namesOf({})).toHaveLength(4);
});

test("contact values appear in no API answer, tool answer or log line before they are revealed", async () => {
  await importText(CSV);
  const agent = await agentOf(world, key);
  const list = (await rest.post("/lead-search/lists", { name: "All" })).body.id;
  const { body: found } = await browse({});
  const ids = found.items.map(({ id }: { id: string }) => id);
  const texts = [
    JSON.stringify(found),
    JSON.stringify((await rest.post(`/lead-search/lists/${list}/items`, { prospectIds: ids })).body),
    JSON.stringify((await rest.get(`/lead-search/lists/${list}/items`)).body),
    JSON.stringify((await rest.post("/lead-search/companies", { filters: {} })).body),
    (await agent.call("lead_search_browse", { filters: {} })).text,
    (await agent.call("lead_search_list_items", { listId: list })).text,
    (await agent.call("lead_search_reveal", { prospectId: ids[0] })).text, // there are no credits
    ...lines,
  ];
  await agent.close();
  for (const text of texts) expect(text).not.toMatch(/@acme\.example|@rio\.example|@loire\.example|\+49/);
  expect(found.items.map(({ emailStatus }: { emailStatus: string }) => emailStatus).sort()).toEqual([
    "not_found",
    "not_revealed",
    "not_revealed",
    "not_revealed",
  ]);
  expect(found.items.every(({ email, phone }: { email: null; phone: null }) => email === null && phone === null)).toBe(
    true,
  );
});

test("the pages of a search contain each person once, and a page beyond the limit is refused", async () => {
  await importRows(peopleOf(130));
  const filters = { locations: ["Spain"], titles: ["Engineer"] };
  const pages = await Promise.all([1, 2, 3].map((page) => browse(filters, { page, pageSize: 50 })));
  const ids = pages.flatMap(({ body }) => body.items.map(({ id }: { id: string }) => id));
  expect([new Set(ids).size, pages[0]?.body.total]).toEqual([130, 130]);
  expect(await browse({}, { page: 600, pageSize: 200 })).toMatchObject({
    status: 400,
    body: { code: "PAGE_TOO_DEEP" },
  });
});

test("too many values, values that are too long and unknown filters are refused", async () => {
  await importText(CSV);
  const many = Array.from({ length: 10_000 }, (_, index) => `Title ${index}`);
  for (const filters of [
    { titles: many },
    { titles: ["x".repeat(201)] },
    { names: ["Ada"] },
    { titles: [] },
    { titles: "CTO" },
  ]) {
    expect(await browse(filters)).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  }
  expect((await browse({ titles: many.slice(0, 500), keywords: ["$where", "a.*b"] })).body.items).toEqual([]);
});

test("companies are counted by their people in the data set and found by company filters", async () => {
  await importText(CSV);
  const find = async (filters: object) => {
    const { body } = await rest.post("/lead-search/companies", { filters });
    return body.items.map(({ domain, prospects }: { domain: string; prospects: number }) => [domain, prospects]);
  };
  expect((await find({}))[0]).toEqual(["acme.example", 2]);
  expect(await find({ industries: ["software", "retail"], locations: ["Spain"] })).toEqual([["rio.example", 1]]);
  expect(await find({ companySizes: ["51-200"], technologies: ["postgresql"], keywords: ["acme"] })).toEqual([
    ["acme.example", 2],
  ]);
  expect(await find({ domains: ["loire.example"] })).toEqual([["loire.example", 1]]);
});

test("lookups return the values of a filter with counts, most frequent first, and match the beginnings of words", async () => {
  await importText(CSV);
  const lookup = async (query: string) =>
    (await rest.get(`/lead-search/lookups?${query}`)).body.items.map(
      ({ value, count }: { value: string; count: number }) => [value, count],
    );
  expect(await lookup("kind=TITLE")).toEqual([
    ["head of sales", 2],
    ["account executive", 1],
    ["cto", 1],
  ]);
  expect(await lookup("kind=TITLE&query=exec%20acc")).toEqual([["account executive", 1]]);
  expect(await lookup("kind=LOCATION&query=ger")).toEqual([
    ["germany", 2],
    ["berlin, germany", 1],
    ["munchen, germany", 1],
  ]);
  expect(await lookup("kind=COMPANY_SIZE&limit=1")).toEqual([["51-200", 2]]);
  const { body } = await rest.get("/lead-search/lookups?kind=LOCATION&query=munch");
  expect(body.items[0]).toMatchObject({ value: "munchen", label: "München" });
});

test("importing a file again changes nothing, and a changed row updates the person and the counts", async () => {
  expect(await importText(CSV)).toMatchObject({ read: 4, created: 4, updated: 0, unchanged: 0, refused: 0 });
  expect(await importText(CSV)).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
  expect(await importText(CSV.replace("CTO,C-Level", "CEO,C-Level"))).toMatchObject({
    created: 0,
    updated: 1,
    unchanged: 3,
  });
  expect(await namesOf({ titles: ["CEO"] })).toEqual(["Cleo"]);
  expect((await rest.get("/lead-search/lookups?kind=TITLE&query=c")).body.items).toMatchObject([
    { value: "ceo", count: 1 },
  ]);
  expect(await Prospect.estimatedDocumentCount()).toBe(4);
});

test("when a person occurs twice in a file, the later row counts", async () => {
  const rows = [...peopleOf(3), { ...peopleOf(1)[0], title: "Founder" }];
  expect(await importRows(rows)).toMatchObject({ read: 4, created: 3, refused: 0 });
  expect((await browse({ titles: ["Founder"] })).body.total).toBe(1);
  expect((await rest.get("/lead-search/lookups?kind=TITLE")).body.items).toMatchObject([
    { value: "engineer", count: 2 },
    { value: "founder", count: 1 },
  ]);
});

test("an invalid row is refused and reported by line without its content, and the other rows are imported", async () => {
  const secret = "s3cret-value";
  const csv = [
    "name,title,domain,email",
    `Ada,CTO,a.example,${secret}`,
    "Bob,CTO,b.example,bob@b.example",
    `Cle"o,CTO,c.example,cleo@c.example,${secret}`,
    `"${secret}${"x".repeat(1_048_600)}",CTO,d.example,d@d.example`,
    ",CTO,e.example,e@e.example",
    "Flo,CTO,,",
    'Gil,"CTO\nand more",g.example,gil@g.example',
  ].join("\n");
  const done = await importText(csv);
  expect(done).toMatchObject({ read: 7, created: 2, refused: 5 });
  expect(done.refusals.map(({ line }) => line)).toEqual([2, 4, 5, 6, 7]);
  expect(JSON.stringify(done)).not.toContain(secret);
  const json = [
    '{"name":"Ada","domain":"a.example"}',
    "{broken",
    "[1]",
    `{"name":"${"x".repeat(1_100_000)}"}`,
    '{"name":{"$gt":""}}',
    "",
    '{"name":"Eve","title":7,"domain":"e.example","keywords":["a",{"b":1}]}',
  ];
  expect(await importText(json.join("\n"), "people.ndjson")).toMatchObject({ read: 6, created: 2, refused: 4 });
});

test("a file that cannot be imported is refused with a message that names the reason", async () => {
  await expect(importText("")).rejects.toThrow("empty");
  await expect(importText("a,b\n1,2\n")).rejects.toThrow("no column that is known");
  await expect(importText("\0\0\0\0\0\0")).rejects.toThrow("not text");
  await expect(importText(`name,domain\n"Ada,a.example${"\nx".repeat(9_000_000)}`)).rejects.toThrow(
    "Line 2 begins a row that never ends",
  );
});

test("the next import corrects the counts that a killed import left", async () => {
  await importText(CSV);
  await ProspectImport.collection.insertOne({ _id: "psi_killed", finishedAt: null } as never);
  await ProspectValue.collection.updateMany({}, { $inc: { count: 5 } });
  await ProspectCompany.collection.deleteMany({});
  await importRows(peopleOf(1));
  expect((await rest.get("/lead-search/lookups?kind=TITLE")).body.items[0]).toMatchObject({
    value: "head of sales",
    count: 2,
  });
  expect((await rest.post("/lead-search/companies", { filters: {} })).body.items[0]).toMatchObject({
    domain: "acme.example",
    prospects: 2,
  });
  expect(await ProspectImport.countDocuments({ finishedAt: null })).toBe(0);
});

test("sample people are marked as samples, and their addresses use the reserved .example domain", async () => {
  await importSample(300);
  const { body } = await browse({}, { pageSize: 200 });
  expect(body.total).toBe(300);
  expect(body.items.every(({ isSample }: { isSample: boolean }) => isSample)).toBe(true);
  const stored = await Prospect.find({ hasEmail: true }, { email: 1 }).lean<{ email: string }[]>();
  expect(stored.length).toBeGreaterThan(200);
  expect(stored.every(({ email }) => /\.example$/.test(email))).toBe(true);
});

test.each([
  [{ titles: ["Engineer"], seniorities: ["VP"] }],
  [{ seniorities: ["VP"], industries: ["Media"] }],
  [{ keywords: ["chief engineer"], technologies: ["SAP"], locations: ["Spain"] }],
])("a search by %j uses an index without sorting", async (filters) => {
  await importRows(peopleOf(20));
  const { queryFor } = await import("../../store/lead-search/dataset.ts");
  const { filter, hint } = await queryFor(filters);
  const plan = JSON.stringify(await Prospect.collection.find(filter, { hint }).explain("queryPlanner"));
  expect(plan).toContain("IXSCAN");
  expect(plan).not.toMatch(/COLLSCAN|"SORT"/);
});

test("searches, reveals, lists and credits require their scopes", async () => {
  const { withScopes } = await world.workspace();
  const other = await withScopes("leads:read");
  expect((await other.post("/lead-search/browse", { filters: {} })).status).toBe(403);
  expect((await other.post("/lead-search/reveal", { prospectId: "prs_1" })).status).toBe(403);
  expect((await other.get("/lead-search/lists")).status).toBe(403);
  expect((await other.get("/credits")).status).toBe(403);
});
