import { expect, test } from "@jest/globals";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { chromium, draftOf, signIn, useSetup, world } from "./first-story-setup.ts";

useSetup();

test("ticked recipients are removed after their number was shown, and come back by Undo unless one was paused", async () => {
  const { ownerId, rest } = await world.workspace();
  const path = await draftOf(rest, "Drafted", ["ann@eight.test", "ben@eight.test", "cyd@eight.test"]);
  const count = async () => (await rest.get(path)).body.recipientCount;
  const { page, check } = await chromium.open();
  await signIn(page, ownerId);
  await page.goto(`${page.url().replace(/\/$/, "")}${path}`);
  const box = (name: string) => page.getByRole("checkbox", { name: `Choose ${name}` });
  await box("ann@eight.test").check();
  await page.getByRole("button", { name: "Remove…" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove recipients from Drafted?" });
  await dialog.getByText("1 recipient gets no more emails of this campaign.").waitFor();
  await dialog.getByText("1 recipient was never emailed and leaves the list.").waitFor();
  await check("the effect of a removal");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await box("ann@eight.test").isChecked()).toBe(true);
  expect(await count()).toBe(3);
  await page.getByRole("button", { name: "Remove…" }).click();
  await dialog.getByRole("button", { name: "Remove recipients" }).click();
  await page.getByText("1 recipient removed.").waitFor();
  expect(await count()).toBe(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("1 recipient added.").waitFor();
  expect(await count()).toBe(3);
  // Another visit adds no one again
  let added = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/recipients")) added++;
  });
  await page.getByRole("link", { name: "Leads", exact: true }).click();
  await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
  await page.goBack();
  await box("ann@eight.test").waitFor();
  expect(added).toBe(0);

  const { items } = (await rest.get(`${path}/recipients?search=cyd`)).body;
  await rest.post(`${path}/recipients`, { action: "pauseRecipients", recipientIds: [items[0].id] });
  await page.getByRole("checkbox", { name: "Choose all of this page" }).check();
  await page
    .getByRole("row", { name: /cyd@eight\.test/ })
    .getByText("paused")
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Remove…" }).click();
  await dialog.getByRole("button", { name: "Remove recipients" }).click();
  await page.getByText("3 recipients removed.").waitFor();
  expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
  expect(await count()).toBe(0);
}, 120_000);

test("all recipients that match a filter leave a running campaign, and return only after their emails were shown", async () => {
  const { ownerId, rest } = await world.workspace();
  const many = Array.from({ length: 60 }, (_, at) => `p${at}@eight.test`);
  const path = await draftOf(rest, "Thinned", ["one@nine.test", "two@nine.test", ...many]);
  await rest.patch(`${path}/settings`, { startAt: "2035-01-01" });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body.launched).toBe(true);
  const count = async () => (await rest.get(path)).body.recipientCount;
  const { page, check } = await chromium.open();
  await signIn(page, ownerId);
  await page.goto(`${page.url().replace(/\/$/, "")}${path}?search=eight.test`);
  await page.getByRole("rowheader", { name: "p59@eight.test" }).waitFor();
  await page.getByRole("checkbox", { name: "Choose all of this page" }).check();
  await page.getByRole("button", { name: "Remove all 60 that match…" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove recipients from Thinned?" });
  await dialog.getByText("60 recipients get no more emails of this campaign.").waitFor();
  await check("the effect of a removal from a running campaign");
  expect(await count()).toBe(62);
  await dialog.getByRole("button", { name: "Remove recipients" }).click();
  await page.getByText("60 recipients removed.").waitFor();
  expect(await count()).toBe(2);
  // Undo opens the page again if it was left
  await page.getByRole("link", { name: "Leads", exact: true }).click();
  await page.getByRole("heading", { name: "Leads", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  const joining = page.getByRole("dialog", { name: "Add these recipients to Thinned?" });
  await joining.getByText("@eight.test").first().waitFor();
  expect(await count()).toBe(2);
  await joining.getByRole("button", { name: "Add recipients" }).click();
  await page.getByText("60 recipients added.").waitFor();
  expect(await count()).toBe(62);
}, 120_000);

test("a removal that is cancelled stops, says how many were removed, and offers to add those again", async () => {
  const { ownerId, rest } = await world.workspace();
  const many = Array.from({ length: 600 }, (_, at) => `p${at}@ten.test`);
  const path = await draftOf(rest, "Stopped", many);
  const count = async () => (await rest.get(path)).body.recipientCount;
  const { page } = await chromium.open();
  await signIn(page, ownerId);
  const hold = Promise.withResolvers<void>();
  let removals = 0;
  await page.route(`**/console/api/v1${path}/recipients`, async (route) => {
    if (route.request().postDataJSON()?.action !== "bulkRemove") return route.continue();
    removals++;
    await hold.promise;
    return route.continue();
  });
  await page.goto(`${page.url().replace(/\/$/, "")}${path}`);
  await page.getByRole("rowheader", { name: "p599@ten.test" }).waitFor();
  await page.getByRole("checkbox", { name: "Choose all of this page" }).check();
  await page.getByRole("button", { name: "Remove all 600 that match…" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove recipients from Stopped?" });
  await dialog.getByText("600 recipients get no more emails of this campaign.").waitFor();
  await dialog.getByRole("button", { name: "Remove recipients" }).click();
  await until(() => removals === 1, { ...MAIL_DEADLINE, what: "the first removal" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  hold.resolve();
  await page.getByText("Stopped: 500 of 600 recipients removed.").waitFor();
  expect([await count(), removals]).toEqual([100, 1]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("500 recipients added.").waitFor();
  expect(await count()).toBe(600);
}, 120_000);
