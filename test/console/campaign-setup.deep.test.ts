import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { PASSWORD } from "../support/signed-in.ts";
import { chromium, useSetup, world } from "./first-story-setup.ts";

useSetup();

/** Opens the console as someone does who got the printed link. */
async function signIn(page: Page, ownerId: string): Promise<void> {
  await page.goto(`${world.baseUrl}/sign-in/${await createPersonLink(ownerId, new Date())}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
}

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
  await form.getByRole("button", { name: "Add recipients" }).click();
  await page.getByRole("rowheader", { name: "cyd@two.test" }).waitFor();
  expect((await rest.get(path)).body.recipientCount).toBe(3);
}, 120_000);
