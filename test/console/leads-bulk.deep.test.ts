import { expect, test } from "@jest/globals";
import { applyLeadChange, blankLead } from "../../domain/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import { invited, type SignedIn, signedIn } from "../support/signed-in.ts";
import { useSetup, visit, world } from "./leads-setup.ts";

useSetup({ worker: realWorker() });

const PATIENCE = { deadlineMs: 300_000 };
/** More than one page of the list. */
const MANY = 60;

const emailOf = (number: number) => `person.${number}@many.test`;

async function withMany(): Promise<SignedIn & { at: string }> {
  const person = await signedIn(world);
  const { rest, workspaceId } = person;
  await rest.post("/leads", { email: emailOf(0), tags: ["first"] });
  const [like] = await scoped(workspaceId).Lead.read({});
  if (like === undefined) throw new Error("No lead was stored");
  const { workspaceId: _, createdAt: __, updatedAt: ___, ...lead } = like;
  const others = Array.from({ length: MANY - 1 }, (____, index) => index + 1);
  await scoped(workspaceId).Lead.bulk(
    others.map((number) => {
      const own = applyLeadChange(blankLead(emailOf(number), "many.test"), { tags: [] });
      return { insert: { ...lead, ...own, _id: newId("led") } };
    }),
  );
  return { ...person, at: `/w/${workspaceId}` };
}

const tagged = async ({ rest }: SignedIn, tag: string): Promise<string[]> =>
  (await rest.get(`/leads?tags=${tag}&sort=email`)).body.items.map(({ email }: { email: string }) => email);

test("ticked leads are tagged, and Undo leaves each lead the tags that it had", async () => {
  const person = await withMany();
  const { page, check } = await visit(person, `${person.at}/leads`);
  for (const number of [MANY - 1, 0]) {
    await page.goto(`${world.baseUrl}${person.at}/leads?search=${emailOf(number)}`);
    await page.getByRole("link", { name: emailOf(number), exact: true }).waitFor();
    await page.getByLabel("Choose all of this page").check();
    await page.getByRole("button", { name: "Tags…" }).click();
    const dialog = page.getByRole("dialog", { name: "Tag 1 lead" });
    await dialog.getByLabel("Tags", { exact: true }).fill("first, fair ");
    if (number === 0) await check("the dialog of tags");
    await dialog.getByRole("button", { name: "Change tags" }).click();
    await page.getByText("Tags of 1 lead changed.").waitFor();
  }
  expect(await tagged(person, "fair")).toEqual([emailOf(0), emailOf(MANY - 1)].toSorted());
  await page.getByRole("button", { name: "Undo" }).last().click();
  await page.getByText("Undone.").waitFor();
  expect(await tagged(person, "fair")).toEqual([emailOf(MANY - 1)]);
  expect(await tagged(person, "first")).toEqual([emailOf(0), emailOf(MANY - 1)].toSorted());
}, 300_000);

test("all leads that match are added to a new list, also those of other pages, and leave it again", async () => {
  const person = await withMany();
  const { rest } = person;
  const { page, check } = await visit(person, `${person.at}/leads?search=many`);
  await page.getByRole("link", { name: emailOf(MANY - 1), exact: true }).waitFor();
  await page.getByLabel("Choose all of this page").check();
  await page.getByRole("button", { name: `Choose all ${MANY} that match` }).click();
  await page.getByText(`All ${MANY} that match are chosen`).waitFor();
  await check("all that match are chosen");
  await page.getByRole("button", { name: "Add to list…" }).click();
  const dialog = page.getByRole("dialog", { name: `Add ${MANY} leads to a list` });
  await dialog.getByLabel("Name of the new list").fill("Everyone");
  await dialog.getByRole("button", { name: "Add to list" }).click();
  const planned = page.getByRole("dialog", { name: "Add these leads to “Everyone”?" });
  await planned.getByText(`leads: ${MANY} changed`).waitFor();
  await check("the effect of an addition to a list");
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ name: "Everyone", memberCount: 0 }]);
  await planned.getByRole("button", { name: "Add to list" }).click();
  await until(async () => (await rest.get("/lead-lists")).body[0].memberCount === MANY, {
    ...PATIENCE,
    what: "the members",
  });

  const [list] = (await rest.get("/lead-lists")).body;
  await page.goto(`${world.baseUrl}${person.at}/leads?list=${list.id}&search=${emailOf(7)}`);
  await page.getByRole("link", { name: emailOf(7), exact: true }).waitFor();
  await page.getByLabel("Choose all of this page").check();
  await page.getByRole("button", { name: "Remove from list…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove from list" }).click();
  await page.getByText("1 lead removed from “Everyone”.").waitFor();
  expect((await rest.get("/lead-lists")).body[0].memberCount).toBe(MANY - 1);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone.").waitFor();
  expect((await rest.get("/lead-lists")).body[0].memberCount).toBe(MANY);
}, 300_000);

