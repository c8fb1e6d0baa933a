import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import type { Rest } from "../support/rest.ts";
import { invited, type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, type Look, startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { visitAs } from "./signed-in-visit.ts";

let world: World;
let chromium: Chromium;
beforeAll(async () => {
  world = await startWorld({ console: await builtConsole() });
  chromium = await startChromium();
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await world?.close();
});

const visit = (person: SignedIn, path: string, look?: Look) =>
  visitAs(person, chromium, `${world.baseUrl}/w/${person.workspaceId}${path}`, look);

const PEOPLE = [
  { email: "ada@engines.test", firstName: "Ada", company: "Engines Ltd", country: "DE", tags: ["fair"] },
  { email: "bob@widgets.test", firstName: "Bob", company: "Widgets SA", country: "FR", tags: ["fair"] },
  { email: "cyd@engines.test", firstName: "Cyd", company: "Engines Ltd", country: "FR" },
  { email: "dee@other.test", firstName: "Dee", company: "Other" },
];

async function withPeople(): Promise<SignedIn> {
  const person = await signedIn(world);
  const { rest } = person;
  await rest.post("/custom-fields", { label: "Employees", key: "employees", type: "NUMBER" });
  for (const [at, one] of PEOPLE.entries())
    await rest.post("/leads", { ...one, customFields: { employees: (at + 1) * 10 } });
  return person;
}

const namesIn = async (rest: Rest, listId: string): Promise<string[]> =>
  (await rest.get(`/leads?listId=${listId}&sort=email`)).body.items.map(({ email }: { email: string }) => email);

test("lists are created, edited, shown as leads, and deleted after their effect was shown", async () => {
  const person = await withPeople();
  const { rest } = person;
  const { page, check } = await visit(person, "/lists");
  await page.getByText("No lists yet.").waitFor();
  await check("no lists");
  await page.getByRole("link", { name: "New list" }).click();
  await page.getByLabel("Name").fill("Founders");
  await page.getByLabel("Description").fill("Met at the fair");
  await check("a new static list");
  await page.getByRole("button", { name: "Create list" }).click();
  await page.getByText("“Founders” is created.").waitFor();
  const row = page.getByRole("row", { name: /Founders/ });
  await row.getByText("Met at the fair").waitFor();
  const [list] = (await rest.get("/lead-lists")).body;
  expect(list).toMatchObject({ name: "Founders", type: "STATIC", memberCount: 0 });
  const { items } = (await rest.get("/leads?search=ada")).body;
  await rest.post("/lead-lists/manage", { action: "addMembers", listId: list.id, leadIds: [items[0].id] });

  await row.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name").fill("Founders 2026");
  // A change of someone else stays, because this person did not change the same field
  const input = { description: "Met in Berlin" };
  await rest.post("/lead-lists/manage", { action: "update", listId: list.id, input });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("“Founders 2026” is saved.").waitFor();
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ name: "Founders 2026", ...input }]);
  await row.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Description").fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await row.getByText("Met in Berlin").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Founders 2026" }).click();
  await page.getByRole("link", { name: "ada@engines.test" }).waitFor();
  expect(await page.getByRole("row").count()).toBe(2);
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ name: "Founders 2026", description: null }]);

  const { campaignId } = await readyCampaign(rest, person.workspaceId, ["grace@navy.test"]);
  await rest.post(`/campaigns/${campaignId}/recipients`, { action: "addFromList", leadListId: list.id });
  await page.getByRole("link", { name: "Lists", exact: true }).click();
  await page.getByRole("button", { name: "Delete…" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete the list “Founders 2026”?" });
  await dialog.getByText("1 lead stays").waitFor();
  await dialog.getByText("lead lists: 1 deleted").waitFor();
  await dialog.getByText(/campaigns: 1 changed/).waitFor();
  await check("the effect of a deletion");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await rest.get("/lead-lists")).body).toHaveLength(1);
  await page.getByRole("button", { name: "Delete…" }).click();
  await dialog.getByRole("button", { name: "Delete list" }).click();
  await page.getByText("No lists yet.").waitFor();
  expect((await rest.get("/lead-lists")).body).toEqual([]);
  expect((await rest.get("/leads?search=ada")).body.total).toBe(1);
}, 120_000);

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 390 },
])(
  "a filter of nested conditions shows who matches while it is edited, and becomes a dynamic list: %p",
  async (look) => {
    const person = await withPeople();
    const { rest } = person;
    const { page, check } = await visit(person, "/lists/new", look);
    await page.getByLabel("Name").fill("Fair in Germany");
    await page.getByLabel("Type").selectOption("DYNAMIC");
    const first = page.getByRole("group", { name: "Condition 1", exact: true });
    const matching = page.getByRole("region", { name: "Leads that match" });
    await matching.getByText("Complete each condition to see who matches.").waitFor();
    await first.getByLabel("Field").selectOption({ label: "Tags" });
    await first.getByLabel("Values").selectOption("fair");
    await matching.getByText("2 leads match now.").waitFor();
    await matching.getByRole("link", { name: "bob@widgets.test" }).waitFor();
    await page.getByRole("button", { name: "Add group" }).click();
    const inner = page.getByRole("group", { name: "Condition 2.1" });
    await inner.getByLabel("Field").selectOption({ label: "Country" });
    await inner.getByLabel("Value").fill("Germany");
    await matching.getByText("1 lead matches now.").waitFor();
    await page
      .getByRole("group", { name: "Group 2", exact: true })
      .getByRole("button", { name: "Add condition" })
      .click();
    const second = page.getByRole("group", { name: "Condition 2.2" });
    await second.getByLabel("Field").selectOption({ label: "Employees" });
    await second.getByLabel("Comparison").selectOption({ label: "is between" });
    await second.getByLabel("From").fill("30");
    await second.getByLabel("To").fill("20");
    await second.getByText("must be two numbers, the smaller first").first().waitFor();
    await check("a condition that is refused");
    await second.getByLabel("From").fill("15");
    await matching.getByText("2 leads match now.").waitFor();
    await check("a filter with who matches");
    await page.getByRole("button", { name: "Create list" }).click();
    await page.getByText("“Fair in Germany” is created.").waitFor();
    await page.getByRole("link", { name: "bob@widgets.test" }).waitFor();
    const [list] = (await rest.get("/lead-lists")).body;
    expect(list).toMatchObject({ type: "DYNAMIC", memberCount: 2 });
    expect(list.filterRules).toEqual({
      combinator: "AND",
      rules: [
        { field: "tags", operator: "CONTAINS_ANY", value: ["fair"] },
        {
          combinator: "OR",
          rules: [
            { field: "country", operator: "EQ", value: "Germany" },
            { field: "customFields.employees", operator: "BETWEEN", value: [15, 20] },
          ],
        },
      ],
    });
    expect(await namesIn(rest, list.id)).toEqual(["ada@engines.test", "bob@widgets.test"]);
  },
  120_000,
);

