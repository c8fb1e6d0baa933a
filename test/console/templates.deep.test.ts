import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
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

test("a template is written with a preview of its variables, edited, duplicated, deleted and restored", async () => {
  const person = await signedIn(world);
  const { rest } = person;
  const { page, check } = await visit(person, "/templates");
  await page.getByText("No templates yet").waitFor();
  await check("no templates");
  await page.getByRole("button", { name: "New template" }).click();
  const dialog = page.getByRole("dialog", { name: "New template" });
  await dialog.getByLabel("Name").fill("Opener");
  await dialog.getByLabel("Subject").fill("A question, {{firstName}}");
  await dialog.getByLabel("Text").fill("Hello {{ frist_name }}");
  const preview = dialog.getByRole("region", { name: "Preview" });
  await preview.getByText("A question, Ada").waitFor();
  await preview.getByText("Did you mean firstName?").waitFor();
  await check("a new template");
  await dialog.getByLabel("Text").fill("Hello {{ firstName");
  await preview.getByRole("alert").waitFor();
  await dialog.getByLabel("Text").fill("Hello {{ firstName }}, shall we talk?");
  await preview.getByText("Hello Ada, shall we talk?").waitFor();
  await dialog.getByRole("button", { name: "Create template" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Opener" }).waitFor();

  await page.getByRole("link", { name: "Opener" }).click();
  const edit = page.getByRole("dialog", { name: "Opener" });
  await edit.getByLabel("Name").fill("First mail");
  await edit.getByRole("button", { name: "Save template" }).click();
  await page.getByRole("link", { name: "First mail" }).waitFor();
  await check("templates");
  const { items } = (await rest.get("/templates")).body;
  expect(items).toMatchObject([{ name: "First mail", kind: "STEP", version: 2, variables: ["firstName"] }]);
  expect((await rest.get(`/templates/${items[0].id}`)).body).toMatchObject({
    bodyText: "Hello {{ firstName }}, shall we talk?",
    bodyHtml: null,
  });

  await page.getByRole("button", { name: "Duplicate" }).click();
  const copy = page.getByRole("row", { name: /First mail \(copy\)/ });
  await copy.waitFor();
  await copy.getByRole("button", { name: "Delete" }).click();
  await copy.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await copy.waitFor();
  expect((await rest.get("/templates")).body.total).toBe(2);
}, 60_000);

test("the sequence of a campaign becomes a template, and its HTML is saved as it is written", async () => {
  const person = await signedIn(world);
  const { rest, workspaceId } = person;
  await readyCampaign(rest, workspaceId);
  const { page, check } = await visit(person, "/templates");
  await page.getByRole("button", { name: "New template" }).click();
  const dialog = page.getByRole("dialog", { name: "New template" });
  await dialog.getByLabel("Name").fill("From Spring");
  await dialog.getByLabel("Kind").selectOption("Sequence");
  await dialog.getByLabel("Campaign to copy").selectOption({ label: "Spring" });
  await dialog.getByRole("button", { name: "Create template" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "From Spring" }).click();
  const edit = page.getByRole("dialog", { name: "From Spring" });
  await edit.getByLabel("Text (HTML)").fill("<p>Hello <b>{{firstName}}</b></p>");
  await check("a sequence template");
  await edit.getByRole("button", { name: "Save template" }).click();
  await edit.waitFor({ state: "detached" });
  const [{ id }] = (await rest.get("/templates")).body.items;
  expect((await rest.get(`/templates/${id}`)).body).toMatchObject({
    kind: "SEQUENCE",
    steps: [{ variants: [{ bodyHtml: "<p>Hello <b>{{firstName}}</b></p>" }] }],
  });
}, 60_000);

test("what was typed into a new template stays when its kind changes, and a sequence that cannot be read is said", async () => {
  const person = await signedIn(world);
  const { rest, workspaceId } = person;
  await readyCampaign(rest, workspaceId);
  const { page } = await visit(person, "/templates");
  await page.getByRole("button", { name: "New template" }).click();
  const dialog = page.getByRole("dialog", { name: "New template" });
  const [subject, text, kind] = ["Subject", "Text", "Kind"].map((label) => dialog.getByLabel(label));
  await dialog.getByLabel("Name").fill("Kept");
  await subject?.fill("A question");
  await text?.fill("First words");
  await kind?.selectOption("Reply");
  expect(await subject?.count()).toBe(0);
  await text?.fill("Other words");
  await kind?.selectOption("Sequence");
  await dialog.getByLabel("Campaign to copy").selectOption({ label: "Spring" });
  await page.route("**/sequence", (route) => route.fulfill({ status: 403, json: { code: "FORBIDDEN", message: "" } }));
  await dialog.getByRole("button", { name: "Create template" }).click();
  await dialog.getByRole("alert").getByText("FORBIDDEN").waitFor();
  expect((await rest.get("/templates")).body.total).toBe(0);
  await kind?.selectOption("Step");
  expect(await subject?.inputValue()).toBe("A question");
  expect(await text?.inputValue()).toBe("Other words");
  await dialog.getByRole("button", { name: "Create template" }).click();
  await dialog.waitFor({ state: "detached" });
  const [{ id }] = (await rest.get("/templates")).body.items;
  expect((await rest.get(`/templates/${id}`)).body).toMatchObject({ subject: "A question", bodyText: "Other words" });
}, 60_000);

test("a template that was opened before is edited as it is now", async () => {
  const person = await signedIn(world);
  const { rest } = person;
  const { body } = await rest.post("/templates", { name: "Prices", kind: "REPLY", bodyText: "Hello" });
  const { page } = await visit(person, `/templates?open=${body.id}`);
  const edit = page.getByRole("dialog", { name: "Prices" });
  await edit.getByLabel("Text").waitFor();
  await edit.getByRole("button", { name: "Cancel" }).click();
  await rest.patch(`/templates/${body.id}`, { bodyText: "Their words" });
  // An answer counts as current for a second
  await page.evaluate("Date.now = ((now) => () => now() + 5_000)(Date.now)");
  await page.getByRole("link", { name: "Prices" }).click();
  expect(await edit.getByLabel("Text").inputValue()).toBe("Their words");
}, 60_000);

test("a template that someone else has changed meanwhile is not overwritten, and what was typed stays", async () => {
  const person = await signedIn(world);
  const { rest } = person;
  const { body } = await rest.post("/templates", { name: "Prices", kind: "REPLY", bodyText: "Hello" });
  const { page } = await visit(person, `/templates?open=${body.id}`);
  const edit = page.getByRole("dialog", { name: "Prices" });
  await edit.getByLabel("Text").fill("My own words");
  await rest.patch(`/templates/${body.id}`, { bodyText: "Their words" });
  await edit.getByRole("button", { name: "Save template" }).click();
  await edit.getByRole("alert").waitFor();
  expect(await edit.getByLabel("Text").inputValue()).toBe("My own words");
  expect((await rest.get(`/templates/${body.id}`)).body.bodyText).toBe("Their words");
}, 60_000);

test("the search of the sidebar finds pages and records, and opens them by keyboard", async () => {
  const person = await signedIn(world);
  const { rest, workspaceId } = person;
  const { campaignId } = await readyCampaign(rest, workspaceId);
  await rest.post("/templates", { name: "Spring opener", kind: "STEP", subject: "Hello" });
  const { page, check } = await visit(person, "");
  await page.getByRole("button", { name: "Search or go to" }).click();
  const dialog = page.getByRole("dialog", { name: "Search or go to" });
  await dialog.getByRole("textbox").fill("spring");
  await dialog.getByRole("link", { name: "Spring Campaign" }).waitFor();
  expect(await dialog.getByRole("link").allInnerTexts()).toEqual([
    expect.stringContaining("Campaign"),
    expect.stringContaining("Template"),
  ]);
  await check("results of a search");
  await dialog.getByRole("textbox").press("Enter");
  await until(() => Promise.resolve(new URL(page.url()).pathname.endsWith(`/campaigns/${campaignId}`)), {
    deadlineMs: 10_000,
    what: "the page of the campaign",
  });
}, 60_000);

test("a search that fails says so and can be repeated", async () => {
  const { page } = await visit(await signedIn(world), "");
  const isSearch = ({ pathname }: URL) => pathname.endsWith("/search");
  await page.route(isSearch, (route) => route.fulfill({ status: 403, json: { code: "FORBIDDEN", message: "" } }));
  await page.getByRole("button", { name: "Search or go to" }).click();
  const dialog = page.getByRole("dialog", { name: "Search or go to" });
  await dialog.getByRole("textbox").fill("nothing like this");
  await dialog.getByRole("alert").getByText("FORBIDDEN").waitFor();
  expect(await dialog.getByText("Nothing matches.").count()).toBe(0);
  await page.unroute(isSearch);
  await dialog.getByRole("button", { name: "Try again" }).click();
  await dialog.getByText("Nothing matches.").waitFor();
}, 60_000);
