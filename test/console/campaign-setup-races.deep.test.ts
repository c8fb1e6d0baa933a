import { expect, test } from "@jest/globals";
import { chromium, draftOf, settingOf, signIn, useSetup, world } from "./first-story-setup.ts";

useSetup();

test("what another person launched meanwhile changes only with its plan, also by an undo", async () => {
  const { ownerId, rest } = await world.workspace();
  const path = await draftOf(rest, "Meanwhile", ["one@six.test"]);
  await rest.patch(`${path}/settings`, { startAt: "2035-01-01", stopOnReply: false });
  const stored = async () => (await rest.get(`${path}/settings`)).body;
  const { page } = await chromium.open();
  await signIn(page, ownerId);
  const home = page.url().replace(/\/$/, "");
  let isStale = true;
  let draft: string | null = null;
  // The page keeps seeing the draft until one of its writes was refused
  await page.route(`**/console/api/v1${path}`, async (route) => {
    if (!isStale) return route.continue();
    draft ??= await (await route.fetch()).text();
    return route.fulfill({ contentType: "application/json", body: draft });
  });
  page.on("response", (answer) => {
    if (answer.status() === 409) isStale = false;
  });
  await page.goto(`${home}${path}?part=settings`);
  const reply = settingOf(page, "Stop on a reply");
  await reply.getByText("Changed").waitFor();
  expect((await rest.post(`${path}/control`, { action: "launch" })).body.launched).toBe(true);
  const dialog = page.getByRole("dialog");
  await settingOf(page, "Plain text only").getByRole("checkbox").click();
  await dialog.getByText("From off to on.").waitFor();
  expect((await stored()).textOnly).toBe(false);
  await dialog.getByRole("button", { name: "Change setting" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await stored()).textOnly).toBe(true);

  isStale = true;
  await page.goto(`${home}${path}`);
  await page.getByRole("button", { name: "Add recipients" }).click();
  await dialog.getByLabel("Addresses").fill("two@six.test");
  await dialog.getByRole("button", { name: "Add recipients" }).click();
  await dialog.getByText("two@six.test").first().waitFor();
  expect((await rest.get(path)).body.recipientCount).toBe(1);

  // An undo is offered on a draft, and pressed after the launch
  const later = await draftOf(rest, "Undone", ["one@seven.test"]);
  await rest.patch(`${later}/settings`, { startAt: "2035-01-01", stopOnReply: false });
  await page.goto(`${home}${later}?part=settings`);
  await reply.getByRole("button", { name: "Reset Stop on a reply" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  expect((await rest.post(`${later}/control`, { action: "launch" })).body.launched).toBe(true);
  await page.getByRole("button", { name: "Undo" }).click();
  await dialog.getByText("From on to off.").waitFor();
  expect((await rest.get(`${later}/settings`)).body.stopOnReply).toBe(true);
}, 120_000);
