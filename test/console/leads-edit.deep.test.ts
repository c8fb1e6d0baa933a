import { expect, test } from "@jest/globals";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { invited, signedIn } from "../support/signed-in.ts";
import type { Look } from "./chromium.ts";
import { useSetup, visit, withLeads, world } from "./leads-setup.ts";

useSetup();

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 380 },
])(
  "a lead is created with custom fields, and a value of the wrong type is refused beside its field: %p",
  async (look) => {
    const person = await signedIn(world);
    const { rest, workspaceId } = person;
    await rest.post("/custom-fields", { label: "Budget", type: "NUMBER" });
    await rest.post("/custom-fields", { label: "Size", type: "SELECT", options: ["small", "large"] });
    const { page, check } = await visit(person, `/w/${workspaceId}/leads`, look);
    await page.getByRole("button", { name: "New lead" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New lead" });
    await dialog.getByLabel("Budget").fill("a lot");
    await dialog.getByLabel("Address").fill("  Ada@Engines.test ");
    await dialog.getByLabel("First name").fill("Ada");
    await dialog.getByLabel("Last name").fill("Lovelace");
    await dialog.getByLabel("Country").fill("Deutschland");
    await dialog.getByLabel("Time zone").fill("nowhere");
    await dialog.getByLabel("Size").selectOption("large");
    await dialog.getByLabel("Tags").fill("fair\n\n poets \nfair");
    await dialog.getByRole("button", { name: "Create lead" }).click();
    await dialog.getByText("is not a known time zone").waitFor();
    expect((await rest.get("/leads")).body.total).toBe(0);
    await dialog.getByLabel("Time zone").fill("Berlin");
    await dialog.getByRole("button", { name: "Create lead" }).click();
    await dialog.getByText("must be a number").waitFor();
    expect(await dialog.getByLabel("Budget").getAttribute("aria-invalid")).toBe("true");
    await check("a value of the wrong type");
    await dialog.getByLabel("Budget").fill("1.234,5");
    await dialog.getByRole("button", { name: "Create lead" }).click();
    await page.getByRole("heading", { name: "ada@engines.test" }).waitFor();
    const { items } = (await rest.get("/leads")).body;
    expect(items).toMatchObject([
      {
        email: "ada@engines.test",
        fullName: "Ada Lovelace",
        country: "DE",
        timezone: "Europe/Berlin",
        tags: ["fair", "poets"],
        customFields: { budget: 1234.5, size: "large" },
      },
    ]);
    await check("the new lead");

    await page.goto(`${world.baseUrl}/w/${workspaceId}/leads`);
    await page.getByRole("button", { name: "New lead" }).click();
    await dialog.getByLabel("Address").fill("ada@engines.test");
    await dialog.getByRole("button", { name: "Create lead" }).click();
    await dialog.getByText("A lead with this address already exists.").waitFor();
    const link = dialog.getByRole("link", { name: "Open the lead with this address" });
    expect(await link.getAttribute("href")).toContain(`/leads/${items[0].id}`);
    await check("an address that is taken");
  },
  120_000,
);

test("an edit writes only the fields that the person changed, and Undo restores them", async () => {
  const person = await withLeads();
  const { rest, ada } = person;
  const opener = "One line\nand another";
  const before = { opener, remark: "Two\nlines", nested: { kept: true } };
  await rest.post("/leads/manage", { action: "update", leadId: ada, patch: { customFields: before } });
  const { page, check } = await visit(person, `${person.at}/leads/${ada}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Edit ada@engines.test" });
  await dialog.getByText("Emails that are not sent yet use the new values.").waitFor();
  await check("the fields of a lead");
  await dialog.getByLabel("Company").fill("Engines Ltd");
  await dialog.getByLabel("Job title").fill("Countess");
  await dialog.getByLabel("opener").fill("");
  await dialog.getByLabel("Tags").fill("poets\nfair");
  // Someone else changes another field meanwhile
  await rest.post("/leads/manage", { action: "update", leadId: ada, patch: { city: "London" } });
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("The lead is saved.").waitFor();
  const stored = async () => (await rest.get(`/leads/${ada}`)).body;
  expect(await stored()).toMatchObject({
    company: "Engines Ltd",
    jobTitle: "Countess",
    city: "London",
    tags: ["poets", "fair"],
    customFields: { remark: "Two\nlines", nested: { kept: true } },
  });
  expect((await stored()).customFields).not.toHaveProperty("opener");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("The earlier values are back.").waitFor();
  expect(await stored()).toMatchObject({
    company: "Analytical Engines",
    jobTitle: null,
    city: "London",
    tags: ["poets"],
    customFields: before,
  });

  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await dialog.getByLabel("Address").fill("grace@navy.test");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("A lead with this address already exists.").waitFor();
  await dialog.getByLabel("Address").fill("countess@engines.test");
  await dialog.getByLabel("Status").selectOption("INTERESTED");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "countess@engines.test" }).waitFor();
  expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
  expect(await stored()).toMatchObject({ email: "countess@engines.test", status: "INTERESTED" });
}, 120_000);

test("notes are written and deleted, and a lead is deleted after its effect was shown", async () => {
  const person = await withLeads();
  const { rest, ada } = person;
  const { page, check } = await visit(person, `${person.at}/leads/${ada}?part=notes`);
  await page.getByText("Likes numbers").waitFor();
  await page.getByLabel("New note").fill("Wants a demo\nin March");
  await page.getByRole("button", { name: "Add note" }).click();
  const note = page.getByRole("listitem").filter({ hasText: "Wants a demo" });
  await note.waitFor();
  expect(await page.getByLabel("New note").inputValue()).toBe("");
  await page.getByRole("button", { name: "Notes 2" }).waitFor();
  await check("two notes");
  await note.getByRole("button", { name: "Delete note" }).click();
  const asked = page.getByRole("dialog", { name: "Delete note" });
  await asked.getByText("It cannot be restored.").waitFor();
  await asked.getByRole("button", { name: "Delete note" }).click();
  await note.waitFor({ state: "detached" });
  const notes = async () => (await rest.get(`/leads/${ada}/activity?view=notes`)).body.items;
  expect((await notes()).map(({ body }: { body: string }) => body)).toEqual(["Likes numbers"]);

  await page.getByRole("button", { name: "Delete…" }).click();
  const removal = page.getByRole("dialog", { name: /Delete 1 lead/ });
  await removal
    .getByText(/campaigns: 1 changed|leads: 1 deleted/)
    .first()
    .waitFor();
  await check("the effect of a deletion");
  await removal.getByRole("button", { name: "Cancel" }).click();
  expect((await rest.get(`/leads/${ada}`)).status).toBe(200);
  await page.getByRole("button", { name: "Delete…" }).click();
  await removal.getByRole("button", { name: "Delete", exact: false }).click();
  await page.getByRole("heading", { name: "Leads", exact: true }).waitFor();
  expect((await rest.get(`/leads/${ada}`)).status).toBe(404);
}, 120_000);

test("a change that makes a running campaign send shows its effect first", async () => {
  const person = await signedIn(world);
  const { rest, workspaceId } = person;
  const { body: list } = await rest.post("/lead-lists", { name: "Fair", filterRules: { tags: ["fair"] } });
  const { campaignId } = await readyCampaign(rest, workspaceId, ["grace@navy.test"]);
  await rest.post(`/campaigns/${campaignId}/recipients`, { action: "addFromList", leadListId: list.id });
  await rest.patch(`/campaigns/${campaignId}/settings`, { autoRefreshAudience: true, startAt: "2035-01-01" });
  expect((await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" })).body.launched).toBe(true);
  const { body: ada } = await rest.post("/leads", { email: "ada@engines.test", firstName: "Ada" });
  const { page, check } = await visit(person, `/w/${workspaceId}/leads/${ada.id}`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("dialog", { name: "Edit ada@engines.test" }).getByLabel("Tags").fill("fair");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const asked = page.getByRole("dialog", { name: "Save ada@engines.test and send emails?" });
  await asked.getByText("the lead joins a running campaign").waitFor();
  await check("the effect of an edit");
  expect((await rest.get(`/leads/${ada.id}`)).body.tags).toEqual([]);
  await asked.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await asked.getByRole("button", { name: "Save and send" }).click();
  await page.getByText("The lead is saved.").waitFor();
  expect((await rest.get(`/leads/${ada.id}`)).body.tags).toEqual(["fair"]);
}, 120_000);

test("a viewer sees no button to create, edit or delete leads and notes", async () => {
  const owner = await withLeads();
  const viewer = await invited(world, owner, `viewer-${owner.userId}@acme.test`.toLowerCase(), "VIEWER");
  const { page } = await visit(viewer, `${owner.at}/leads`);
  await page.getByRole("link", { name: "ada@engines.test" }).waitFor();
  expect(await page.getByRole("button", { name: "New lead" }).count()).toBe(0);
  await page.goto(`${world.baseUrl}${owner.at}/leads/${owner.ada}?part=notes`);
  await page.getByText("Likes numbers").waitFor();
  expect(await page.getByRole("button", { name: /Edit|Delete|Add note/ }).count()).toBe(0);
}, 60_000);
