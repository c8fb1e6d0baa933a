import { expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { Session } from "../../models/sign-in/session.ts";
import { until } from "../fakes/wait.ts";
import { invited, PASSWORD } from "../support/signed-in.ts";
import { useSetup, visit, withLeads, world } from "./leads-setup.ts";

useSetup();

test("a lead is found, filtered and opened, and a suppression affects exactly the leads that its card names", async () => {
  const person = await withLeads();
  const { rest, ada, grace } = person;
  const { page, check } = await visit(person, `${person.at}/leads`);
  await page.getByRole("link", { name: "grace@navy.test" }).waitFor();
  await page.getByLabel("Search").fill("lovel");
  await page.getByRole("link", { name: "grace@navy.test" }).waitFor({ state: "detached" });
  await page.getByLabel("Tag").selectOption("poets");
  await page.getByLabel("List").selectOption({ label: "Founders" });
  await page.getByLabel("Sending", { exact: true }).selectOption("suppressed");
  await page.getByText("Nothing matches.").waitFor();
  expect(new URL(page.url()).search).toMatch(/search=lovel&tag=poets&list=lst_\w+&sending=suppressed/);
  await page.getByLabel("Sending", { exact: true }).selectOption("allowed");
  await page.getByRole("link", { name: "ada@engines.test" }).click();

  await page.getByRole("heading", { level: 1, name: "ada@engines.test" }).waitFor();
  for (const text of ["Analytical Engines", "Your notes", "Can be contacted", "The recipients of Spring"])
    await page.getByText(text).first().waitFor();
  await page.getByRole("button", { name: "Suppress" }).click();
  const card = page.getByRole("dialog", { name: "Suppress" });
  expect(await card.getByRole("listitem").allInnerTexts()).toEqual(["ada@engines.test", "Spring"]);
  await card.getByRole("button", { name: "Suppress 1 person" }).dblclick();
  await card.waitFor({ state: "detached" });
  await page.getByText("Do not contact: by hand").waitFor();
  await page.getByText("lead suppressed").waitFor();
  await check("a suppressed lead");
  expect((await rest.get(`/leads/${ada}`)).body).toMatchObject({
    suppressed: true,
    suppressionReason: "MANUAL",
    campaigns: [{ status: "SUPPRESSED" }],
  });
  expect((await rest.get(`/leads/${grace}`)).body).toMatchObject({
    suppressed: false,
    campaigns: [{ status: "PENDING" }],
  });
  const history = (await rest.get(`/leads/${ada}/activity`)).body.items;
  expect(history.filter(({ type }: { type: string }) => type === "SUPPRESSED")).toHaveLength(1);

  await page.goBack();
  await page.getByText("Nothing matches.").waitFor();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await page.getByLabel("Choose all of this page").check();
  expect(await page.getByRole("button", { name: /^(?:Suppress|Allow)/ }).allInnerTexts()).toEqual([
    "Suppress",
    "Allow emails again",
  ]);
  await page.getByRole("button", { name: "Suppress" }).click();
  expect(await card.getByRole("listitem").allInnerTexts()).toEqual(["grace@navy.test"]);
});

test("unsuppressing a lead shows the reason, asks for the password, and puts the lead back into no campaign", async () => {
  const person = await withLeads();
  const { rest, ada } = person;
  await rest.post("/leads/suppress", { action: "suppress", ids: [ada] });
  const { page, check } = await visit(person, `${person.at}/leads/${ada}`);
  await page.getByText("Do not contact: by hand").waitFor();
  await Session.updateMany({ userId: person.userId }, { $set: { confirmedAt: new Date(Date.now() - HOUR_MS) } });
  // The service remembers a session for a second
  const isOld = async () =>
    (await person.browser.console(null).get("/session")).body.confirmedAt <
    new Date(Date.now() - HOUR_MS / 2).toISOString();
  await until(isOld, { deadlineMs: 30_000, what: "a session that was confirmed long ago" });
  await page.getByRole("button", { name: "Allow emails again" }).click();
  const card = page.getByRole("dialog", { name: "Allow emails again" });
  expect(await card.getByRole("listitem").allInnerTexts()).toEqual(["ada@engines.test by hand"]);
  await check("what allowing does");
  await card.getByRole("button", { name: "Allow emails to 1 person" }).click();
  const asked = page.getByRole("dialog", { name: "Confirm your password" });
  await asked.getByRole("button", { name: "Cancel" }).click();
  await card.getByText("STEP_UP_REQUIRED").waitFor();
  expect((await rest.get(`/leads/${ada}`)).body.suppressed).toBe(true);
  await card.getByRole("button", { name: "Allow emails to 1 person" }).click();
  await asked.getByLabel("Password").fill(PASSWORD);
  await asked.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Can be contacted", { exact: true }).waitFor();
  expect((await rest.get(`/leads/${ada}`)).body).toMatchObject({
    suppressed: false,
    campaigns: [{ status: "SUPPRESSED" }],
  });
  await page.getByRole("button", { name: "Suppress" }).click();
  await page.getByText("They are in no running campaign.").waitFor();
}, 60_000);

test("a viewer can read all leads and the block list, and sees no buttons for changes", async () => {
  const owner = await withLeads();
  await owner.rest.post("/block-list", { value: "rival.test" });
  const viewer = await invited(world, owner, `viewer-${owner.userId}@acme.test`, "VIEWER");
  const { page, check } = await visit(viewer, `${owner.at}/leads`);
  await page.getByRole("link", { name: "ada@engines.test" }).waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(0);
  await check("a viewer's leads");
  await page.getByRole("link", { name: "ada@engines.test" }).click();
  await page.getByText("added to a campaign").waitFor();
  expect(await page.getByRole("button", { name: /Suppress|Allow/ }).count()).toBe(0);
  await page.getByRole("link", { name: "Block list" }).click();
  await page.getByText("rival.test").waitFor();
  expect(await page.getByRole("button", { name: /lock/ }).count()).toBe(0);
}, 60_000);
