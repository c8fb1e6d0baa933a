import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { chromium, draftOf, settingOf, signIn, useSetup, world } from "./first-story-setup.ts";

useSetup();

test("a campaign is created, renamed, duplicated, exported and archived from its page and from the list", async () => {
  const { ownerId, rest } = await world.workspace();
  const { page, check } = await chromium.open();
  await signIn(page, ownerId);
  await page.getByRole("button", { name: "New campaign" }).click();
  const form = page.getByRole("dialog", { name: "New campaign" });
  await form.getByLabel("Name").fill("Q4 founders");
  await check("the form of a new campaign");
  await form.getByRole("button", { name: "Create campaign" }).click();
  await page.getByRole("heading", { name: "Q4 founders", level: 1 }).waitFor();
  await page.getByText("Q4 founders is created as a draft").waitFor();
  const campaignId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const name = async (id = campaignId) => (await rest.get(`/campaigns/${id}`)).body.name;
  expect(await name()).toBe("Q4 founders");

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Founders");
  await page.getByRole("button", { name: "Rename campaign" }).click();
  await page.getByRole("heading", { name: "Founders", level: 1, exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("heading", { name: "Q4 founders", level: 1 }).waitFor();
  expect(await name()).toBe("Q4 founders");

  await rest.post(`/campaigns/${campaignId}/recipients`, { action: "addManual", emails: ["ada@one.test"] });
  await page.getByRole("link", { name: "Campaigns" }).click();
  const more = (of: string) => page.getByRole("button", { name: `More: ${of}`, exact: true });
  await more("Q4 founders").click();
  await page.getByRole("menuitem", { name: "Duplicate…" }).click();
  await page.getByText("It has no recipients and sends nothing").waitFor();
  await check("the form of a copy");
  await page.getByRole("button", { name: "Duplicate campaign" }).click();
  await page.getByRole("heading", { name: "Q4 founders (copy)", level: 1 }).waitFor();
  const copyId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect((await rest.get(`/campaigns/${copyId}`)).body).toMatchObject({ status: "DRAFT", recipientCount: 0 });

  await page.getByRole("link", { name: "Campaigns" }).click();
  await more("Q4 founders").click();
  await page.getByRole("menuitem", { name: "Export recipients…" }).click();
  await page.getByText("a CSV file with 1 recipient").waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  expect(await readFile(await file.path(), "utf8")).toContain("ada@one.test");
  await page.getByText("Exported 1 recipient.").waitFor();

  await more("Q4 founders (copy)").click();
  await page.getByRole("menuitem", { name: "Archive…" }).click();
  await page.getByText("It leaves the list and cannot be changed.").waitFor();
  await page.getByRole("button", { name: "Archive campaign" }).click();
  await page.getByText("Q4 founders (copy) is archived.").waitFor();
  expect((await rest.get(`/campaigns/${copyId}`)).body.status).toBe("ARCHIVED");
  await page.getByRole("button", { name: "Unarchive" }).click();
  await page.getByText("Q4 founders (copy) is unarchived and paused.").waitFor();
  expect((await rest.get(`/campaigns/${copyId}`)).body.status).toBe("PAUSED");
  await check("the list of campaigns");

  // A copy can also be made where a campaign is created
  await page.getByRole("button", { name: "New campaign" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Spring");
  await page.getByRole("dialog").getByLabel("Start from").selectOption("A copy of Q4 founders");
  await page.getByRole("button", { name: "Create campaign" }).click();
  await page.getByRole("heading", { name: "Spring", level: 1 }).waitFor();
}, 120_000);

test("pasted addresses, a list and found leads join a campaign, and each refused address has its reason", async () => {
  const { ownerId, rest } = await world.workspace();
  const path = `/campaigns/${(await rest.post("/campaigns", { name: "Partner" })).body.id}`;
  await rest.post("/block-list", { value: "rival.test" });
  for (const email of ["mira@two.test", "cyd@two.test"]) await rest.post("/leads", { email });
  const { body: list } = await rest.post("/lead-lists", {
    name: "Fair",
    filterRules: {
      version: 1,
      combinator: "AND",
      rules: [{ field: "email", operator: "EQ", value: "mira@two.test" }],
    },
  });
  expect(list).toMatchObject({ name: "Fair", memberCount: 1 });
  const { page, check } = await chromium.open();
  await signIn(page, ownerId);
  await page.getByRole("link", { name: "Partner" }).first().click();
  await page.getByRole("button", { name: "Add recipients" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Addresses").fill('"Lovelace, Ada" <ada@two.test>, boss@rival.test\nnobody\nada@two.test');
  await form.getByText("4 addresses.").waitFor();
  await check("the pasted addresses");
  await form.getByRole("button", { name: "Add recipients" }).click();
  const result = page.getByRole("dialog", { name: "Some addresses were refused" });
  await result.getByText("1 recipient added, 1 new lead, 1 already in the campaign, 2 refused.").waitFor();
  expect(await result.getByRole("region", { name: "Blocked" }).getByRole("listitem").allInnerTexts()).toEqual([
    "boss@rival.test",
  ]);
  expect(
    await result.getByRole("region", { name: "Not a valid address" }).getByRole("listitem").allInnerTexts(),
  ).toEqual(["nobody"]);
  await check("the refused addresses");
  await result.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: "Add recipients" }).click();
  await form.getByRole("button", { name: "From a list" }).click();
  await form.getByLabel("List").selectOption("Fair (1 lead)");
  await check("the choice of a list");
  await form.getByRole("button", { name: "Add recipients" }).click();
  await page.getByText("1 recipient added.").waitFor();
  await page.getByRole("rowheader", { name: "mira@two.test" }).waitFor();

  await page.getByRole("button", { name: "Add recipients" }).click();
  await form.getByRole("button", { name: "Search leads" }).click();
  await form.getByRole("combobox").fill("cyd");
  await form.getByRole("option", { name: "cyd@two.test" }).click();
  await form.getByText("1 address.").waitFor();
  await check("the found leads");
  await form.getByRole("combobox").fill("mira");
  await form.getByRole("option", { name: "mira@two.test" }).click();
  for (const email of ["mira@two.test", "cyd@two.test"]) {
    await form.getByRole("button", { name: `Leave out ${email}` }).click();
    await form.getByRole("button", { name: `Leave out ${email}` }).waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.tagName")).toBe("BUTTON");
  }
  await form.getByRole("combobox").fill("cyd");
  await form.getByRole("option", { name: "cyd@two.test" }).click();
  await form.getByRole("button", { name: "Add recipients" }).click();
  await page.getByRole("rowheader", { name: "cyd@two.test" }).waitFor();
  expect((await rest.get(path)).body.recipientCount).toBe(3);
}, 120_000);

test("a setting is saved when it changes, is marked, and can be reset; a refused value keeps its message", async () => {
  const { ownerId, rest } = await world.workspace();
  const path = `/campaigns/${(await rest.post("/campaigns", { name: "Rules" })).body.id}`;
  const stored = async (key: string) => (await rest.get(`${path}/settings`)).body[key];
  const { page, check } = await chromium.open({ theme: "dark" });
  await signIn(page, ownerId);
  await page.getByRole("link", { name: "Rules" }).first().click();
  const tab = (name: string) =>
    page.getByRole("navigation", { name: "Parts of this campaign" }).getByRole("button", { name, exact: true });
  await tab("Settings").click();
  expect(new URL(page.url()).search).toBe("?part=settings");
  const reply = settingOf(page, "Stop on a reply");
  await reply.getByText("Default: on.").waitFor();
  await reply.getByRole("checkbox").uncheck();
  await reply.getByText("Saved").waitFor();
  expect(await stored("stopOnReply")).toBe(false);
  await reply.getByText("Changed").waitFor();
  await check("a changed setting");
  await reply.getByRole("button", { name: "Reset Stop on a reply" }).click();
  await page.getByText("Stop on a reply is back to its default.").waitFor();
  expect(await page.evaluate("document.activeElement.type")).toBe("checkbox");
  expect(await stored("stopOnReply")).toBe(true);
  expect(await reply.getByText("Changed").count()).toBe(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await reply.getByText("Changed").waitFor();
  expect(await stored("stopOnReply")).toBe(false);

  const rate = settingOf(page, "Bounce guard: share");
  await rate.getByRole("spinbutton").fill("3.5");
  await rate.getByRole("spinbutton").press("Enter");
  await rate.getByText("Saved").waitFor();
  expect(await stored("bounceGuard")).toMatchObject({ rate: 0.035, enabled: true });
  const copies = settingOf(page, "Hidden copy to (BCC)");
  await copies.getByRole("textbox").fill("boss@acme.test\nnobody");
  await copies.getByRole("textbox").blur();
  await copies.locator(".wrong").filter({ hasText: "must" }).waitFor();
  expect(await copies.getByRole("textbox").getAttribute("aria-invalid")).toBe("true");
  expect(await copies.getByRole("textbox").inputValue()).toBe("boss@acme.test\nnobody");
  expect(await stored("bccList")).toEqual([]);
  await check("a refused setting");

  await tab("Schedule").click();
  await page.getByRole("button", { name: "Monday 09:00 to 10:00" }).click();
  await page
    .getByText("Emails leave Monday 10:00 to 17:00; Tuesday to Friday 09:00 to 17:00, in UTC.")
    .last()
    .waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Tuesday 09:00 to 10:00");
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Save sending hours" }).click();
  await page.getByRole("region", { name: "Sending hours" }).getByText("Saved").waitFor();
  await page.getByText("Emails leave Monday to Tuesday 10:00 to 17:00; Wednesday to Friday").first().waitFor();
  expect(await stored("windows")).toEqual([
    { days: [1, 2], from: "10:00", to: "17:00" },
    { days: [3, 4, 5], from: "09:00", to: "17:00" },
  ]);
  const zone = settingOf(page, "Time zone");
  await zone.getByRole("combobox").fill("Europe/Berlin");
  await zone.getByRole("combobox").press("Enter");
  await zone.getByText("Saved").waitFor();
  const start = settingOf(page, "Start");
  await start.getByLabel("Start", { exact: true }).fill("2030-01-07T08:00");
  await start.getByLabel("Start", { exact: true }).blur();
  await start.getByText("Saved").waitFor();
  expect(await stored("startAt")).toBe("2030-01-07T07:00:00.000Z");
  const daily = settingOf(page, "Emails per day");
  await daily.getByRole("spinbutton").fill("40");
  await daily.getByRole("spinbutton").press("Enter");
  await daily.getByText("Saved").waitFor();
  expect(await stored("dailyLimit")).toBe(40);
  await check("the changed schedule");
}, 120_000);

test("on a running campaign a change of settings, senders or recipients shows its effect first", async () => {
  const { ownerId, rest } = await world.workspace();
  const path = await draftOf(rest, "Running", ["one@four.test", "two@four.test"]);
  await rest.patch(`${path}/settings`, { startAt: "2035-01-01" });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body.launched).toBe(true);
  const stored = async () => (await rest.get(`${path}/settings`)).body;
  const { page, check } = await chromium.open();
  await signIn(page, ownerId);
  await page.goto(`${page.url().replace(/\/$/, "")}${path}?part=settings`);
  const text = settingOf(page, "Plain text only");
  await text.getByRole("checkbox").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("From off to on.").waitFor();
  await dialog.getByText("1 campaign").or(dialog.getByText("campaigns")).first().waitFor();
  await check("the effect of a setting");
  expect((await stored()).textOnly).toBe(false);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await text.getByRole("checkbox").isChecked()).toBe(false);
  await text.getByRole("checkbox").click();
  await dialog.getByRole("button", { name: "Change setting" }).click();
  await dialog.waitFor({ state: "detached" });
  await text.getByText("Saved").waitFor();
  expect((await stored()).textOnly).toBe(true);

  // What was shown is out of date once another person changes the campaign
  await settingOf(page, "Pause colleagues after a reply").getByRole("checkbox").click();
  await dialog.getByText("campaigns").first().waitFor();
  expect(await dialog.getByRole("button", { name: "Change setting" }).isEnabled()).toBe(true);
  await rest.patch(`${path}/settings`, { dailyLimit: 7 });
  await dialog.getByRole("button", { name: "Change setting" }).click();
  await dialog.getByText("Something changed since this was shown.").waitFor();
  expect((await stored()).stopForCompany).toBe(false);
  await dialog.getByText("campaigns").first().waitFor();
  await dialog.getByRole("button", { name: "Change setting" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await stored()).toMatchObject({ stopForCompany: true, dailyLimit: 7 });

  await page.getByRole("button", { name: "Recipients 2" }).click();
  await page.getByRole("button", { name: "Add recipients" }).click();
  await dialog.getByLabel("Addresses").fill("three@four.test");
  await dialog.getByRole("button", { name: "Show the effect" }).click();
  const joining = page.getByRole("dialog", { name: "Add these recipients to Running?" });
  await joining.getByText("three@four.test").first().waitFor();
  await check("the effect of new recipients");
  expect((await rest.get(path)).body.recipientCount).toBe(2);
  await dialog.getByRole("button", { name: "Add recipients" }).click();
  await page.getByText("1 recipient added, 1 new lead.").waitFor();
  expect((await rest.get(path)).body.recipientCount).toBe(3);
}, 120_000);

test.each(["light", "dark"] as const)(
  "the tabs of a campaign fit a phone, %s",
  async (theme) => {
    const { ownerId, rest } = await world.workspace();
    const path = await draftOf(rest, "Pocket", ["one@five.test"]);
    const { page, check } = await chromium.open({ theme, width: 390 });
    await signIn(page, ownerId);
    const home = page.url().replace(/\/$/, "");
    await page.goto(`${home}/campaigns`);
    await page.getByRole("button", { name: "More: Pocket" }).waitFor();
    await check("the list on a phone");
    for (const [part, text] of [
      ["recipients", "one@five.test"],
      ["schedule", "Every day, all day"],
      ["senders", "ann@a.test"],
      ["settings", "Bounce guard"],
      ["activity", "No emails sent yet."],
      ["analytics", "No emails sent yet."],
    ] as const) {
      await page.goto(`${home}${path}?part=${part}`);
      await page.getByText(text).first().waitFor();
      await page.getByRole("region", { name: "Before you launch" }).getByRole("listitem").first().waitFor();
      await check(`${part} on a phone, ${theme}`);
    }
  },
  120_000,
);
