import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { CRM_TRAITS } from "../../domain/crm/provider.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { ApiKey } from "../../models/access/api-key.ts";
import { scoped } from "../../models/scoped.ts";
import { limit } from "../../operations/abuse/limit.ts";
import { people } from "../fakes/crm.ts";
import { until } from "../fakes/wait.ts";
import { agentOf } from "../support/mcp.ts";
import { type CrmWorld, ended, membersOf, SEGMENT, startCrmWorld, VENDORS } from "./crm-world.ts";

let crms: CrmWorld;
beforeAll(async () => {
  crms = await startCrmWorld();
}, 120_000);
afterAll(() => crms.close(), 60_000);

afterEach(() => {
  const { crm } = crms;
  crm.segments.clear();
  crm.names.clear();
  for (const list of [crm.asked, crm.grants, crm.written]) list.length = 0;
  Object.assign(crm.settings, {
    lifeSeconds: 3_600,
    rotates: false,
    pageSize: 500,
    hidden: [],
    fault: () => null,
    grantFault: () => null,
  });
});

test.each(VENDORS)(
  "%s is connected by consent, its segment is imported as leads and list members, and its tokens are stored encrypted",
  async (vendor) => {
    const { crm } = crms;
    const { rest, workspaceId, imported, key } = await crms.connected(vendor);
    const { body } = await rest.get("/crm/connections");
    expect(body.items).toMatchObject([
      {
        provider: vendor,
        status: "CONNECTED",
        lastSyncAt: null,
        writeBack: { activities: false, doNotContact: false },
      },
    ]);
    expect(body.providers).toHaveLength(3);
    crm.settings.pageSize = 4;
    crm.segments.set(SEGMENT[vendor], [
      ...people(9),
      { id: 10, email: "OUT@x.example", isOptedOut: true },
      { id: 12, email: "p1@x.example", first: "Twin of an earlier page" },
      { id: 13, email: "out@x.example", first: "Twin of the same page" },
      { id: 11, email: null },
    ]);
    crm.names.set(SEGMENT[vendor], "Hot");
    const segments = await rest.get(`/crm/segments?connectionId=${body.items[0].id}&search=HO`);
    expect(segments.body).toMatchObject({ items: [{ id: SEGMENT[vendor], name: "Hot" }], total: 1 });
    expect((await rest.get(`/crm/segments?connectionId=${body.items[0].id}&search=cold`)).body.items).toEqual([]);
    const { body: list } = await rest.post("/lead-lists", { name: "From the CRM" });
    const job = await imported(SEGMENT[vendor], { listId: list.id });
    expect(job).toMatchObject({
      status: "COMPLETED_WITH_ERRORS",
      created: 10,
      updated: 0,
      skipped: 2,
      membershipsAdded: 10,
    });
    expect(job).toMatchObject({
      progress: { total: 13, processed: 13, failed: 1 },
      result: { created: 10, invalid: 1, skipped: 2 },
    });
    expect(job.items).toHaveLength(13);
    expect(await membersOf(workspaceId, list.id)).toHaveLength(10);
    expect((await rest.get("/lead-lists")).body).toMatchObject([{ memberCount: 10 }]);
    const [lead] = (await rest.get("/leads?search=p3@x.example")).body.items;
    expect(lead).toMatchObject({
      firstName: "First3",
      lastName: "Last3",
      company: "Company 3",
      source: `CRM_${vendor}`,
      createdFrom: { kind: "CRM", actor: { kind: "API_KEY" }, name: CRM_TRAITS[vendor].name, id: body.items[0].id },
      suppressed: false,
    });
    const [out] = (await rest.get("/leads?search=out@x.example")).body.items;
    expect(out).toMatchObject({ suppressed: true, suppressionReason: "UNSUBSCRIBED" });
    const again = await imported(SEGMENT[vendor], { listId: list.id });
    expect(again).toMatchObject({ created: 0, updated: 0, skipped: 12, membershipsAdded: 0 });
    expect((await rest.get("/crm/connections")).body.items[0].lastSyncAt).toEqual(expect.any(String));
    const agent = await agentOf(crms.world, key);
    expect((await agent.call("crm_connections", {})).body).toMatchObject({
      items: [{ provider: vendor }],
      untrusted: true,
    });
    const { CrmConnection, CrmConsent, Job, JobChunk, CrmMember } = scoped(workspaceId);
    const dump = JSON.stringify(
      await Promise.all([CrmConnection.find(), CrmConsent.find(), Job.find(), JobChunk.find(), CrmMember.find()]),
    );
    for (const secret of crm.secrets) expect([dump, ...crms.lines].some((text) => text.includes(secret))).toBe(false);
    const { body: gone } = await rest.post("/crm/connect", { action: "disconnect", connectionId: body.items[0].id });
    expect(gone).toEqual({ id: body.items[0].id, deleted: true });
    expect([await CrmConnection.count(), await CrmMember.count()]).toEqual([0, 0]);
  },
);

