import { expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { Session } from "../../models/session.ts";
import { forgetRates } from "../../mongo/rate-limit.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { until } from "../fakes/wait.ts";
import { invited, PASSWORD, signedIn } from "../support/signed-in.ts";
import { chromium, useSetup, visit, withCampaign, world } from "./frame-setup.ts";

useSetup();

test("a link to a page survives signing in, and its filter and open row are in it", async () => {
  const { email, workspaceId, campaignId } = await withCampaign();
  const [recipient] = await scoped(workspaceId).Recipient.find({ campaignId, email: "ada@example.test" });
  const path = `/w/${workspaceId}/campaigns/${campaignId}?status=PENDING&open=${recipient?._id}`;
  const { page, check } = await chromium.open();
  await page.goto(`${world.baseUrl}${path}`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("The campaign has not been launched").waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
  expect(await page.getByRole("button", { name: /^waiting 2/ }).getAttribute("aria-pressed")).toBe("true");
  await page.getByRole("button", { name: /^All 2/ }).click();
  await page.goBack();
  await page.getByRole("button", { name: "Hide ada@example.test" }).waitFor();
  await check("the page that was linked");
}, 60_000);

test("the postal address of each footer is given on the start page; what is too long is refused beside it", async () => {
  const person = await withCampaign();
  const { page, check } = await visit(person, `/w/${person.workspaceId}`, { width: 380 });
  await page.getByRole("button", { name: "Give it…" }).click();
  const field = page.getByRole("textbox", { name: "Postal address" });
  await field.fill("A".repeat(501));
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").getByText("500").last().waitFor();
  await check("an address that is too long");
  expect((await person.rest.get("/workspace")).body.postalAddress).toBeNull();
  await field.fill("Acme Ltd\n1 Main Street\nLondon");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The address stands in the footer").waitFor();
  await page.getByRole("button", { name: "Give it…" }).waitFor({ state: "detached" });
  expect((await person.rest.get("/workspace")).body.postalAddress).toBe("Acme Ltd\n1 Main Street\nLondon");
});

test("two tabs are in two workspaces, and each says which in every request", async () => {
  const person = await withCampaign();
  const { body: client } = await person.rest.post("/workspaces", { name: "Client" });
  const { page, context } = await visit(person, `/w/${person.workspaceId}/campaigns`);
  const second = await context.newPage();
  await second.goto(`${world.baseUrl}/w/${client.id}/campaigns`);
  await page.getByRole("link", { name: "Spring" }).waitFor();
  await second.getByText("There is no campaign yet").waitFor();
  expect(await second.getByRole("link", { name: "Spring" }).count()).toBe(0);
  await second.getByLabel("Workspace").selectOption({ label: "Acme" });
  await second.getByText("Spring").waitFor();
}, 60_000);

test("what weighs much asks for a password that is old, does nothing without it, and says when to try again after too many", async () => {
  const person = await withCampaign();
  await person.rest.post("/workspace", { action: "pauseSending" });
  const { page, check } = await visit(person, `/w/${person.workspaceId}/campaigns`);
  await page.getByRole("button", { name: "Let it go on" }).click();
  await Session.updateMany({ userId: person.userId }, { $set: { confirmedAt: new Date(Date.now() - HOUR_MS) } });
  // The service remembers a session for a second
  const isOld = async () =>
    (await person.browser.console(null).get("/session")).body.confirmedAt < new Date(Date.now() - HOUR_MS / 2).toISOString();
  await until(isOld, { deadlineMs: 30_000, what: "a session that was confirmed long ago" });
  await page.getByRole("button", { name: "Let mail leave again" }).click();
  const asked = page.getByRole("dialog", { name: "Your password, once more" });
  await asked.getByLabel("Password").fill("wrong horse battery");
  await asked.getByRole("button", { name: "Go on" }).click();
  await asked.getByText("The password is not right.").waitFor();
  expect((await person.rest.get("/workspace")).body.isSendingPaused).toBe(true);
  await check("the password");
  const guesses = Array.from({ length: 9 }, () => person.rest.post("/session/confirm", { password: "wrong horse battery" }));
  expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(Array(9).fill(422));
  await asked.getByLabel("Password").fill(PASSWORD);
  await asked.getByRole("button", { name: "Go on" }).click();
  await asked.getByText(/^Too many wrong passwords or codes: try again in \d+ seconds\.$/).waitFor();
  await forgetRates();
  await asked.getByLabel("Password").fill(PASSWORD);
  await asked.getByRole("button", { name: "Go on" }).click();
  await page.getByText("All mail of this workspace is stopped").waitFor({ state: "detached" });
  expect((await person.rest.get("/workspace")).body.isSendingPaused).toBe(false);
}, 60_000);

test("a viewer sees no button that answers 403", async () => {
  const owner = await withCampaign();
  const viewer = await invited(world, owner, `viewer-${owner.userId}@acme.test`, "VIEWER");
  const { page, check } = await visit(viewer, `/w/${owner.workspaceId}/campaigns/${owner.campaignId}`);
  await page.getByRole("button", { name: "Why? ada@example.test" }).waitFor();
  for (const name of ["Launch…", "More", "Stop all mail", "Pause"])
    expect([name, await page.getByRole("button", { name }).count()]).toEqual([name, 0]);
  await check("a viewer's page");
}, 60_000);

test("signing out ends the session on the server", async () => {
  const person = await withCampaign();
  const { page } = await visit(person, `/w/${person.workspaceId}/campaigns`);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect((await person.browser.console(null).get("/session")).status).toBe(401);
}, 60_000);

test("somebody else's workspace is as good as none", async () => {
  const [person, other] = [await signedIn(world), await withCampaign()];
  const { page, check } = await visit(person, `/w/${other.workspaceId}/campaigns/${other.campaignId}`);
  await page.getByRole("heading", { name: "You are not a member of this workspace" }).waitFor();
  expect(await page.getByText("Spring").count()).toBe(0);
  await check("not a member");
}, 60_000);

test("a first sign-in by a link ends in the console", async () => {
  const { ownerId } = await world.workspace();
  const { page } = await chromium.open();
  await page.goto(`${world.baseUrl}/sign-in/${await createPersonLink(ownerId, new Date())}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Start" }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/w\/wsp_/);
}, 60_000);
