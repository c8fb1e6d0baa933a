import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { writeXlsx } from "hucre/xlsx";
import type { Page } from "playwright-core";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import { invited, type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, type Look, startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { visitAs } from "./signed-in-visit.ts";

let world: World;
let chromium: Chromium;

beforeAll(async () => {
  world = await startWorld({ console: await builtConsole(), worker: realWorker() });
  chromium = await startChromium();
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await world?.close();
});

const HEADERS = ["E-Mail", "Vorname", "Firma", "Umsatz", "Notiz"];
const ROWS = [
  ["ada@engines.test", "Ada", "Müller & Söhne", "1.234,50", "VIP"],
  ["grace@gmial.com", "Grace", "Navy", "99", ""],
  ["ada@engines.test", "Ada again", "", "", ""],
  ["ida-engines.test", "Ida", "", "", ""],
  ["mira@rival.test", "Mira", "", "", ""],
  ["noor@quiet.test", "Noor", "", "viel", ""],
];

/** A workbook as a German Excel writes it. */
async function germanBook(): Promise<Buffer> {
  const columns = HEADERS.map((header) => ({ key: header, header }));
  const data = ROWS.map((cells) => Object.fromEntries(cells.map((cell, at) => [HEADERS[at] ?? "", cell])));
  return Buffer.from(await writeXlsx({ sheets: [{ name: "Kontakte", columns, data }] }));
}

async function choose(page: Page, buffer: Buffer, name = "Kontakte.xlsx"): Promise<void> {
  await page
    .getByLabel("CSV or Excel file (.xlsx)")
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer });
}

async function openImport(person: SignedIn, look?: Look) {
  return visitAs(person, chromium, `${world.baseUrl}/w/${person.workspaceId}/leads/import`, look);
}

