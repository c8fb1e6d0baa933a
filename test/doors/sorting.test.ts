import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { openapiOf } from "../../api/openapi.ts";
import { routes } from "../../api/routes.ts";
import { planOf } from "../support/plan.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const LETTERS = ["c", "a", "d", "b"];

test("every paged list documents its sort fields and whether its total is exact", () => {
  const document = JSON.parse(JSON.stringify(openapiOf(routes, "https://a.test")));
  const paged = routes.flatMap(([method, path]) => {
    const { parameters = [], responses } = document.paths[path.replaceAll(/:([A-Za-z]+)/g, "{$1}")][method];
    const names = parameters.map(({ name }: { name: string }) => name);
    return names.includes("pageSize")
      ? [{ path, names, answer: responses["200"].content["application/json"].schema }]
      : [];
  });
  expect(paged.length).toBeGreaterThan(8);
  for (const { path, names, answer } of paged) {
    expect([path, names]).toEqual([path, expect.arrayContaining(["sort"])]);
    // The status of a reveal has its page inside
    const page = answer.properties?.prospects ?? answer;
    expect([path, page.properties?.totalIsExact?.type]).toEqual([path, "boolean"]);
  }
});

test("leads, recipients and campaigns are sorted in both directions across pages, also with filters and searches", async () => {
  const { rest } = await world.workspace();
  const rows = LETTERS.map((letter) => ({ email: `${letter}@x.example`, firstName: "Ada", tags: "t" }));
  for (const row of rows) await rest.post("/leads/import", { action: "commit", rows: [row] });
  const campaign = (await rest.post("/campaigns", { name: "b" })).body.id;
  await rest.post("/campaigns", { name: "a" });
  for (const { email } of rows)
    await rest.post(`/campaigns/${campaign}/recipients`, { action: "addManual", emails: [email] });
  const { body: list } = await rest.post("/lead-lists", { name: "All", filterRules: {} });
  const filters = [
    "",
    "&tags=t",
    "&search=ada",
    "&tags=t&suppressed=false",
    "&search=ada&tags=t",
    `&listId=${list.id}`,
  ];
  const paths = [
    ...filters.map((filter) => `/leads?${filter}`),
    `/campaigns/${campaign}/recipients?`,
    `/campaigns/${campaign}/recipients?&search=x.ex`,
  ];
  for (const path of paths) {
    const sorted = async (sort: string) => {
      const pages = await Promise.all([1, 2].map((page) => rest.get(`${path}&sort=${sort}&page=${page}&pageSize=3`)));
      const emails = pages.flatMap(({ body }) => body.items.map(({ email }: { email: string }) => email.slice(0, 1)));
      return [path, sort, ...emails, ...pages.map(({ body }) => body.total)];
    };
    expect(await sorted("email")).toEqual([path, "email", "a", "b", "c", "d", 4, 4]);
    expect(await sorted("-email")).toEqual([path, "-email", "d", "c", "b", "a", 4, 4]);
    expect(await sorted("createdAt")).toEqual([path, "createdAt", ...LETTERS, 4, 4]);
    expect(await sorted("-createdAt")).toEqual([path, "-createdAt", ...LETTERS.toReversed(), 4, 4]);
  }
  const names = async (sort: string) =>
    (await rest.get(`/campaigns?sort=${sort}`)).body.items.map(({ name }: { name: string }) => name);
  expect([await names("name"), await names("-name"), await names("createdAt")]).toEqual([
    ["a", "b"],
    ["b", "a"],
    ["b", "a"],
  ]);
  expect(await rest.get("/leads?sort=company")).toMatchObject({
    status: 400,
    body: { details: { issues: [{ path: "sort" }] } },
  });
});

test.each([
  ["leads", {}, { email: 1 as const }],
  ["leads", {}, { _id: 1 as const }],
  ["recipients", { campaignId: "cmp_1" }, { email: -1 as const }],
  ["threads", { isArchived: false }, { lastMessageAt: 1 as const, _id: 1 as const }],
])("an index provides the order of %s by %j %j without sorting in memory", async (collection, filter, sort) => {
  expect(await planOf(collection, { workspaceId: "wsp_1", ...filter }, sort)).not.toContain("SORT");
});