test.each(["HUBSPOT", "PIPEDRIVE"] as const)(
  "%s can also be connected by an API token; a token the CRM rejects is reported with our own message",
  async (vendor) => {
    const { crm, world } = crms;
    const { rest, workspaceId } = await world.workspace();
    const refused = await rest.post("/crm/connect", { action: "connect", provider: vendor, apiToken: "made-up" });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: "CRM_CONNECTION_FAILED", message: "The CRM does not accept this token" },
    });
    const apiToken = crm.apiToken(vendor);
    const { body } = await rest.post("/crm/connect", { action: "connect", provider: vendor, apiToken });
    expect(body).toMatchObject({ provider: vendor, status: "CONNECTED" });
    crm.segments.set(SEGMENT[vendor], people(3));
    const { body: started } = await rest.post("/crm/import", { connectionId: body.id, segmentId: SEGMENT[vendor] });
    expect(await ended(rest, started.id)).toMatchObject({ status: "COMPLETED", created: 3 });
    const header = vendor === "PIPEDRIVE" ? "x-api-token" : "authorization";
    expect(
      crm.asked.every(
        ({ headers }) => String(headers[header]).endsWith(apiToken) || String(headers[header]).endsWith("made-up"),
      ),
    ).toBe(true);
    const { body: other } = await rest.post("/crm/connect", {
      action: "connect",
      provider: vendor,
      apiToken: crm.apiToken(vendor),
    });
    expect(other.id).toBe(body.id);
    expect(JSON.stringify(await scoped(workspaceId).CrmConsent.find())).not.toContain(apiToken);
    expect((await rest.post("/crm/connect", { action: "connect", provider: "SALESFORCE", apiToken })).body.code).toBe(
      "VALIDATION_FAILED",
    );
  },
);

test("a consent's state works once, only at its CRM, within ten minutes, and while its API key may still connect", async () => {
  const { crm, world, browse } = crms;
  const { rest, workspaceId } = await world.workspace();
  const started = async () =>
    (await rest.post("/crm/connect", { action: "start", provider: "SALESFORCE" })).body.authUrl;
  expect(new URL(await started()).searchParams.get("code_challenge_method")).toBe("S256");
  const back = crm.consent(await started());
  const elsewhere = new URL(back.href.replace("salesforce", "hubspot"));
  expect(await browse(elsewhere)).toMatchObject({ status: 400, text: expect.stringContaining("is unknown") });
  expect(await browse(back)).toMatchObject({ status: 200, text: expect.stringContaining("Acme Cloud") });
  expect(await browse(back)).toMatchObject({ status: 400, text: expect.stringContaining("already used") });
  const late = crm.consent(await started());
  await scoped(workspaceId).CrmConsent.updateMany({ usedAt: null }, { $set: { expiresAt: new Date(Date.now() - 1) } });
  expect(await browse(late)).toMatchObject({ status: 400, text: expect.stringContaining("ten minutes") });
  const denied = crm.consent(await started());
  denied.searchParams.delete("code");
  denied.searchParams.set("error", "access_denied");
  expect(await browse(denied)).toMatchObject({ status: 422 });
  const made = crm.consent(await started());
  made.searchParams.set("code", "made-up");
  expect(await browse(made)).toMatchObject({
    status: 422,
    text: expect.stringContaining("did not accept the consent"),
  });
  const lasting = crm.consent(await started());
  await ApiKey.updateMany({ workspaceId }, { $set: { revokedAt: new Date() } });
  expect(await browse(lasting)).toMatchObject({ status: 403 });
  expect(await scoped(workspaceId).CrmConnection.count()).toBe(1);
});