test("a stored filter opens as it is, unknown conditions stay, and events can be required", async () => {
  const person = await withPeople();
  const { rest } = person;
  const odd = { field: "customFields.vip", operator: "EQ", value: true };
  const filterRules = { version: 1, rules: [odd, { field: "company", operator: "CONTAINS", value: "engines" }] };
  const { body: list } = await rest.post("/lead-lists", { name: "Odd", filterRules });
  const { page, check } = await visit(person, `/lists/${list.id}`);
  await page.getByText("This condition was made through the API.").waitFor();
  await page.getByText("0 leads match now.").waitFor();
  await check("a condition of the API");
  await page.getByRole("button", { name: "Add condition" }).click();
  const third = page.getByRole("group", { name: "Condition 3" });
  await third.getByLabel("Field").selectOption({ label: "Opened an email" });
  await third.getByLabel("Happened").selectOption("no");
  await third.getByLabel("Within days").fill("30");
  await page.getByRole("link", { name: "Lists", exact: true }).click();
  await page
    .getByRole("alert")
    .getByRole("button", { name: /stay|keep/i })
    .click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("“Odd” is saved.").waitFor();
  const stored = async () => (await rest.get("/lead-lists")).body[0];
  expect((await stored()).filterRules).toEqual({
    combinator: "AND",
    rules: [
      odd,
      { field: "company", operator: "CONTAINS", value: "engines" },
      { event: "OPEN", operator: "PERFORMED", withinDays: 30, negate: true },
    ],
  });
  await page.goto(`${world.baseUrl}/w/${person.workspaceId}/lists/${list.id}`);
  await page.getByRole("button", { name: "Remove condition 1" }).click();
  await page.getByText("2 leads match now.").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await until(async () => (await stored()).memberCount === 2, { deadlineMs: 30_000, what: "the new filter" });
}, 120_000);

