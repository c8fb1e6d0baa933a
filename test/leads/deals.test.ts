import { mock } from "node:test";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction, outsideTransaction } from "../../mongo/transaction.ts";
import { planOf } from "../support/plan.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function withLead() {
  const { rest, workspaceId, withScopes } = await world.workspace();
  const { body: lead } = await rest.post("/leads", { email: "ada@x.example" });
  const statusOf = async () => (await rest.get(`/leads/${lead.id}`)).body.status;
  return { rest, workspaceId, withScopes, leadId: lead.id, statusOf };
}

test("a deal is added to a lead with every field, and appears in the lead's history", async () => {
  const { rest, workspaceId, leadId, statusOf } = await withLead();
  const { status, body } = await rest.post("/deals", { leadId, name: "Pilot" });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^deal_/),
    workspaceId,
    leadId,
    name: "Pilot",
    stage: "NEW",
    amountCents: null,
    currency: "USD",
    closedAt: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  expect(await scoped(workspaceId).ActivityEvent.find({ leadId, type: "DEAL_ADDED" })).toMatchObject([
    { data: { dealId: body.id } },
  ]);
  expect(await statusOf()).toBe("ACTIVE");
});

test("the stages WON and LOST close the deal and raise the lead's status, which deals never lower", async () => {
  const { rest, workspaceId, leadId, statusOf } = await withLead();
  const won = await rest.post("/deals", { leadId, name: "Yes", stage: "WON", amountCents: 125_000 });
  expect(won.body).toMatchObject({ stage: "WON", amountCents: 125_000, closedAt: expect.any(String) });
  expect(await statusOf()).toBe("WON");
  expect(await scoped(workspaceId).ActivityEvent.find({ leadId, type: "STATUS_CHANGED" })).toMatchObject([
    { data: { from: "ACTIVE", to: "WON" } },
  ]);
  await rest.post("/deals", { leadId, name: "No", stage: "LOST" });
  expect(await statusOf()).toBe("WON");
  expect((await rest.post("/deals", { leadId, name: "Own", stage: "Handshake" })).body).toMatchObject({
    stage: "Handshake",
    closedAt: null,
  });
});

test("deals are listed newest first, for one lead if one is named, and are deleted once", async () => {
  const { rest, leadId } = await withLead();
  const { body: other } = await rest.post("/leads", { email: "bob@x.example" });
  const { body: first } = await rest.post("/deals", { leadId, name: "First" });
  const { body: second } = await rest.post("/deals", { leadId: other.id, name: "Second" });
  expect((await rest.get("/deals")).body).toEqual([second, first]);
  expect((await rest.get(`/deals?leadId=${leadId}`)).body).toEqual([first]);
  expect(await rest.post(`/deals/${first.id}/delete`)).toMatchObject({
    status: 200,
    body: { id: first.id, deleted: true },
  });
  expect(await rest.post(`/deals/${first.id}/delete`)).toMatchObject({ status: 404, body: { code: "DEAL_NOT_FOUND" } });
  expect((await rest.get("/deals")).body).toEqual([second]);
});

test("deleting a lead deletes the deals of the lead", async () => {
  const { rest, leadId } = await withLead();
  await rest.post("/deals", { leadId, name: "Gone" });
  expect((await rest.post("/leads/manage", { action: "delete", leadId })).status).toBe(200);
  expect((await rest.get("/deals")).body).toEqual([]);
});

test("when a lead is deleted while deals are being added to it, no deal and no event of a deal remains", async () => {
  const { rest, workspaceId } = await withLead();
  for (let time = 0; time < 8; time++) {
    const { body: lead } = await rest.post("/leads", { email: `gone${time}@x.example` });
    const add = () => rest.post("/deals", { leadId: lead.id, name: "Late" });
    const remove = () => rest.post("/leads/manage", { action: "delete", leadId: lead.id });
    const [removed, ...added] = await Promise.all([remove(), add(), add(), add(), add()]);
    expect(removed.status).toBe(200);
    for (const { status } of added) expect([201, 404]).toContain(status);
    expect(await scoped(workspaceId).Deal.find({ leadId: lead.id })).toEqual([]);
    expect(await scoped(workspaceId).ActivityEvent.find({ leadId: lead.id })).toEqual([]);
  }
});

test("a lead that was written twice within the same millisecond conflicts with a deletion each time", async () => {
  const { rest, workspaceId } = await withLead();
  const { Lead } = scoped(workspaceId);
  mock.timers.enable({ apis: ["Date"], now: new Date() });
  try {
    const { body: lead } = await rest.post("/leads", { email: "twice@x.example" });
    const touch = () => outsideTransaction(() => inTransaction(() => Lead.touch(lead.id)));
    await touch();
    let attempts = 0;
    await inTransaction(async () => {
      expect((await Lead.get(lead.id))?._id).toBe(lead.id);
      if (attempts++ === 0) await touch();
      await Lead.deleteOne({ _id: lead.id });
    });
    expect(attempts).toBe(2);
  } finally {
    mock.timers.reset();
  }
});

test("a lead or deal of another workspace is answered like an unknown one, and nothing changes", async () => {
  const { rest } = await withLead();
  const theirs = await withLead();
  const { body: deal } = await theirs.rest.post("/deals", { leadId: theirs.leadId, name: "Theirs" });
  expect(await rest.post("/deals", { leadId: theirs.leadId, name: "Mine", stage: "WON" })).toMatchObject({
    status: 404,
    body: { code: "LEAD_NOT_FOUND" },
  });
  expect(await rest.get(`/deals?leadId=${theirs.leadId}`)).toMatchObject({
    status: 404,
    body: { code: "LEAD_NOT_FOUND" },
  });
  expect(await rest.post(`/deals/${deal.id}/delete`)).toMatchObject({ status: 404, body: { code: "DEAL_NOT_FOUND" } });
  expect((await theirs.rest.get("/deals")).body).toEqual([deal]);
  expect(await theirs.statusOf()).toBe("ACTIVE");
});

test.each([
  ["leadId", {}],
  ["name", { name: undefined }],
  ["name", { name: "x".repeat(201) }],
  ["stage", { stage: "" }],
  ["stage", { stage: { $ne: 1 } }],
  ["amountCents", { amountCents: 1.5 }],
  ["amountCents", { amountCents: -1 }],
  ["amountCents", { amountCents: "100" }],
  ["currency", { currency: "EUR" }],
])("adding a deal refuses %s of %j", async (path, body) => {
  const { rest, leadId } = await withLead();
  const given = path === "leadId" ? { name: "x" } : { leadId, name: "x", ...body };
  const answer = await rest.post("/deals", given);
  expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED", details: { issues: [{ path }] } } });
  expect((await rest.get("/deals")).body).toEqual([]);
});

test("a credential reads or writes deals only as its scopes allow", async () => {
  const { withScopes, leadId } = await withLead();
  const reader = await withScopes("deals:read");
  expect((await reader.get("/deals")).status).toBe(200);
  expect((await reader.post("/deals", { leadId, name: "x" })).status).toBe(403);
  expect((await reader.post(`/deals/${newId("deal")}/delete`)).status).toBe(403);
});

test("both lists of deals are read from an index in sort order", async () => {
  const { workspaceId, leadId } = await withLead();
  for (const filter of [{}, { leadId }]) {
    const stages = await planOf("deals", { workspaceId, ...filter }, { _id: -1 });
    expect(stages).toContain("IXSCAN");
    expect(stages).not.toContain("SORT");
  }
});
