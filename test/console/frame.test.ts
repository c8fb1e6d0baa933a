import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { RateCount } from "../../models/rate-count.ts";
import { scoped } from "../../models/scoped.ts";
import { Session } from "../../models/session.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import type { PersonBrowser } from "../support/person.ts";
import { invited, PASSWORD, type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, type Look, startChromium, type Visit } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";

let world: World;
let chromium: Chromium;

beforeAll(async () => {
  world = await startWorld({ console: await builtConsole(), settings: { trustProxy: 1 } });
  chromium = await startChromium();
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await world?.close();
});

/** A window in which this person is signed in, at a page of theirs. */
async function visit({ browser }: { browser: PersonBrowser }, path: string, look?: Look): Promise<Visit> {
  const opened = await chromium.open(look);
  await opened.context.addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })));
  await opened.page.goto(`${world.baseUrl}${path}`);
  return opened;
}

async function withCampaign(): Promise<SignedIn & { campaignId: string }> {
  const person = await signedIn(world);
  const { campaignId } = await readyCampaign(person.rest, person.workspaceId, ["ada@example.test", "grace@example.test"]);
  return { ...person, campaignId };
}

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 320 },
])(
  "no page has a finding of axe, a violation of its policy or something wider than the window: %p",
  async (look) => {
    const person = await withCampaign();
    const at = `/w/${person.workspaceId}`;
    const { page, check } = await visit(person, at, look);
    await page.getByRole("heading", { level: 1, name: "Start" }).waitFor();
    await page.getByText("Spring").waitFor();
    await check("start");
    await page.goto(`${world.baseUrl}${at}/campaigns`);
    await page.getByRole("link", { name: "Spring" }).waitFor();
    await check("campaigns");
    await page.goto(`${world.baseUrl}${at}/campaigns/${person.campaignId}`);
    await page.getByRole("button", { name: "Why? ada@example.test" }).click();
    await page.getByText("The campaign has not been launched").waitFor();
    await check("one campaign");
    await page.getByRole("button", { name: "Course" }).click();
    await page.getByText("Nothing was sent yet").waitFor();
    await check("the course before the first mail");
    await page.getByRole("button", { name: "Texts" }).click();
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    await check("the texts");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Archive…" }).waitFor();
    await check("the menu");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Stop all mail" }).click();
    await page.getByRole("dialog").waitFor();
    await check("the kill switch");
    await page.goto(`${world.baseUrl}${at}/nothing`);
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    await check("no such page");
  },
  120_000,
);

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

test("a session that ends tells so above the page, which goes on with what was typed once somebody signed in again", async () => {
  const person = await withCampaign();
  const { page, context } = await visit(person, `/w/${person.workspaceId}/campaigns`);
  await page.getByLabel("Search").fill("Spring");
  await page.getByRole("link", { name: "Spring" }).waitFor();
  await person.browser.console(null).delete("/session");
  await page.getByRole("dialog", { name: "You were signed out" }).waitFor({ timeout: 30_000 });
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("You are not signed in yet.").waitFor();
  const [other] = await Promise.all([context.waitForEvent("page"), page.getByRole("link", { name: "Sign in in another tab" }).click()]);
  await other.getByLabel("E-mail address").fill(person.email);
  await other.getByLabel("Password").fill(PASSWORD);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("heading", { name: "Start" }).waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.getByLabel("Search").inputValue()).toBe("Spring");
  await page.getByRole("link", { name: "Spring" }).waitFor();
}, 90_000);

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

test("the kill switch stops from any page without a password, and going on asks for it", async () => {
  const person = await withCampaign();
  const { page, check } = await visit(person, `/w/${person.workspaceId}/campaigns`);
  await page.getByRole("button", { name: "Stop all mail" }).click();
  await page.getByRole("button", { name: "Stop all mail now" }).click();
  await page.getByText("All mail of this workspace is stopped").waitFor();
  expect((await person.rest.get("/workspace")).body.isSendingPaused).toBe(true);
  await check("stopped");
  await page.getByRole("button", { name: "Let it go on" }).click();
  await page.getByRole("button", { name: "Let mail leave again" }).click();
  await page.getByText("All mail of this workspace is stopped").waitFor({ state: "detached" });
  expect((await person.rest.get("/workspace")).body.isSendingPaused).toBe(false);
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
  await RateCount.deleteMany({});
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
