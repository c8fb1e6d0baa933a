import { expect, test } from "@jest/globals";
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
