import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Request } from "playwright-core";
import { scoped } from "../../models/scoped.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { signedIn } from "../support/signed-in.ts";
import { chromium, opened, useSetup, world } from "./faults-setup.ts";

useSetup();

/** The browser reports what did not load; what the page makes of it is the test. */
const withoutNetwork = (complaints: string[]) => complaints.filter((one) => !/Failed to load resource|ERR_/.test(one));

test("while Temporal is unreachable the page says that no email is sent", async () => {
  const { page, check } = await opened(() => "/campaigns");
  await page.getByText("Temporal is unreachable, so no email is sent at the moment.").waitFor();
  await check("engine away");
});

test("while the browser is offline the page keeps its data and says why they are old; back online the page updates by itself", async () => {
  const { page, context, complaints, person } = await opened(() => "/campaigns");
  await page.getByText("No campaigns yet").waitFor();
  await context.setOffline(true);
  await page.getByText("UNREACHABLE").waitFor();
  expect(await page.getByText("No campaigns yet").count()).toBe(1);
  await person.rest.post("/campaigns", { name: "Meanwhile" });
  await context.setOffline(false);
  await page.getByRole("link", { name: "Meanwhile" }).waitFor();
  await page.getByText("UNREACHABLE").waitFor({ state: "detached" });
  expect(withoutNetwork(complaints)).toEqual([]);
}, 150_000);

test("a late response to an earlier search does not replace the results of a later search", async () => {
  const { page } = await opened(async ({ rest }) => {
    for (const name of ["Alpha", "Beta"]) await rest.post("/campaigns", { name });
    return "/campaigns";
  });
  await page.getByRole("link", { name: "Alpha" }).waitFor();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/console/api/v1/campaigns?*search=Alpha*", async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  const asked = page.waitForRequest(/search=Alpha/);
  await page.getByLabel("Search").fill("Alpha");
  await asked;
  await page.getByLabel("Search").fill("Beta");
  await page.getByRole("link", { name: "Alpha" }).waitFor({ state: "detached" });
  release();
  await page.getByRole("link", { name: "Beta" }).waitFor();
  expect(await page.getByRole("link", { name: "Alpha" }).count()).toBe(0);
}, 60_000);

test("a page without changes polls less often after a minute, and as often as before once something has changed", async () => {
  const person = await signedIn(world);
  const { campaignId } = await readyCampaign(person.rest, person.workspaceId);
  const { page, context } = await chromium.open();
  await context.addCookies([...person.browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })));
  await page.clock.install();
  await page.goto(`${world.baseUrl}/w/${person.workspaceId}/campaigns/${campaignId}`);
  await page.getByRole("rowheader", { name: "ada@example.test" }).waitFor();
  let [asked, answered] = [0, 0];
  const isOfPeople = (request: Request) => /\/recipients\?/.test(request.url());
  page.on("request", (request) => {
    if (isOfPeople(request)) asked += 1;
  });
  page.on("requestfinished", (request) => {
    if (isOfPeople(request)) answered += 1;
  });
  /**
   * How often the people of the campaign are asked for in a minute of the page, whose clock stands still until an
   * answer is there.
   */
  const inAMinute = async () => {
    const before = asked;
    for (let seconds = 0; seconds < 60; seconds += 5) {
      await page.clock.runFor(5_000);
      await sleep(100);
      await until(() => answered === asked, { deadlineMs: 60_000, what: "the answers" });
    }
    return asked - before;
  };
  expect(await inAMinute()).toBeGreaterThanOrEqual(10);
  expect(await inAMinute()).toBeLessThanOrEqual(5);
  await scoped(person.workspaceId).Recipient.updateMany({ campaignId }, { $set: { status: "PAUSED" } });
  expect(await inAMinute()).toBeGreaterThanOrEqual(7);
  await context.close();
}, 120_000);

test("names with markup, right-to-left text, combining characters or hundreds of characters are shown as text and do not widen the page", async () => {
  const names = [
    '<img src=x onerror="alert(1)"><script>alert(2)</script>',
    "حملة الربيع",
    "Z̸̢̛a̷l̵g̸o̶ 👩‍👩‍👧‍👦",
    "W".repeat(200),
    "javascript:alert(1)",
  ];
  const { page, check, person } = await opened(async ({ rest }) => {
    for (const name of names) await rest.post("/campaigns", { name });
    return "/campaigns";
  });
  for (const name of names) await page.getByRole("link", { name, exact: true }).waitFor();
  await check("hostile names");
  await page.setViewportSize({ width: 320, height: 800 });
  await check("hostile names on a phone");
  const [campaign] = await scoped(person.workspaceId).Campaign.find({ name: "W".repeat(200) });
  await page.goto(`${world.baseUrl}/w/${person.workspaceId}/campaigns/${campaign?._id}`);
  await page.getByRole("heading", { level: 1, name: "W".repeat(200) }).waitFor();
  await check("a campaign with a long name");
}, 60_000);

test("the console works without local storage, random UUIDs and a clipboard", async () => {
  const person = await signedIn(world);
  const { campaignId } = await readyCampaign(person.rest, person.workspaceId);
  const { page, context, check } = await chromium.open();
  await context.addInitScript(() => {
    Object.defineProperty(globalThis, "localStorage", { get: () => JSON.parse("") });
    Object.defineProperty(globalThis.crypto, "randomUUID", { value: undefined });
    Object.defineProperty(globalThis.navigator, "clipboard", { value: undefined });
  });
  await context.addCookies([...person.browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })));
  await page.goto(`${world.baseUrl}/w/${person.workspaceId}/campaigns/${campaignId}`);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await page.getByText("ada@example.test is paused.").waitFor();
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByLabel("Theme").selectOption("dark");
  await check("a browser that keeps nothing");
}, 60_000);

test("at 400 % zoom a dialog is readable and usable, the page does not move, and full storage is not an error", async () => {
  const { page, context, check } = await opened(() => "/nothing");
  await context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("The quota has been exceeded", "QuotaExceededError");
    };
  });
  await page.setViewportSize({ width: 320, height: 225 });
  await page.reload();
  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByText("No campaigns yet").waitFor();
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByLabel("Theme").selectOption("dark");
  await page.getByRole("button", { name: "Pause all sending" }).click();
  const stop = page.getByRole("button", { name: "Pause all sending now" });
  await stop.scrollIntoViewIfNeeded();
  await check("a dialog at four hundred per cent");
  expect(await page.evaluate("document.getAnimations().length")).toBe(0);
  await stop.click();
  await page.getByText("Sending is paused in this workspace").waitFor();
}, 60_000);