test("a change of a filter shows its effect first while a campaign adds new members by itself", async () => {
  const person = await withPeople();
  const { rest, workspaceId } = person;
  const { body: list } = await rest.post("/lead-lists", { name: "Feeds", filterRules: { tags: ["none"] } });
  const { campaignId } = await readyCampaign(rest, workspaceId, ["grace@navy.test"]);
  await rest.post(`/campaigns/${campaignId}/recipients`, { action: "addFromList", leadListId: list.id });
  await rest.patch(`/campaigns/${campaignId}/settings`, { autoRefreshAudience: true, startAt: "2035-01-01" });
  expect((await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" })).body.launched).toBe(true);
  const { page, check } = await visit(person, `/lists/${list.id}`);
  await page.getByLabel("Description").fill("From the fair");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("“Feeds” is saved.").waitFor();
  // The filter was not changed, so it stays in the form in which it was stored
  const stored = async () => (await rest.get("/lead-lists")).body[0];
  expect(await stored()).toMatchObject({ description: "From the fair", filterRules: { tags: ["none"] } });
  await page.goto(`${world.baseUrl}/w/${workspaceId}/lists/${list.id}`);
  const first = page.getByRole("group", { name: "Condition 1" });
  await first.getByLabel("Values").selectOption("fair");
  await page.getByText("2 leads match now.").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the filter of “Feeds”?" });
  await dialog.getByText("The list has 0 leads now. 2 leads match the new filter.").waitFor();
  await check("the effect of another filter");
  expect((await stored()).filterRules).toEqual({ tags: ["none"] });
  await dialog.getByRole("button", { name: "Change filter" }).click();
  await page.getByText("“Feeds” is saved.").waitFor();
  expect((await stored()).filterRules).toMatchObject({ rules: [{ field: "tags", value: ["none", "fair"] }] });
}, 120_000);

test("a viewer sees lists and their filters and cannot change them", async () => {
  const owner = await withPeople();
  const { body: list } = await owner.rest.post("/lead-lists", { name: "Fair", filterRules: { tags: ["fair"] } });
  const viewer = await invited(world, owner, `viewer-${owner.userId}@acme.test`.toLowerCase(), "VIEWER");
  const { page } = await visit(viewer, "/lists");
  await page.getByRole("link", { name: "Fair", exact: true }).waitFor();
  expect(
    await page
      .getByRole("main")
      .getByRole("button", { name: /Edit|Delete/ })
      .count(),
  ).toBe(0);
  await page.goto(`${world.baseUrl}/w/${owner.workspaceId}/lists/${list.id}`);
  await page.getByText("2 leads match now.").waitFor();
  expect(await page.getByRole("main").getByRole("button", { name: "Save" }).count()).toBe(0);
  expect(await page.getByLabel("Name").isDisabled()).toBe(true);
}, 60_000);