test("without CRM settings each call that needs these settings names the missing setting", async () => {
  const { rest, connectionId } = await crms.connected("HUBSPOT");
  const { crm } = crms.world.services.settings;
  const { HUBSPOT } = crm;
  crm.HUBSPOT = { ...HUBSPOT, oauth: null };
  try {
    for (const answer of [
      await rest.post("/crm/connect", { action: "start", provider: "HUBSPOT" }),
      await rest.get(`/crm/segments?connectionId=${connectionId}`),
      await rest.post("/crm/import", { connectionId, segmentId: "7" }),
    ]) {
      expect(answer).toMatchObject({
        status: 503,
        body: { code: "PROVIDER_NOT_CONFIGURED", details: { setting: "HUBSPOT_CLIENT_ID" } },
      });
    }
    expect((await rest.get("/crm/connections")).body.providers[0]).toMatchObject({
      provider: "HUBSPOT",
      configured: false,
      takesToken: true,
    });
  } finally {
    crm.HUBSPOT = HUBSPOT;
  }
});

test("another workspace's connection and job are not found, and each call needs its scope", async () => {
  const one = await crms.connected("PIPEDRIVE");
  const { connectionId } = one;
  crms.crm.segments.set("7", people(1));
  const { id: jobId } = await one.imported("7");
  const { rest, withScopes } = await crms.world.workspace();
  for (const answer of [
    await rest.get(`/crm/segments?connectionId=${connectionId}`),
    await rest.post("/crm/import", { connectionId, segmentId: "7" }),
    await rest.post("/crm/connect", { action: "disconnect", connectionId }),
    await rest.post("/crm/connect", { action: "update", connectionId, writeBack: { activities: true } }),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { code: "CONNECTION_NOT_FOUND" } });
  }
  expect((await rest.post("/crm/import", { action: "status", jobId })).body.code).toBe("JOB_NOT_FOUND");
  const reader = await withScopes("crm:read");
  expect((await reader.post("/crm/import", { connectionId, segmentId: "7" })).status).toBe(403);
  expect((await reader.post("/crm/connect", { action: "start", provider: "HUBSPOT" })).status).toBe(403);
  expect((await reader.get("/crm/connections")).body.items).toEqual([]);
});

test("an import uses the caller's mapping; unknown fields and unsuitable lists are refused before the import starts", async () => {
  const { rest, connectionId, imported } = await crms.connected("HUBSPOT");
  const ask = (more: object) => rest.post("/crm/import", { connectionId, segmentId: "7", ...more });
  expect((await ask({ fieldMapping: { firstname: "nickname" } })).body.code).toBe("VALIDATION_FAILED");
  expect((await ask({ fieldMapping: { a: "firstName", b: "firstName" } })).body.code).toBe("VALIDATION_FAILED");
  expect((await ask({ listId: "lst_none" })).body.code).toBe("LIST_NOT_FOUND");
  const rules = {
    version: 1,
    combinator: "AND",
    rules: [{ field: "tags", operator: "CONTAINS_ANY", value: ["saas"] }],
  };
  const { body: dynamic } = await rest.post("/lead-lists", { name: "Dynamic", type: "DYNAMIC", filterRules: rules });
  expect((await ask({ listId: dynamic.id })).body.code).toBe("LIST_IS_DYNAMIC");
  expect((await ask({ segmentId: "" })).body.code).toBe("VALIDATION_FAILED");
  crms.crm.segments.set("7", [
    { id: 1, email: "ann@x.example", first: "Ann", more: { score: "7", lifecyclestage: "lead" } },
  ]);
  const fieldMapping = { firstname: null, score: "customFields.score", lifecyclestage: "tags" };
  expect(await imported("7", { fieldMapping })).toMatchObject({ status: "COMPLETED", created: 1 });
  const [lead] = (await rest.get("/leads?search=ann@x.example")).body.items;
  expect(lead).toMatchObject({ firstName: null, customFields: { score: "7" }, tags: ["lead"] });
});

