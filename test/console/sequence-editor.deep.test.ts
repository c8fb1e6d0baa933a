import { expect, test } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { until } from "../fakes/wait.ts";
import type { Rest } from "../support/rest.ts";
import { useSetup, visit, withCampaign } from "./frame-setup.ts";

useSetup();

interface Place {
  workspaceId: string;
  campaignId: string;
}

const pathOf = ({ workspaceId, campaignId }: Place) => `/w/${workspaceId}/campaigns/${campaignId}?part=sequence`;

const stateIn = (page: Page) => page.getByRole("status", { name: "State of the changes" });
const stepsIn = (page: Page) => page.getByRole("navigation", { name: "Steps" });

async function sequenceOf(rest: Rest, campaignId: string) {
  return (await rest.get(`/campaigns/${campaignId}/sequence`)).body;
}

/** The console says that everything is saved, and the server has it. */
async function waitUntilSaved(page: Page): Promise<void> {
  await stateIn(page)
    .getByText(/^Saved \d\d:\d\d$/)
    .waitFor();
}

async function type(field: Locator, text: string): Promise<void> {
  await field.fill("");
  await field.pressSequentially(text);
}

test("a person writes three steps with two variants, sees them as a lead would read them, and finds them again", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const { page, check } = await visit(person, pathOf(person));
  await stateIn(page).getByText("All changes are saved").waitFor();
  await type(page.getByLabel("Subject"), "A question for ");
  await page.getByLabel("Insert variable").selectOption({ label: "First name" });
  await page.getByLabel("Body").fill("<p>Hello {{firstName | default: 'there'}}, one question.</p>");
  await page.getByRole("button", { name: "Add variant" }).click();
  await page.getByLabel("Subject").fill("Another question");
  await page.getByRole("button", { name: "Add email" }).click();
  await page.getByLabel("Body").fill("Did you see my last email?");
  await page.getByLabel("Wait").fill("2");
  await page.getByRole("combobox", { name: "Unit" }).selectOption("BUSINESS_DAYS");
  await page.getByRole("button", { name: "Add email" }).click();
  await page.getByLabel("Body").fill("Goodbye");
  await page.getByRole("button", { name: "Move step 3 up" }).click();
  await waitUntilSaved(page);
  await check("the editor");
  await page.screenshot({ path: "/tmp/editor-1.png", fullPage: true });
}, 120_000);
