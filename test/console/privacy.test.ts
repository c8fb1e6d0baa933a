import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { Membership } from "../../models/access/membership.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { loadGuardReasons } from "../../store/suppression/suppress.ts";
import { realWorker } from "../support/real-worker.ts";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, startChromium } from "./chromium.ts";
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

const visit = (person: SignedIn, path: string) =>
  visitAs(person, chromium, `${world.baseUrl}/w/${person.workspaceId}${path}`);

const ADA = "ada@people.test";

test("a retention is previewed before it is saved, and a viewer only sees it", async () => {
  const owner = await signedIn(world);
  const finishedAt = new Date(Date.now() - 8 * DAY_MS);
  const job = { type: "LEAD_IMPORT", status: "COMPLETED", chunkCount: 0, finishedAt } as const;
  await scoped(owner.workspaceId).Job.store({ _id: newId("job"), ...job });
  const { page, check } = await visit(owner, "/retention");
  await page.getByText("No round has run yet.").waitFor();
  await page.getByLabel("Finished jobs").fill("7");
  await page.getByRole("button", { name: "Preview" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Finished jobs: 1").waitFor();
  await check("the preview of a retention");
  expect((await owner.rest.get("/workspace/retention")).body.jobs).toBeNull();
  await dialog.getByRole("button", { name: "Save retention" }).click();
  await page.getByText("Next round").waitFor();
  expect((await owner.rest.get("/workspace/retention")).body).toMatchObject({ jobs: 7, events: null });
  expect(await scoped(owner.workspaceId).Job.count({})).toBe(1);

  await Membership.updateOne({ userId: owner.userId, workspaceId: owner.workspaceId }, { $set: { role: "VIEWER" } });
  await page.reload();
  await page.getByText("Finished jobs: 7").waitFor();
  expect(await page.getByRole("button", { name: "Preview" }).count()).toBe(0);
  await check("the retention for a viewer");
}, 90_000);

test("everything about a person is exported as a file, and an erasure shows its plan before it starts", async () => {
  const owner = await signedIn(world);
  const ada = { _id: newId("led"), email: ADA, emailDomain: "people.test", firstName: "Ada" };
  await scoped(owner.workspaceId).Lead.store(ada);
  const { page, check } = await visit(owner, "/privacy");
  await page.getByLabel("Email address of the person").fill(ADA);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export", exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("person.json");
  expect(JSON.parse(await readFile(await file.path(), "utf8"))).toMatchObject({ addresses: [ADA] });
  await page.getByText(`The file contains everything about ${ADA}.`).waitFor();
  await check("an export of a person");

  await page.getByLabel("What to do").selectOption("ERASE");
  await page.getByRole("button", { name: "Show the plan" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("leads: 1 deleted").waitFor();
  await dialog.getByText("What is kept, and why").click();
  await dialog.getByText("audit log:").waitFor();
  await check("the plan of an erasure");
  expect((await loadGuardReasons(owner.workspaceId, [ADA])).size).toBe(0);
  await dialog.getByRole("button", { name: "Erase person" }).click();
  await page.getByRole("link", { name: "Open jobs" }).waitFor();
  expect((await loadGuardReasons(owner.workspaceId, [ADA])).get(ADA)).toEqual(["MANUAL"]);
  await check("an erasure that has started");
}, 90_000);