test("an import beyond the rows that the workspace may import on a day makes no lead of its page (rules/access 8.5)", async () => {
  const { workspaceId, imported } = await crms.connected("HUBSPOT");
  await limit(workspaceId, 2, "A trial", { what: "IMPORTED_ROWS" });
  crms.crm.segments.set("7", people(3));
  expect(await imported("7", {})).toMatchObject({ status: "FAILED", error: { code: "LIMIT_EXCEEDED" } });
  expect(await scoped(workspaceId).Lead.count()).toBe(0);
});

test("a synced list follows its segment: changed contacts are updated, removed ones leave the list, and our own edits stay", async () => {
  const { crm, round } = crms;
  const { rest, workspaceId, imported } = await crms.connected("PIPEDRIVE");
  const { body: list } = await rest.post("/lead-lists", { name: "Kept" });
  crm.segments.set("7", people(5));
  expect(await imported("7", { listId: list.id, sync: true })).toMatchObject({ status: "COMPLETED", created: 5 });
  const { CrmImport, Job, Lead } = scoped(workspaceId);
  expect(await round("syncCrm")).toBe(0); // not an hour ago
  const [first] = (await rest.get("/leads?search=p1@x.example")).body.items;
  await rest.post("/leads/manage", { action: "update", leadId: first.id, patch: { firstName: "By hand" } });
  const [two, three, four, ...rest5] = people(5).slice(1);
  crm.segments.set("7", [
    ...people(1),
    { ...two, id: 2, email: "p2@x.example", first: "Renamed" },
    { ...three, id: 3, email: "moved@x.example" },
    { ...four, id: 9, email: "p4@x.example", first: "Another" },
    ...people(1, 6),
  ]);
  expect(rest5).toHaveLength(1);
  await CrmImport.updateMany({}, { $set: { startedAt: new Date(Date.now() - HOUR_MS) } });
  expect(await round("syncCrm")).toBe(1);
  const job = await until(async () => Job.findOne({ status: "COMPLETED", "parameters.round": 2 }), {
    deadlineMs: 20_000,
    what: "the round",
  });
  expect(job?.result).toMatchObject({ created: 2, updated: 2, skipped: 1, left: 1 });
  expect(await membersOf(workspaceId, list.id)).toEqual([
    "moved@x.example",
    "p1@x.example",
    "p2@x.example",
    "p4@x.example",
    "p6@x.example",
  ]);
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ memberCount: 5 }]);
  expect((await Lead.findOne({ email: "p1@x.example" }))?.firstName).toBe("By hand");
  expect((await Lead.findOne({ email: "p2@x.example" }))?.firstName).toBe("Renamed");
  expect(await Lead.count()).toBe(7);
  const kept = async () => (await rest.get("/crm/connections")).body.items[0].keptInStep;
  expect(await kept()).toMatchObject([{ segmentId: "7", listId: list.id, stoppedBy: null }]);
  await imported("7", { listId: list.id, sync: false });
  await CrmImport.updateMany({}, { $set: { startedAt: new Date(Date.now() - HOUR_MS) } });
  expect(await round("syncCrm")).toBe(0);
  expect(await kept()).toEqual([]);
});
