import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { invited, type SignedIn, signedIn } from "../support/signed-in.ts";
import {
  knows,
  receivedBy,
  startVerificationWorld,
  type VerificationWorld,
} from "../verification/verification-world.ts";
import { type Chromium, type Look, startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { visitAs } from "./signed-in-visit.ts";

let verifying: VerificationWorld;
let chromium: Chromium;
beforeAll(async () => {
  verifying = await startVerificationWorld({
    zone: { ...receivedBy("firm"), "nomail.test": { MX: ["0 ."] }, "mute.test": "silence" },
    rules: knows("ann", "bert"),
    console: await builtConsole(),
  });
  chromium = await startChromium();
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await verifying?.close();
}, 60_000);

const visit = (person: SignedIn, path: string, look?: Look) =>
  visitAs(person, chromium, `${verifying.world.baseUrl}/w/${person.workspaceId}${path}`, look);

async function withList() {
  const person = await signedIn(verifying.world);
  const { rest } = person;
  const { body: list } = await rest.post("/lead-lists", { name: "Fair", filterRules: { tags: ["fair"] } });
  for (const email of ["ann@firm.test", "gone@firm.test", "x@nomail.test"])
    await rest.post("/leads", { email, tags: ["fair"] });
  return { person, rest, list };
}

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 380 },
])(
  "a list and typed addresses are verified, and the results are shown and downloaded: %p",
  async (look) => {
    const { person, rest, list } = await withList();
    const { page, check } = await visit(person, "/lists", look);
    await page.getByRole("button", { name: "Verify…" }).click();
    const dialog = page.getByRole("dialog", { name: "Verify addresses" });
    await dialog.getByText("Mail servers are asked slowly").waitFor();
    expect(await dialog.getByLabel("List").inputValue()).toBe(list.id);
    await check("what to verify");
    await dialog.getByRole("button", { name: "Start" }).click();
    await page.getByText("The verification has started.").waitFor();
    const row = page.getByRole("row", { name: /Fair/ });
    await row.getByText("1 valid, 2 invalid").waitFor();
    await row.getByText("completed").waitFor();
    await page.getByText("What the results mean").click();
    await check("the results");
    expect((await rest.get("/leads?verificationStatus=INVALID")).body.total).toBe(2);

    await page.getByRole("button", { name: "Verify addresses" }).click();
    await dialog.getByLabel("What to verify").selectOption("emails");
    await dialog.getByLabel("Addresses").fill("bert@firm.test\n\n bert@firm.test \nno address");
    await dialog.getByRole("button", { name: "Start" }).click();
    const typed = page.getByRole("row", { name: /Chosen addresses/ });
    await typed.getByText("1 valid, 1 invalid").waitFor();
    const opened = page.waitForRequest(/\/exports\//);
    await typed.getByRole("button", { name: "Download results" }).click();
    const { pathname } = new URL((await opened).url());
    const workbook = await fetch(`${verifying.world.baseUrl}${pathname}`);
    expect(workbook.headers.get("content-disposition")).toMatch(/verification-job_.*\.xlsx/);
    expect(Buffer.from(await workbook.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from("PK"));
  },
  300_000,
);

test("a running verification is cancelled, and its state is shown", async () => {
  const { person, rest } = await withList();
  const emails = Array.from({ length: 2_000 }, (_, index) => `person-${index}@firm.test`);
  const { page } = await visit(person, "/verification");
  await page.getByText("No address has been verified yet.").waitFor();
  const { body: job } = await rest.post("/verification/jobs", { emails });
  await page.reload();
  await page.getByRole("button", { name: "Cancel" }).click();
  const asked = page.getByRole("dialog", { name: "Cancel" });
  await asked.getByText("Results so far stay.").waitFor();
  await asked.getByRole("button", { name: "Cancel verification" }).click();
  await page.getByText("The verification is cancelled.").waitFor();
  await page.getByRole("row", { name: /cancelled/ }).waitFor();
  expect((await rest.get(`/verification/jobs/${job.id}`)).body.status).toBe("CANCELLED");
}, 120_000);

test("schedules are added, changed, paused and deleted with Undo, and only changed settings are saved", async () => {
  const { person, rest, list } = await withList();
  const schedules = async () => (await rest.get("/verification/schedules")).body.items;
  const { page, check } = await visit(person, "/verification?part=schedules");
  await page.getByText("No schedules yet.").waitFor();
  await check("no schedules");
  await page.getByRole("button", { name: "New schedule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("How often").selectOption("DAILY");
  await dialog.getByRole("button", { name: "Save schedule" }).click();
  const row = page.getByRole("row", { name: /Fair/ });
  await row.getByText("every day").waitFor();
  expect(await schedules()).toMatchObject([{ listId: list.id, cadence: "DAILY", enabled: true }]);
  await row.getByRole("button", { name: "Change" }).click();
  await dialog.getByLabel("How often").selectOption("MONTHLY");
  await dialog.getByRole("button", { name: "Save schedule" }).click();
  await row.getByText("every 30 days").waitFor();
  await row.getByRole("button", { name: "Pause" }).click();
  await row.getByText("paused").waitFor();
  await check("a paused schedule");
  await row.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No schedules yet.").waitFor();
  expect(await schedules()).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await row.getByText("paused").waitFor();
  expect(await schedules()).toMatchObject([{ cadence: "MONTHLY", enabled: false }]);

  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByLabel("Treat catch-all domains as").selectOption("RISKY");
  // Someone else changes another setting meanwhile
  await rest.patch("/verification/settings", { blockInvalid: false });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The settings are saved.").waitFor();
  expect((await rest.get("/verification/settings")).body).toEqual({
    autoVerifyOnImport: false,
    blockInvalid: false,
    reverifyAfterDays: 30,
    treatCatchAllAs: "RISKY",
  });
  await check("the settings");
}, 120_000);

test("a viewer reads the results and cannot verify or change anything", async () => {
  const { person, rest, list } = await withList();
  await rest.put("/verification/schedules", { listId: list.id, cadence: "WEEKLY", enabled: false });
  const viewer = await invited(verifying.world, person, `viewer-${person.userId}@acme.test`.toLowerCase(), "VIEWER");
  const { page } = await visit(viewer, "/verification");
  await page.getByText("No address has been verified yet.").waitFor();
  expect(await page.getByRole("button", { name: "Verify addresses" }).count()).toBe(0);
  await page.getByRole("button", { name: "Schedules" }).click();
  const row = page.getByRole("row", { name: /Fair/ });
  await row.waitFor();
  expect(await row.getByRole("button").count()).toBe(0);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByText("Your role cannot change these settings.").waitFor();
  expect(await page.getByLabel("Treat catch-all domains as").isDisabled()).toBe(true);
}, 60_000);
