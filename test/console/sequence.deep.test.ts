import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import type { Look } from "./chromium.ts";
import { useSetup, visit, withCampaign, world } from "./frame-setup.ts";
import { editTwice, everyStep, manyVariants, writeSteps } from "./sequence-parts.ts";

useSetup();

const pathOf = ({ workspaceId, campaignId }: { workspaceId: string; campaignId: string }) =>
  `/w/${workspaceId}/campaigns/${campaignId}?part=sequence&view=overview`;

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 320 },
])(
  "50 steps with 26 variants each stay closed until the user opens one, and fit the window: %p",
  async (look) => {
    const person = await withCampaign();
    await writeSteps(person.rest, person.campaignId, manyVariants());
    const { page, check } = await visit(person, pathOf(person), look);
    const last = page.getByRole("article", { name: "Step 50: Email" });
    await last.waitFor();
    expect([await page.getByRole("article").count(), await page.locator("iframe").count()]).toEqual([50, 0]);
    await last.getByText("22 more variants").click();
    await last.getByText("Variant Z", { exact: false }).click();
    const text = last.getByText("The end of variant 26.", { exact: false });
    await text.waitFor();
    expect((await text.innerText()).length).toBeGreaterThan(5_000);
    await last.getByText("Variant Y", { exact: false }).click();
    expect(await last.locator(".text:dir(rtl)").innerText()).toBe("مرحبا {{firstName}}");
    await check("many variants");
  },
  180_000,
);

test.each<Look>([
  { theme: "dark", width: 1280 },
  { theme: "light", width: 380 },
])(
  "a sequence with every type of step has no accessibility fault, with results and when archived too: %p",
  async (look) => {
    const person = await withCampaign();
    const { rest, workspaceId, campaignId } = person;
    await writeSteps(rest, campaignId, everyStep(await otherCampaign(person), null));
    await scoped(workspaceId).Sequence.updateOne({ campaignId }, { $set: { "steps.0.winner.mode": "AUTO" } });
    const { body: experiment } = await rest.get(`/campaigns/${campaignId}/experiment`);
    const result = { value: 0.1, low: 0.05, high: 0.2 };
    for (const variant of experiment.steps[0].variants)
      Object.assign(variant, { contacted: 40, judged: 30, hits: 3, result });
    const { page, context, check } = await visit(
      person,
      `/w/${workspaceId}/campaigns/${campaignId}?view=overview`,
      look,
    );
    await context.route("**/experiment", (route) => route.fulfill({ json: experiment }));
    await page.getByRole("button", { name: "Sequence" }).click();
    await page.getByRole("columnheader", { name: "Reply rate (95% range)" }).waitFor();
    await page.frameLocator("iframe.mail-frame").first().getByText("Hello {{firstName}},").waitFor();
    await check("a sequence with results");
    await rest.post(`/campaigns/${campaignId}/archive`, { action: "archive" });
    await page.getByRole("button", { name: "Unarchive…" }).waitFor();
    expect(await page.getByRole("article").count()).toBe(9);
  },
  120_000,
);

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 320 },
])(
  "a long history has pages with the step names of each version, and a link opens a version on any page: %p",
  async (look) => {
    const person = await withCampaign();
    const { rest, campaignId } = person;
    await editTwice(rest, rest, campaignId);
    for (let edits = 0; edits < 50; edits++) {
      const { steps } = (await rest.get(`/campaigns/${campaignId}/sequence`)).body;
      const orderedStepIds = steps.map(({ stepId }: { stepId: string }) => stepId).reverse();
      expect((await rest.put(`/campaigns/${campaignId}/sequence`, { action: "reorder", orderedStepIds })).status).toBe(
        200,
      );
    }
    const { page, check } = await visit(person, `${pathOf(person)}&version=4`, look);
    await page.getByText("The campaign runs version 54.").waitFor();
    await check("a version of another page");
    // By key: straight after a long scroll the browser may give a click to a frame that stood at this place before
    await page.getByRole("button", { name: "Next page" }).press("Enter");
    await page.getByRole("row", { name: "Version 1" }).waitFor();
    const row = page.getByRole("row", { name: "Version 4" });
    await row.getByText("2 more changes").click();
    await row.getByText("Step 3: delay 3 days → 5 days").waitFor();
    await check("the last page of a history");
  },
  120_000,
);

test('the history of a campaign without edits says "No edits yet"', async () => {
  const person = await withCampaign();
  await scoped(person.workspaceId).CampaignVersion.deleteMany({ campaignId: person.campaignId });
  const { page, check } = await visit(person, pathOf(person), { width: 380 });
  await page.getByText("History").click();
  await page.getByText("No edits yet.").waitFor();
  await check("an empty history");
}, 60_000);

test("a sequence without steps leads to the editor, unless the campaign is archived", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  await rest.put(`/campaigns/${campaignId}/sequence`, { action: "replaceSteps", steps: [] });
  const { page, check } = await visit(person, pathOf(person), { width: 380 });
  const write = page.getByRole("button", { name: "Write the first email" });
  await page.getByRole("heading", { name: "No steps yet" }).waitFor();
  await check("no steps");
  await write.click();
  await page.getByText("Add the first email.", { exact: false }).waitFor();
  await check("the editor without steps");
  await page.getByRole("button", { name: "Add email" }).waitFor();
  await rest.post(`/campaigns/${campaignId}/archive`, { action: "archive" });
  await page.goto(`${world.baseUrl}${pathOf(person)}`);
  await page.getByText("This campaign was archived before").waitFor();
  expect(await write.count()).toBe(0);
}, 120_000);

test("a tab that cannot be loaded shows the error, and data that were loaded before stay", async () => {
  const person = await withCampaign();
  const { page, context } = await visit(
    person,
    `/w/${person.workspaceId}/campaigns/${person.campaignId}?view=overview`,
  );
  const refused = {
    code: "INSUFFICIENT_SCOPE",
    message: "No",
    traceId: "trc_1",
    details: { requiredScope: "campaigns:read" },
  };
  await context.route("**/sequence", (route) => route.fulfill({ status: 403, json: refused }));
  await page.getByRole("button", { name: "Sequence" }).click();
  await page.getByRole("alert").getByText("trc_1").waitFor();
  await context.unroute("**/sequence");
  await context.route("**/experiment", (route) =>
    route.fulfill({ status: 422, json: { ...refused, code: "VALIDATION_FAILED" } }),
  );
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await page.getByRole("article", { name: "Step 1: Email" }).waitFor();
  await context.unroute("**/experiment");
  await page.getByRole("button", { name: "Activity" }).click();
  await page.getByRole("button", { name: "Sequence" }).click();
  await page.getByText("No emails of this step sent yet.").waitFor();
}, 120_000);

async function otherCampaign({ rest }: Awaited<ReturnType<typeof withCampaign>>): Promise<string> {
  return (await rest.post("/campaigns", { name: "Nurture" })).body.id;
}