test("leads of another filter are not chosen, and a deletion of all that match deletes exactly those", async () => {
  const person = await withMany();
  const { rest } = person;
  await rest.post("/leads", { email: "stays@other.test" });
  const { page, check } = await visit(person, `${person.at}/leads?domain=many.test`);
  await page.getByRole("link", { name: emailOf(MANY - 1), exact: true }).waitFor();
  await page.getByLabel("Choose all of this page").check();
  await page.getByRole("button", { name: `Choose all ${MANY} that match` }).click();
  // Another filter: the choice of all that match ends, so that no one deletes leads that were never shown
  await page.getByLabel("Search").fill("stays");
  await page.getByText("Nothing matches.").waitFor();
  expect(await page.getByText("that match are chosen").count()).toBe(0);
  await page.goto(`${world.baseUrl}${person.at}/leads?domain=many.test`);
  await page.getByLabel("Choose all of this page").check();
  await page.getByRole("button", { name: `Choose all ${MANY} that match` }).click();
  await page.getByRole("button", { name: "Delete…" }).click();
  const dialog = page.getByRole("dialog", { name: `Delete ${MANY} leads?` });
  await dialog.getByText(new RegExp(`leads: ${MANY} deleted`)).waitFor();
  await check("the effect of a deletion");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await rest.get("/leads")).body.total).toBe(MANY + 1);
  await page.getByRole("button", { name: "Delete…" }).click();
  await dialog.getByRole("button", { name: "Delete leads" }).click();
  await until(async () => (await rest.get("/leads")).body.total === 1, { ...PATIENCE, what: "the deletion" });
  expect((await rest.get("/leads")).body.items).toMatchObject([{ email: "stays@other.test" }]);
}, 300_000);

test("leads are added to a running campaign only after the page has shown who is emailed", async () => {
  const person = await withMany();
  const { rest, workspaceId } = person;
  const { campaignId } = await readyCampaign(rest, workspaceId, ["grace@navy.test"]);
  await rest.patch(`/campaigns/${campaignId}/settings`, { startAt: "2035-01-01" });
  await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" });
  const { page, check } = await visit(person, `${person.at}/leads?search=many`, { theme: "dark", width: 390 });
  await page.getByRole("link", { name: emailOf(MANY - 1), exact: true }).waitFor();
  await page.getByLabel("Choose all of this page").check();
  await page.getByRole("button", { name: `Choose all ${MANY} that match` }).click();
  await page.getByRole("button", { name: "Add to campaign…" }).click();
  const dialog = page.getByRole("dialog", { name: `Add ${MANY} leads to a campaign` });
  await dialog.getByRole("button", { name: "Continue" }).click();
  const shown = page.getByRole("dialog");
  await shown.getByText(`${MANY} people are contacted in addition`).waitFor();
  await check("the effect of an addition to a running campaign");
  const stats = async () => (await rest.get(`/campaigns/${campaignId}/recipients/stats`)).body.total;
  expect(await stats()).toBe(1);
  await shown.getByRole("button", { name: /^Add/ }).click();
  await until(async () => (await stats()) === MANY + 1, { ...PATIENCE, what: "the recipients" });
}, 300_000);

test("a viewer chooses no leads", async () => {
  const person = await withMany();
  const viewer = await invited(world, person, `viewer-${person.userId}@acme.test`, "VIEWER");
  const { page } = await visit(viewer, `${person.at}/leads`);
  await page.getByRole("link", { name: emailOf(MANY - 1), exact: true }).waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(0);
}, 120_000);