/** A workspace that has blocked one of the addresses and suppressed another. */
async function furnished(): Promise<SignedIn> {
  const person = await signedIn(world);
  const { rest } = person;
  await rest.post("/block-list", { value: "rival.test" });
  const { body: noor } = await rest.post("/leads", { email: "noor@quiet.test" });
  await rest.post("/leads/suppress", { action: "suppress", ids: [noor.id] });
  return person;
}

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 380 },
])(
  "a German Excel file becomes leads of a list, each step without accessibility faults: %p",
  async (look) => {
    const person = await furnished();
    const { rest, workspaceId } = person;
    const { page, check, complaints } = await visitAs(
      person,
      chromium,
      `${world.baseUrl}/w/${workspaceId}/leads`,
      look,
    );
    await page.getByRole("link", { name: "Import leads" }).click();
    await page.getByRole("heading", { name: "Choose a file" }).waitFor();
    await check("the choice of a file");
    await choose(page, await germanBook());

    await page.getByRole("heading", { name: "Match the columns" }).waitFor();
    await page.getByText("Kontakte.xlsx has 6 rows.").waitFor();
    await expectFocusOn(page, "Match the columns");
    for (const [column, field] of [
      ["E-Mail", "email"],
      ["Vorname", "firstName"],
      ["Firma", "company"],
      ["Umsatz", ""],
      ["Notiz", ""],
    ] as const)
      expect([column, await page.getByLabel(`Field for ${column}`).inputValue()]).toEqual([column, field]);
    await page.getByText("1.234,50").waitFor();
    await page.getByText("2 columns are left out.").waitFor();
    await check("the columns");
    await page.getByLabel("Field for Umsatz").selectOption({ label: "New field…" });
    const dialog = page.getByRole("dialog", { name: "New field for Umsatz" });
    await dialog.getByLabel("Type").selectOption({ label: "Number" });
    await check("a new field");
    await dialog.getByRole("button", { name: "Create field" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByLabel("Field for Umsatz").inputValue()).toBe("customFields.umsatz");
    await page.getByLabel("Field for Notiz").selectOption({ label: "Tags" });
    await page.getByRole("button", { name: "Check the rows" }).click();

    await page.getByRole("heading", { name: "Refused: 1 row" }).waitFor();
    expect((await rest.get("/leads")).body.total).toBe(1);
    await page.getByText("This is not a valid email address.").waitFor();
    await page.getByText("Did you mean grace@gmail.com?").waitFor();
    await page.getByText("The cell does not fit the type of its field and is left out.").waitFor();
    await page.getByText("An earlier row has the same address.").waitFor();
    await page.getByText("On the block list, so it is not imported.").waitFor();
    await page.getByText("1 address is suppressed.").waitFor();
    await check("the check");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download refused rows as CSV" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe("refused-rows-of-Kontakte.csv");
    expect(await readFile((await download.path()) ?? "", "utf8")).toBe(
      '"Row","Address","Reason"\r\n"4","ida-engines.test","This is not a valid email address."\r\n',
    );
    await page.getByLabel("Add the leads to").selectOption({ label: "A new list" });
    expect(await page.getByLabel("Name of the new list").inputValue()).toBe("Kontakte");
    await check("a new list");
    await page.getByRole("button", { name: "Import 3 rows" }).click();

    await page.getByRole("heading", { name: "Import completed, some rows were refused" }).waitFor();
    await page.getByText("2 leads created, 1 changed. 3 leads added to the list.").waitFor();
    await check("the result");
    await page.reload();
    await page.getByText("2 leads created, 1 changed. 3 leads added to the list.").waitFor();
    await page.getByRole("link", { name: "Show the leads of the list" }).click();
    await page.getByRole("link", { name: "ada@engines.test" }).waitFor();
    expect((await rest.get("/leads?search=ada@engines.test")).body.items).toMatchObject([
      { firstName: "Ada", company: "Müller & Söhne", tags: ["VIP"], customFields: { umsatz: 1234.5 } },
    ]);
    expect((await rest.get("/lead-lists")).body).toMatchObject([{ name: "Kontakte", memberCount: 3 }]);

    const { body: ada } = await rest.get("/leads?search=ada@engines.test");
    await rest.post("/leads/manage", { action: "createNote", leadId: ada.items[0].id, body: "Met" });
    await page.goto(`${world.baseUrl}/w/${workspaceId}/jobs`);
    await page.getByRole("button", { name: "Show" }).first().click();
    await page.getByRole("link", { name: "Open this import" }).click();
    await page.getByRole("button", { name: "Undo import…" }).click();
    const question = page.getByRole("dialog", { name: "Undo this import?" });
    await question.getByText("The 2 leads that this import created are deleted").waitFor();
    await check("the question before an undo");
    await question.getByRole("button", { name: "Undo import" }).click();
    await page.getByText("Undone: 1 lead deleted. 1 lead stays").waitFor();
    await check("an undone import");
    await page.reload();
    await page.getByText("Undone: 1 lead deleted. 1 lead stays").waitFor();
    const { body: left } = await rest.get("/leads");
    expect(left.items.map(({ email }: { email: string }) => email).toSorted()).toEqual([
      "ada@engines.test",
      "noor@quiet.test",
    ]);
    expect(complaints).toEqual([]);
  },
  90_000,
);

async function expectFocusOn(page: Page, text: string): Promise<void> {
  const isThere = async () => (await page.evaluate("document.activeElement?.textContent")) === text;
  await until(isThere, { deadlineMs: 10_000, what: `the focus on ${text}` });
}

test("a wrong file, several files and a wrong mapping are refused with what to do, and nothing is written", async () => {
  const person = await signedIn(world);
  const { page, check } = await openImport(person);
  await choose(page, Buffer.from("%PDF-1.7 is no table"), "brochure.pdf");
  await page.getByText("is a PDF file: save it as .xlsx or CSV").waitFor();
  await check("a refused file");
  await choose(page, Buffer.from("E-Mail;Mail;Name\na@x.test;b@x.test;=HYPERLINK(1)\n"), "two.csv");
  await page.getByLabel("Field for Mail").selectOption({ label: "Email address" });
  await page.getByRole("button", { name: "Check the rows" }).click();
  await page.getByText("“E-Mail” already fills Email address.").waitFor();
  expect(await page.getByLabel("Field for Mail").getAttribute("aria-invalid")).toBe("true");
  expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe("Field for Mail");
  await check("two columns on one field");
  await page.getByLabel("Field for Mail").selectOption({ label: "Leave out" });
  await page.getByLabel("Field for E-Mail").selectOption({ label: "Leave out" });
  await page.getByRole("button", { name: "Check the rows" }).click();
  await page.getByText("Choose the column with the email addresses.").waitFor();
  await page.getByRole("button", { name: "Choose another file" }).click();
  await page.getByLabel("CSV or Excel file (.xlsx)").waitFor();
  expect((await person.rest.get("/jobs")).body.total).toBe(0);
  expect((await person.rest.get("/leads")).body.total).toBe(0);
}, 60_000);

/** What a browser does when files are dropped on the title of the page. */
function dropped(files: Readonly<Record<string, string>>): string {
  return `(() => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of ${JSON.stringify(Object.entries(files))}) dataTransfer.items.add(new File([text], name));
    const event = () => ({ dataTransfer, bubbles: true, cancelable: true });
    const title = document.querySelector("h1");
    title.dispatchEvent(new DragEvent("dragover", event()));
    return title.dispatchEvent(new DragEvent("drop", event()));
  })()`;
}

test("a file can be dropped anywhere on the page, one at a time, and a refused row is harmless in a spreadsheet", async () => {
  const person = await signedIn(world);
  const { page } = await openImport(person);
  await page.getByRole("heading", { name: "Choose a file" }).waitFor();
  // False: the browser itself does not open the file
  expect(await page.evaluate(dropped({ "one.csv": "E-Mail\na@x.test", "two.csv": "E-Mail\nb@x.test" }))).toBe(false);
  await page.getByText("Choose one file.").waitFor();
  await page.evaluate(dropped({ "evil.csv": "E-Mail;Name\n=1+1;Eve\na@x.test;Ada\n" }));
  await page.getByText("evil.csv has 2 rows.").waitFor();
  await page.getByRole("button", { name: "Check the rows" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download refused rows as CSV" }).click();
  expect(await readFile((await (await saved).path()) ?? "", "utf8")).toContain(`"1","'=1+1",`);
}, 60_000);

test("an import whose answer is lost is started once, with one list, when the person tries again", async () => {
  const person = await signedIn(world);
  const { rest } = person;
  const { page } = await openImport(person);
  await choose(page, Buffer.from("E-Mail;Vorname\nada@x.test;Ada\n"), "once.csv");
  await page.getByRole("button", { name: "Check the rows" }).click();
  await page.getByLabel("Add the leads to").selectOption({ label: "A new list" });
  let lost = 0;
  await page.route("**/leads/import/file", async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Import 1 row" }).dblclick();
  await page.getByText("Outreach is not responding").waitFor();
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await page.getByRole("heading", { name: "Import completed" }).waitFor();
  const { body: jobs } = await rest.get("/jobs?type=LEAD_IMPORT");
  const commits = jobs.items.filter(({ result }: { result: { action: string } }) => result.action === "commit");
  expect(commits).toHaveLength(1);
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ name: "once", memberCount: 1 }]);
  expect((await rest.get("/leads")).body.total).toBe(1);
}, 60_000);

test("the choices of an import survive a look back, leaving asks first, and a started import stays where the person is", async () => {
  const person = await signedIn(world);
  const { rest, workspaceId } = person;
  const { page, check } = await openImport(person);
  await choose(page, Buffer.from("E-Mail;Vorname\nada@x.test;Ada\n"), "fair.csv");
  let isRunning = true;
  const cancelled: string[] = [];
  await page.route("**/leads/import/job_*", async (route) => {
    const answer = await route.fetch();
    const job = await answer.json();
    return route.fulfill({ response: answer, json: isRunning ? { ...job, status: "RUNNING", result: null } : job });
  });
  await page.route("**/leads/import/job_*/cancel", async (route) => {
    cancelled.push(route.request().url());
    const job = await (await route.fetch({ url: route.request().url().replace("/cancel", ""), method: "GET" })).json();
    return route.fulfill({ json: { ...job, status: "CANCELLED" } });
  });
  await page.getByLabel("Field for Vorname").selectOption({ label: "Last name" });
  await page.getByRole("button", { name: "Check the rows" }).click();
  await page.getByRole("button", { name: "Cancel check" }).click();
  await page.getByRole("heading", { name: "Match the columns" }).waitFor();
  expect(cancelled).toHaveLength(1);
  expect(await page.getByLabel("Field for Vorname").inputValue()).toBe("lastName");
  isRunning = false;
  await page.getByRole("button", { name: "Check the rows" }).click();
  await page.getByLabel("Add the leads to").selectOption({ label: "A new list" });
  await page.getByLabel("Name of the new list").fill("Trade fair");
  await page.getByRole("button", { name: "Change the columns" }).click();
  expect(await page.getByLabel("Field for Vorname").inputValue()).toBe("lastName");
  await page.getByRole("button", { name: "Check the rows" }).click();
  expect(await page.getByLabel("Name of the new list").inputValue()).toBe("Trade fair");

  const leads = page.getByRole("link", { name: "Leads", exact: true });
  await leads.click();
  await page.getByText("The import has not started yet.").waitFor();
  await check("the question before an import is left");
  await page.getByRole("button", { name: "Keep editing" }).click();
  const hold = Promise.withResolvers<void>();
  await page.route("**/leads/import/file", async (route) => {
    await hold.promise;
    return route.continue();
  });
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await page.getByText("Uploading:").or(page.getByText("The file is being read")).first().waitFor();
  await leads.click();
  await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
  hold.resolve();
  await page.getByText("The import of fair.csv has started.").waitFor();
  expect(new URL(page.url()).pathname).toBe(`/w/${workspaceId}/leads`);
  await page.getByRole("button", { name: "Open import" }).click();
  await page.getByText("1 lead created, 0 changed. 1 lead added to the list.").waitFor();
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ name: "Trade fair", memberCount: 1 }]);

  // A check imported nothing, so it is no import that could be opened or undone
  const { body: jobs } = await rest.get("/jobs?type=LEAD_IMPORT");
  const checked = jobs.items.find(({ result }: { result: { action: string } }) => result.action === "dryRun");
  await page.goto(`${world.baseUrl}/w/${workspaceId}/jobs?open=${checked.id}`);
  await page.getByText("dryRun").waitFor();
  expect(await page.getByRole("link", { name: "Open this import" }).count()).toBe(0);
  await page.goto(`${world.baseUrl}/w/${workspaceId}/leads/import?job=${checked.id}`);
  await page.getByRole("heading", { name: "Check completed" }).waitFor();
  await page.getByText("Nothing was imported.").waitFor();
  expect(await page.getByRole("button", { name: "Undo import…" }).count()).toBe(0);
  await check("a check that was opened by its address");
}, 90_000);

