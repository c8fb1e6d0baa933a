import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import { scoped } from "../../models/scoped.ts";
import { ALWAYS, storedMailbox } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const leadAt = async (rest: Awaited<ReturnType<World["workspace"]>>["rest"], email: string) =>
  (await rest.get(`/leads?search=${email}`)).body.items[0];

/** Makes a lead look as an earlier version stored it. */
async function forgetSource(workspaceId: string, email: string): Promise<void> {
  await scoped(workspaceId).Lead.updateOne({ email }, { $unset: { createdFrom: 1 } });
}

test("a lead stores what it was created from, when and by whom", async () => {
  const { rest, ownerId, person } = await world.workspace();
  const { credentialId } = (await rest.get("/whoami")).body;
  const key = { kind: "API_KEY", id: credentialId };
  const { body: created } = await rest.post("/leads", { email: "api@x.example", source: "Webinar" });
  expect(created).toMatchObject({
    source: "Webinar",
    createdFrom: { kind: "API", actor: key, name: null, id: null },
  });
  expect(Math.abs(Date.parse(created.createdFrom.at) - Date.parse(created.createdAt))).toBeLessThan(1_000);
  const owner = await person();
  const { body: byHand } = await owner.post("/leads", { email: "hand@x.example" });
  expect(byHand.createdFrom).toMatchObject({ kind: "MANUAL", actor: { kind: "CONSOLE", id: ownerId } });
  const rows = [{ email: "file@x.example" }];
  await rest.post("/leads/import", { action: "commit", rows, fileName: "contacts.csv" });
  const imported = { kind: "IMPORT", actor: key, name: "contacts.csv", id: null };
  const lead = await leadAt(rest, "file@x.example");
  expect(lead.createdFrom).toMatchObject(imported);
  expect((await rest.get(`/leads/${lead.id}`)).body.createdFrom).toEqual(lead.createdFrom);
  const { body: campaign } = await rest.post("/campaigns", { name: "Spring" });
  await rest.post(`/campaigns/${campaign.id}/recipients`, { action: "addManual", emails: ["campaign@x.example"] });
  expect((await leadAt(rest, "campaign@x.example")).createdFrom).toMatchObject({
    kind: "CAMPAIGN",
    actor: key,
    name: "Spring",
    id: campaign.id,
  });
});

test("no later import, change or caller's value alters the source of a lead", async () => {
  const { rest } = await world.workspace();
  const forged = { kind: "CRM", at: "2020-01-01T00:00:00.000Z" };
  const { body: created } = await rest.post("/leads", { email: "a@x.example", createdFrom: forged });
  expect(created).toMatchObject({ createdFrom: { kind: "API" }, customFields: {} });
  const rows = [{ email: "a@x.example", firstName: "Ada" }];
  await rest.post("/leads/import", { action: "commit", rows, fileName: "later.csv" });
  await rest.post("/leads/manage", {
    action: "update",
    leadId: created.id,
    patch: { email: "b@x.example", company: "Acme", createdFrom: forged },
  });
  const { body } = await rest.get(`/leads/${created.id}`);
  expect(body).toMatchObject({ email: "b@x.example", firstName: "Ada", company: "Acme" });
  expect(body.createdFrom).toEqual(created.createdFrom);
});

test("the source of a lead of an earlier version is null, also after an import has changed the lead", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { body: created } = await rest.post("/leads", { email: "old@x.example" });
  await forgetSource(workspaceId, "old@x.example");
  const rows = [{ email: "old@x.example", firstName: "Old" }];
  await rest.post("/leads/import", { action: "commit", rows, fileName: "new.csv" });
  expect((await rest.get(`/leads/${created.id}`)).body).toMatchObject({ firstName: "Old", createdFrom: null });
});

