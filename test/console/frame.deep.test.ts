import { expect, test } from "@jest/globals";
import { PASSWORD } from "../support/signed-in.ts";
import type { Look } from "./chromium.ts";
import { useSetup, visit, withCampaign, world } from "./frame-setup.ts";

useSetup();

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 320 },
])(
  "no page has an accessibility fault, breaks its content policy or is wider than the window: %p",
  async (look) => {
    const person = await withCampaign();
    const at = `/w/${person.workspaceId}`;
    const { page, check } = await visit(person, at, look);
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await page.getByText("Spring").waitFor();
    await check("start");
    await page.goto(`${world.baseUrl}${at}/campaigns`);
    await page.getByRole("link", { name: "Spring" }).waitFor();
    await check("campaigns");
    await page.goto(`${world.baseUrl}${at}/campaigns/${person.campaignId}`);
    await page.getByRole("button", { name: "View status ada@example.test" }).click();
    await page.getByText("The campaign has not been launched").waitFor();
    await check("one campaign");
    await page.getByRole("button", { name: "Activity" }).click();
    await page.getByText("No emails sent yet").waitFor();
    await check("the activity before the first mail");
    await page.getByRole("button", { name: "Sequence" }).click();
    await page.frameLocator("iframe.mail-frame").getByText("Hello, shall we talk?").waitFor();
    await check("the sequence");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Archive…" }).waitFor();
    await check("the menu");
    await page.keyboard.press("Escape");
    if (look.width === 320) {
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("dialog", { name: "Menu" }).waitFor();
      await check("the menu of a phone");
    }
    await page.getByRole("button", { name: "Pause all sending" }).click();
    await page.getByRole("dialog", { name: "Pause all sending" }).waitFor();
    await check("the kill switch");
    await page.goto(`${world.baseUrl}${at}/nothing`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await check("no such page");
  },
  120_000,
);

test("when the session ends, the page shows a message, and after the next sign-in continues with the typed text", async () => {
  const person = await withCampaign();
  const { page, context } = await visit(person, `/w/${person.workspaceId}/campaigns`);
  await page.getByLabel("Search").fill("Spring");
  await page.getByRole("link", { name: "Spring" }).waitFor();
  await person.browser.console(null).delete("/session");
  await page.getByRole("dialog", { name: "You were signed out" }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("You are not signed in yet.").waitFor();
  const [other] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Sign in in another tab" }).click(),
  ]);
  await other.getByLabel("E-mail address").fill(person.email);
  await other.getByLabel("Password").fill(PASSWORD);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("heading", { name: "Campaigns" }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.getByLabel("Search").inputValue()).toBe("Spring");
  await page.getByRole("link", { name: "Spring" }).waitFor();
}, 90_000);

test("the kill switch pauses sending from any page without a password, and resuming asks for the password", async () => {
  const person = await withCampaign();
  const { page, check } = await visit(person, `/w/${person.workspaceId}/campaigns`);
  await page.getByRole("button", { name: "Pause all sending" }).click();
  await page.getByRole("button", { name: "Pause all sending now" }).click();
  await page.getByText("Sending is paused in this workspace").waitFor();
  expect((await person.rest.get("/workspace")).body.isSendingPaused).toBe(true);
  await check("stopped");
  await page.getByRole("button", { name: "Resume all sending" }).click();
  await page.getByRole("button", { name: "Resume sending now" }).click();
  await page.getByText("Sending is paused in this workspace").waitFor({ state: "detached" });
  expect((await person.rest.get("/workspace")).body.isSendingPaused).toBe(false);
}, 60_000);