const MANY = 100_000;

test("a file of 100,000 rows is checked, imported and cancelled, and the page stays small and usable", async () => {
  const person = await signedIn(world);
  const { rest } = person;
  const { page } = await openImport(person);
  const lines = Array.from({ length: MANY }, (_, at) => (at < 1_500 ? `wrong ${at};W` : `p${at}@many.test;P${at}`));
  await choose(page, Buffer.from(["E-Mail;Vorname", ...lines].join("\n")), "many.csv");
  await page.getByText("many.csv has 100,000 rows.").waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "Check the rows" }).click();
  await page.getByText(/ of 100,000 rows checked\./).waitFor({ timeout: 60_000 });
  await page.getByRole("heading", { name: "Refused: 1,500 rows" }).waitFor({ timeout: 240_000 });
  await page.getByText("The file lists the first 1,000.").waitFor();
  expect(Number(await page.evaluate("document.querySelectorAll('main *').length"))).toBeLessThan(3_000);
  await page.getByRole("button", { name: "Import 98,500 rows" }).click();
  await page.getByRole("button", { name: "Cancel import" }).click({ timeout: 60_000 });
  const card = page.getByRole("dialog", { name: "Cancel this import?" });
  await card.getByRole("button", { name: "Cancel import" }).click();
  await page.getByRole("heading", { name: "The import was cancelled" }).waitFor();
  expect((await rest.get("/leads")).body.total).toBeLessThan(98_500);
}, 420_000);