test("an export has the kind, the name and the actor of each source, and empty cells for an unknown one", async () => {
  const { rest, workspaceId } = await world.workspace();
  const rows = [{ email: "old@x.example" }, { email: "new@x.example" }];
  await rest.post("/leads/import", { action: "commit", rows, fileName: "contacts.csv" });
  await forgetSource(workspaceId, "old@x.example");
  const { credentialId } = (await rest.get("/whoami")).body;
  const { body } = await rest.get("/leads/export");
  const lines: Record<string, string>[] = parse(body.content, { columns: true });
  const byAddress = new Map(lines.map((line) => [line["email"], line]));
  expect(byAddress.get("new@x.example")).toMatchObject({
    createdFrom: "IMPORT",
    createdFromName: "contacts.csv",
    createdBy: `API_KEY ${credentialId}`,
  });
  expect(byAddress.get("old@x.example")).toMatchObject({ createdFrom: "", createdFromName: "", createdBy: "" });
});

test("a segment finds leads by the kind of their source", async () => {
  const { rest, workspaceId } = await world.workspace();
  await rest.post("/leads", { email: "api@x.example" });
  await rest.post("/leads", { email: "old@x.example" });
  await rest.post("/leads/import", { action: "commit", rows: [{ email: "file@x.example" }] });
  await forgetSource(workspaceId, "old@x.example");
  const found = async (operator: string, value?: unknown) => {
    const rule = { field: "createdFrom.kind", operator, ...(value !== undefined && { value }) };
    const { body } = await rest.post("/lead-lists/preview", { filterRules: { combinator: "AND", rules: [rule] } });
    return body.sample.map(({ email }: { email: string }) => email).sort();
  };
  expect(await found("EQ", "IMPORT")).toEqual(["file@x.example"]);
  expect(await found("IN", ["IMPORT", "API"])).toEqual(["api@x.example", "file@x.example"]);
  expect(await found("IS_NOT_SET")).toEqual(["old@x.example"]);
  const unknown = { combinator: "AND", rules: [{ field: "createdFrom.kind", operator: "EQ", value: "BOUGHT" }] };
  expect((await rest.post("/lead-lists/preview", { filterRules: unknown })).body).toMatchObject({
    code: "FILTER_INVALID",
  });
});

test("the check of a campaign knows lead.source, and counts the people whose source is unknown", async () => {
  const { rest, workspaceId } = await world.workspace();
  const mailbox = await storedMailbox(workspaceId);
  const { body: campaign } = await rest.post("/campaigns", { name: "Sources" });
  const path = `/campaigns/${campaign.id}`;
  await rest.patch(`${path}/settings`, { mailboxIds: [mailbox._id], windows: ALWAYS });
  const steps = [{ subject: "Hello", body: "<p>You are on our list by {{ lead.source }}.</p>" }];
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  const rows = [{ email: "new@x.example" }, { email: "old@x.example" }];
  await rest.post("/leads/import", { action: "commit", rows, fileName: "contacts.csv" });
  await forgetSource(workspaceId, "old@x.example");
  const { email, id: leadId } = await leadAt(rest, "new@x.example");
  await rest.post(`${path}/recipients`, { action: "addManual", emails: [email, "old@x.example"] });
  const checked = (await rest.get(`${path}/validate`)).body;
  expect(checked.errors).toEqual([]);
  expect(checked.warnings).toContainEqual(
    expect.objectContaining({
      code: "OFTEN_EMPTY_VARIABLES",
      details: expect.objectContaining({ variable: "lead.source", count: 1, people: 2 }),
    }),
  );
  const { steps: stored } = (await rest.get(`${path}/sequence`)).body;
  const { body: preview } = await rest.post(`${path}/sequence/preview`, { stepId: stored[0].stepId, leadId });
  expect(preview.text).toMatch(/by an import of contacts\.csv on \d{1,2} \w+ \d{4}\./);
  const { id: oldId } = await leadAt(rest, "old@x.example");
  const previewOfOld = async () =>
    (await rest.post(`${path}/sequence/preview`, { stepId: stored[0].stepId, leadId: oldId })).body;
  expect((await previewOfOld()).missingVariables).toEqual(["lead.source"]);
  const variableFallbacks = { leadSource: "a public register" };
  await rest.patch(`${path}/settings`, { missingVariablePolicy: "FALLBACK", variableFallbacks });
  expect(await previewOfOld()).toMatchObject({
    missingVariables: [],
    text: expect.stringContaining("by a public register."),
  });
  const catalogue = (await rest.get("/custom-fields/variables")).body;
  expect(catalogue).toContainEqual(expect.objectContaining({ key: "lead.source", token: "{{lead.source}}" }));
});
