import { expect, test } from "@jest/globals";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { chromium, connectMailbox, draftOf, EMAILS, settingOf, signIn, useSetup, world } from "./first-story-setup.ts";

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
  const joining = page.getByRole("dialog", { name: "Add these recipients to Meanwhile?" });
  await joining.getByText("two@six.test").first().waitFor();
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
  await dialog.getByRole("button", { name: "Change setting" }).click();
  await dialog.waitFor({ state: "detached" });

  // Where the effect cannot be shown any more, the undo says that it changed nothing
  await reply.getByRole("button", { name: "Reset Stop on a reply" }).click();
  await dialog.getByRole("button", { name: "Change setting" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Stop on a reply was not changed").waitFor();
  expect((await rest.get(`${later}/settings`)).body.stopOnReply).toBe(true);
}, 120_000);

test("an undo that is pressed on the page of another campaign decides by its own campaign", async () => {
  const { ownerId, rest } = await world.workspace();
  const first = await draftOf(rest, "First", ["one@first.test"]);
  await rest.patch(`${first}/settings`, { startAt: "2035-01-01", stopOnReply: false });
  await rest.post("/campaigns", { name: "Second" });
  const { page } = await chromium.open();
  await signIn(page, ownerId);
  await page.goto(`${page.url().replace(/\/$/, "")}${first}?part=settings`);
  const reply = settingOf(page, "Stop on a reply");
  await reply.getByText("Changed").waitFor();
  await page.getByRole("link", { name: "Campaigns", exact: true }).click();
  await page.getByRole("link", { name: "Second", exact: true }).click();
  await page.getByRole("heading", { name: "Second", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await reply.waitFor();
  // From one campaign to the other, without a page between them
  await page.evaluate("history.go(-3)");
  await page.getByRole("heading", { name: "First", level: 1 }).waitFor();
  await reply.getByRole("button", { name: "Reset Stop on a reply" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  expect((await rest.post(`${first}/control`, { action: "launch" })).body.launched).toBe(true);
  await page.evaluate("history.go(3)");
  await page.getByRole("heading", { name: "Second", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Stop on a reply was not changed, because the campaign is launched.").waitFor();
  expect((await rest.get(`${first}/settings`)).body.stopOnReply).toBe(true);
}, 120_000);

test("a text that is typed while the one before it is saved stays, and a refused undo is not silent", async () => {
  const { ownerId, rest } = await world.workspace();
  const path = `/campaigns/${(await rest.post("/campaigns", { name: "Typed" })).body.id}`;
  await rest.patch(`${path}/settings`, { stopOnReply: false });
  const { page } = await chromium.open();
  await signIn(page, ownerId);
  const hold = Promise.withResolvers<void>();
  let isRefusing = false;
  await page.route(`**/console/api/v1${path}/settings`, async (route) => {
    await hold.promise;
    if (!isRefusing) return route.continue();
    const body = JSON.stringify({ code: "FORBIDDEN", message: "Not allowed" });
    return route.fulfill({ status: 403, contentType: "application/json", body });
  });
  await page.goto(`${page.url().replace(/\/$/, "")}${path}?part=schedule`);
  const daily = settingOf(page, "Emails per day");
  const field = daily.getByRole("spinbutton");
  await field.fill("30");
  await field.press("Enter");
  await daily.getByText("Saving").waitFor();
  await field.fill("35");
  hold.resolve();
  await daily.getByText("Saved").waitFor();
  expect(await field.inputValue()).toBe("35");
  expect((await rest.get(`${path}/settings`)).body.dailyLimit).toBe(30);
  await field.press("Enter");
  await until(async () => (await rest.get(`${path}/settings`)).body.dailyLimit === 35, {
    ...MAIL_DEADLINE,
    what: "the second number",
  });

  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("button", { name: "Reset Stop on a reply" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  isRefusing = true;
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Stop on a reply was not changed, because the server refused it.").waitFor();
}, 120_000);

test("mailboxes that are ticked while the first choice is saved all stay chosen", async () => {
  const { ownerId, rest } = await world.workspace();
  const path = `/campaigns/${(await rest.post("/campaigns", { name: "Ticked" })).body.id}`;
  for (const email of EMAILS) await connectMailbox(rest, email);
  const { page } = await chromium.open();
  await signIn(page, ownerId);
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let patches = 0;
  await page.route(`**/console/api/v1${path}/settings`, async (route) => {
    patches++;
    await [first, second][patches - 1]?.promise;
    await route.continue();
  });
  await page.goto(`${page.url().replace(/\/$/, "")}${path}?part=senders`);
  const box = (email: string) => page.getByRole("checkbox", { name: `Send from ${email}` });
  await box("ann@a.test").click();
  await box("bob@a.test").click();
  // The answer of the first choice renews the page while the second choice waits
  first.resolve();
  await until(() => patches === 2, { ...MAIL_DEADLINE, what: "the second choice" });
  await box("cyd@a.test").click();
  second.resolve();
  await page.getByText("Saved", { exact: true }).waitFor();
  await page.getByText("3 mailboxes chosen").waitFor();
  expect((await rest.get(`${path}/settings`)).body.mailboxIds).toHaveLength(3);
}, 120_000);

/** Moves a pressed mouse over hours of Monday faster than the page is shown. */
const PAINT = `(() => {
  const hours = [18, 19, 20].map((hour) => document.querySelectorAll("table.week button")[hour]);
  const pressed = { bubbles: true, pointerType: "mouse", button: 0, buttons: 1 };
  hours[0].dispatchEvent(new PointerEvent("pointerdown", pressed));
  for (const at of [1, 2])
    hours[at - 1].dispatchEvent(new PointerEvent("pointerout", { ...pressed, relatedTarget: hours[at] }));
})()`;

test("hours that are painted fast, or while other hours are being saved, are not lost", async () => {
  const { ownerId, rest } = await world.workspace();
  const path = `/campaigns/${(await rest.post("/campaigns", { name: "Painted" })).body.id}`;
  const { page } = await chromium.open();
  await signIn(page, ownerId);
  const hold = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route(`**/console/api/v1${path}/settings`, async (route) => {
    isHeld = true;
    await hold.promise;
    await route.continue();
  });
  await page.goto(`${page.url().replace(/\/$/, "")}${path}?part=schedule`);
  const hour = (name: string) => page.getByRole("button", { name: `Monday ${name}`, exact: true });
  await hour("18:00 to 19:00").waitFor();
  await page.evaluate(PAINT);
  await page.getByText("Emails leave Monday 09:00 to 17:00 and 18:00 to 21:00;").first().waitFor();
  await page.getByRole("button", { name: "Save sending hours" }).click();
  await until(() => isHeld, { ...MAIL_DEADLINE, what: "the change" });
  await hour("22:00 to 23:00").click();
  hold.resolve();
  await page.getByRole("region", { name: "Sending hours" }).getByText("Saving").waitFor({ state: "detached" });
  expect(await hour("22:00 to 23:00").getAttribute("aria-pressed")).toBe("true");
  await page.getByRole("button", { name: "Save sending hours" }).click();
  await page.getByRole("region", { name: "Sending hours" }).getByText("Saved").waitFor();
  expect((await rest.get(`${path}/settings`)).body.windows).toContainEqual({ days: [1], from: "22:00", to: "23:00" });
}, 120_000);

test("a number or a time that the browser cannot read changes nothing and is marked", async () => {
  const { ownerId, rest } = await world.workspace();
  const path = `/campaigns/${(await rest.post("/campaigns", { name: "Unread" })).body.id}`;
  await rest.patch(`${path}/settings`, { startAt: "2035-01-01", dailyLimit: 40 });
  const { page } = await chromium.open();
  await signIn(page, ownerId);
  await page.goto(`${page.url().replace(/\/$/, "")}${path}?part=schedule`);
  for (const [name, keys] of [
    ["Emails per day", ["ControlOrMeta+A", "-"]],
    ["Start", ["Backspace"]],
  ] as const) {
    const field = settingOf(page, name).getByLabel(name, { exact: true });
    await field.focus();
    for (const key of keys) await field.press(key);
    await field.blur();
    await settingOf(page, name).locator(".wrong").filter({ hasText: "Please enter" }).waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
  }
  expect((await rest.get(`${path}/settings`)).body).toMatchObject({
    startAt: "2035-01-01T00:00:00.000Z",
    dailyLimit: 40,
  });
  const daily = settingOf(page, "Emails per day");
  await daily.getByRole("spinbutton").fill("30");
  await daily.getByRole("spinbutton").press("Enter");
  await daily.getByText("Saved").waitFor();
  await daily.locator(".wrong").filter({ hasText: "Please enter" }).waitFor({ state: "detached" });
  expect((await rest.get(`${path}/settings`)).body.dailyLimit).toBe(30);
}, 120_000);