test("a viewer sees no import, and learns on its page what is missing", async () => {
  const owner = await signedIn(world);
  const viewer = await invited(world, owner, `viewer-${owner.userId}@acme.test`, "VIEWER");
  const { page, check } = await visitAs(viewer, chromium, `${world.baseUrl}/w/${owner.workspaceId}/leads`);
  await page.getByText("No leads yet.").waitFor();
  expect(await page.getByRole("link", { name: "Import leads" }).count()).toBe(0);
  await page.goto(`${world.baseUrl}/w/${owner.workspaceId}/leads/import`);
  await page.getByText("create, change, import and delete leads").waitFor();
  expect(await page.getByLabel("CSV or Excel file (.xlsx)").count()).toBe(0);
  await check("a refused role");
}, 60_000);

test("an import from a campaign leads back to it", async () => {
  const person = await signedIn(world);
  const { campaignId } = await readyCampaign(person.rest, person.workspaceId, ["ada@example.test"]);
  const at = `${world.baseUrl}/w/${person.workspaceId}/campaigns/${campaignId}`;
  const { page } = await visitAs(person, chromium, `${at}?part=recipients`);
  await page.getByRole("button", { name: "Add recipients" }).click();
  await page.getByLabel("Addresses").fill("pasted@x.test");
  await page.getByRole("link", { name: "Import it into a list" }).click();
  await page.getByText("Your changes are not saved.").waitFor();
  await page.getByRole("button", { name: "Keep editing" }).click();
  expect(await page.getByLabel("Addresses").inputValue()).toBe("pasted@x.test");
  await page.getByLabel("Addresses").fill("");
  await page.getByRole("link", { name: "Import it into a list" }).click();
  await choose(page, Buffer.from("E-Mail\nmira@x.test\n"), "fair.csv");
  await page.getByRole("button", { name: "Check the rows" }).click();
  await page.getByLabel("Add the leads to").selectOption({ label: "A new list" });
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await page.getByRole("link", { name: "Back to the campaign" }).click();
  await page.getByRole("button", { name: "Add recipients" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(new URL(at).pathname);
}, 60_000);
