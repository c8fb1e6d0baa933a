import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { ApiKey } from "../../models/access/api-key.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { people, REFUSALS } from "../fakes/crm.ts";
import type { AskedOfCrm, CrmFault } from "../fakes/crm-account.ts";
import { until } from "../fakes/wait.ts";
import { type CrmWorld, ended, membersOf, SEGMENT, startCrmWorld, VENDORS, type Vendor } from "./crm-world.ts";

let crms: CrmWorld;
beforeAll(async () => {
  crms = await startCrmWorld();
}, 120_000);
afterAll(() => crms.close(), 60_000);

afterEach(() => {
  const { crm } = crms;
  crm.segments.clear();
  for (const list of [crm.asked, crm.grants, crm.written]) list.length = 0;
  Object.assign(crm.settings, { lifeSeconds: 3_600, rotates: false, pageSize: 500, delayMs: 0, hidden: [] });
  Object.assign(crm.settings, { fault: () => null, grantFault: () => null });
});

/** Whether a request asks for contacts, as each vendor does. */
const isPage: Record<Vendor, (asked: AskedOfCrm) => boolean> = {
  HUBSPOT: ({ path }) => path.endsWith("/batch/read"),
  SALESFORCE: ({ path }) => path.includes("/query"),
  PIPEDRIVE: ({ path }) => path.endsWith("/persons"),
};

/** Fails the page of this number, from 1, so many times. */
function failPage(vendor: Vendor, number: number, fault: CrmFault, times = 1): void {
  let [page, left] = [0, times];
  crms.crm.settings.fault = (asked) => {
    if (!isPage[vendor](asked)) return null;
    if (left < times || ++page === number) return left-- > 0 ? fault : null;
    return null;
  };
}

test.each(VENDORS)(
  "%s: an access token that expires in the middle of page 7 is renewed, and each contact is imported exactly once",
  async (vendor) => {
    const { crm } = crms;
    const { imported, workspaceId, rest } = await crms.connected(vendor);
    crm.settings.pageSize = 10;
    crm.segments.set(SEGMENT[vendor], people(100));
    let page = 0;
    crm.settings.fault = (asked) => {
      if (isPage[vendor](asked) && ++page === 7) crm.expire();
      return null;
    };
    const before = crm.grants.length;
    expect(await imported(SEGMENT[vendor])).toMatchObject({
      status: "COMPLETED",
      created: 100,
      progress: { total: 100 },
    });
    expect(crm.grants.slice(before).map(({ grant_type }) => grant_type)).toEqual(["refresh_token"]);
    expect(await scoped(workspaceId).Lead.count()).toBe(100);
    expect((await rest.get("/crm/connections")).body.items[0].status).toBe("CONNECTED");
  },
);

test.each(VENDORS.flatMap((vendor) => (["rate", "day"] as const).map((kind) => [vendor, kind] as const)))(
  "%s: after too many calls (%s) the import waits and then continues where it stopped",
  async (vendor, kind) => {
    const { imported } = await crms.connected(vendor);
    crms.crm.settings.pageSize = 5;
    crms.crm.segments.set(SEGMENT[vendor], people(15));
    const told = REFUSALS[vendor][kind];
    // A wait that the vendor names is respected; the test does not wait for half a day
    const { headers: _unused, ...short } = { headers: {}, ...told };
    failPage(
      vendor,
      2,
      vendor === "PIPEDRIVE" && kind === "day"
        ? { ...short, status: 429, headers: { "x-ratelimit-reset": "1" } }
        : told,
      2,
    );
    const job = await imported(SEGMENT[vendor]);
    expect(job).toMatchObject({ status: "COMPLETED", created: 15, progress: { total: 15 } });
  },
);

test.each(VENDORS.flatMap((vendor) => (["half", "reset", "hang"] as const).map((fault) => [vendor, fault] as const)))(
  "%s: a page whose response fails (%s) is requested again",
  async (vendor, fault) => {
    const { imported } = await crms.connected(vendor);
    crms.crm.settings.pageSize = 5;
    crms.crm.segments.set(SEGMENT[vendor], people(12));
    failPage(vendor, 2, fault);
    expect(await imported(SEGMENT[vendor])).toMatchObject({
      status: "COMPLETED",
      created: 12,
      progress: { total: 12 },
    });
  },
);

test.each(VENDORS)(
  "%s: deleting a segment during its import ends the import, and the leads imported before stay",
  async (vendor) => {
    const { crm } = crms;
    const { imported, rest, workspaceId } = await crms.connected(vendor);
    const { body: list } = await rest.post("/lead-lists", { name: "Half" });
    crm.settings.pageSize = 5;
    crm.segments.set(SEGMENT[vendor], people(15));
    let page = 0;
    crm.settings.fault = (asked) => (isPage[vendor](asked) && ++page === 3 ? REFUSALS[vendor].gone : null);
    const job = await imported(SEGMENT[vendor], { listId: list.id, sync: true });
    expect(job).toMatchObject({ status: "FAILED", error: { code: "SEGMENT_NOT_FOUND" }, result: { created: 10 } });
    expect(await membersOf(workspaceId, list.id)).toHaveLength(10);
    expect((await rest.get("/crm/connections")).body.items[0].keptInStep).toMatchObject([
      { stoppedBy: "SEGMENT_NOT_FOUND" },
    ]);
    expect(JSON.stringify(job)).not.toContain("does not exist");
  },
);

test.each(VENDORS)("%s: when refresh tokens rotate, each refresh uses a new refresh token", async (vendor) => {
  const { crm } = crms;
  const { imported } = await crms.connected(vendor);
  crm.settings.rotates = true;
  crm.segments.set(SEGMENT[vendor], people(3));
  for (let turn = 0; turn < 3; turn++) {
    crm.expire();
    expect((await imported(SEGMENT[vendor])).status).toBe("COMPLETED");
  }
  const used = crm.grants.flatMap(({ refresh_token = [] }) => refresh_token);
  expect(new Set(used).size).toBe(3);
});

test("a refresh token lost between the vendor's answer and our write is retried once; then the user must reconnect", async () => {
  const { crm } = crms;
  const { imported, rest, connectionId, workspaceId } = await crms.connected("PIPEDRIVE");
  crm.segments.set("7", people(3));
  crm.settings.rotates = true;
  crm.expire();
  // The vendor rotates the token, and its answer never comes: to us this is like a kill before the write
  crm.settings.grantFault = () => (crm.grants.length === 2 ? "half" : null);
  const job = await imported("7");
  expect(job).toMatchObject({ status: "FAILED", error: { code: "CRM_CONNECTION_FAILED" } });
  expect(crm.grants.filter(({ grant_type }) => grant_type === "refresh_token")).toHaveLength(2);
  const [connection] = (await rest.get("/crm/connections")).body.items;
  expect(connection).toMatchObject({ id: connectionId, status: "RECONNECT_REQUIRED", statusReason: "CONSENT_REVOKED" });
  const alerts = async () => (await rest.get("/deliverability/alerts")).body.items;
  expect(await alerts()).toMatchObject([
    { type: "CRM_CONNECTION_LOST", status: "OPEN", subjectType: "CRM_CONNECTION", subjectId: connectionId },
  ]);
  expect((await rest.post("/crm/import", { connectionId, segmentId: "7" })).body.code).toBe("CRM_CONNECTION_FAILED");
  expect((await rest.get(`/crm/segments?connectionId=${connectionId}`)).body.code).toBe("CRM_CONNECTION_FAILED");
  const asked = crm.grants.length;
  crm.settings.grantFault = () => null;
  const { body } = await rest.post("/crm/connect", { action: "start", provider: "PIPEDRIVE" });
  await crms.browse(crm.consent(body.authUrl));
  expect((await rest.get("/crm/connections")).body.items).toMatchObject([{ id: connectionId, status: "CONNECTED" }]);
  expect(crm.grants.length).toBe(asked + 1);
  expect((await imported("7")).status).toBe("COMPLETED");
  expect(await scoped(workspaceId).CrmConnection.count()).toBe(1);
});

test.each(VENDORS)(
  "%s: a connection revoked at the CRM ends the import with our own message and must be reconnected",
  async (vendor) => {
    const { crm } = crms;
    const { imported, rest } = await crms.connected(vendor);
    crm.segments.set(SEGMENT[vendor], people(3));
    crm.revoke();
    const job = await imported(SEGMENT[vendor]);
    expect(job).toMatchObject({
      status: "FAILED",
      error: { code: "CRM_CONNECTION_FAILED", message: expect.stringContaining("needs a person") },
    });
    expect((await rest.get("/crm/connections")).body.items[0].status).toBe("RECONNECT_REQUIRED");
  },
);

test("concurrent requests that need a new access token share one refresh", async () => {
  const { crm } = crms;
  const { rest, connectionId } = await crms.connected("PIPEDRIVE");
  crm.settings.rotates = true;
  for (let n = 1; n <= 6; n++) crm.segments.set(String(n), people(2, n * 10));
  crm.expire();
  crm.settings.delayMs = 150; // so that all of them are refused before the first has a new one
  const started = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((n) => rest.post("/crm/import", { connectionId, segmentId: String(n) })),
  );
  for (const { body } of started) expect((await ended(rest, body.id)).status).toBe("COMPLETED");
  expect(crm.grants.filter(({ grant_type }) => grant_type === "refresh_token")).toHaveLength(1);
});

test("when Salesforce loses its query position and hides opt-outs, each contact is still counted once", async () => {
  const { crm } = crms;
  const { imported, workspaceId } = await crms.connected("SALESFORCE");
  crm.settings.pageSize = 5;
  crm.settings.hidden = ["HasOptedOutOfEmail"];
  crm.segments.set("Contact/00B7", people(15));
  failPage("SALESFORCE", 4, {
    status: 400,
    body: [{ message: "invalid query locator", errorCode: "INVALID_QUERY_LOCATOR" }],
  });
  expect(await imported("Contact/00B7")).toMatchObject({
    status: "COMPLETED",
    created: 15,
    skipped: 0,
    progress: { total: 15 },
  });
  expect(await scoped(workspaceId).Lead.count()).toBe(15);
});

test("Pipedrive without the marketing add-on is still imported, and its marketing field is requested only once", async () => {
  const { crm } = crms;
  const { imported } = await crms.connected("PIPEDRIVE");
  crm.settings.pageSize = 5;
  crm.settings.hidden = ["marketing_status"];
  crm.segments.set("7", people(15));
  expect(await imported("7")).toMatchObject({ status: "COMPLETED", created: 15 });
  const refused = crm.asked.filter(
    ({ path, query }) => path.endsWith("/persons") && query["include_fields"] !== undefined,
  );
  expect(refused).toHaveLength(1);
});

test("imported cells stay plain text: control characters are removed, HTML and formulas do nothing, a megabyte of notes is skipped", async () => {
  const { crm } = crms;
  const { imported, rest } = await crms.connected("HUBSPOT");
  const notes = "x".repeat(1_000_000);
  const more = { notes, formula: '=HYPERLINK("http://x.example")', object: { $gt: "" } as unknown as string };
  crm.segments.set("7", [
    { id: 1, email: "Ann@X.example", first: "<script>alert(1)</script>", last: "Lo\u0000ve\u202Elace\u0007", more },
    { id: 2, email: "not an address", first: "Nobody" },
    { id: 3, email: "bob@x.example", first: "y".repeat(300) },
    { id: 4, email: "carl@x.example\r\nBcc: all@x.example" },
  ]);
  const fieldMapping = {
    firstname: "firstName",
    lastname: "lastName",
    notes: "customFields.notes",
    formula: "customFields.formula",
  };
  const job = await imported("7", { fieldMapping });
  expect(job).toMatchObject({ status: "COMPLETED_WITH_ERRORS", created: 2, result: { invalid: 2 } });
  expect(job.result.warnings).toContainEqual({ row: 1, column: "notes", code: "TOO_BIG", value: "", suggestion: null });
  const [ann] = (await rest.get("/leads?search=ann@x.example")).body.items;
  expect(ann).toMatchObject({
    firstName: "<script>alert(1)</script>",
    lastName: "Lovelace",
    customFields: { formula: more.formula },
  });
  expect(ann.customFields.notes).toBeUndefined();
  const csv = await rest.get("/leads/export");
  expect(JSON.stringify(csv.body)).toContain("'=HYPERLINK");
  expect((await rest.get("/leads?search=carl@x.example")).body.total).toBe(0);
});

test("two concurrent imports of one segment become one job; imports into two lists create each lead once", async () => {
  const { crm } = crms;
  const { rest, connectionId, workspaceId } = await crms.connected("PIPEDRIVE");
  crm.settings.pageSize = 20;
  crm.segments.set("7", people(100));
  const { body: one } = await rest.post("/lead-lists", { name: "One" });
  const { body: other } = await rest.post("/lead-lists", { name: "Other" });
  const begin = (listId: string) => rest.post("/crm/import", { connectionId, segmentId: "7", listId });
  const started = await Promise.all([begin(one.id), begin(one.id), begin(other.id), begin(other.id)]);
  const ids = new Set(started.map(({ body }) => body.id));
  expect(ids.size).toBe(2);
  const jobs = [];
  for (const id of ids) jobs.push(await ended(rest, id));
  expect(jobs.map(({ status, membershipsAdded }) => [status, membershipsAdded])).toEqual([
    ["COMPLETED", 100],
    ["COMPLETED", 100],
  ]);
  expect(await scoped(workspaceId).Lead.count()).toBe(100);
  expect((await rest.get("/lead-lists")).body.map(({ memberCount }: { memberCount: number }) => memberCount)).toEqual([
    100, 100,
  ]);
});

test.each(["disconnected", "deleted with its workspace"])(
  "an import whose connection is %s ends, and adds no page that starts afterwards",
  async (how) => {
    const { crm } = crms;
    const { rest, connectionId, workspaceId } = await crms.connected("PIPEDRIVE");
    crm.settings.pageSize = 5;
    crm.settings.delayMs = 40;
    crm.segments.set("7", people(500));
    const { Job, Lead } = scoped(workspaceId);
    const { body } = await rest.post("/crm/import", { connectionId, segmentId: "7" });
    await until(async () => ((await Job.get(body.id))?.processed ?? 0) >= 10, {
      deadlineMs: 20_000,
      what: "the first pages",
    });
    if (how === "disconnected") await rest.post("/crm/connect", { action: "disconnect", connectionId });
    else await Workspace.updateOne({ _id: workspaceId }, { $set: { deletedAt: new Date() } });
    const after = await Lead.count();
    const job = await until(async () => Job.findOne({ _id: body.id, status: "FAILED" }), {
      deadlineMs: 20_000,
      what: "the end",
    });
    expect(["CONNECTION_NOT_FOUND", "CRM_CONNECTION_FAILED"]).toContain(job?.error?.code);
    // Ending the connection waits for the page that is under way; deleting the workspace does not
    const underWay = how === "disconnected" ? 0 : crm.settings.pageSize;
    expect(await Lead.count()).toBeLessThanOrEqual(after + underWay);
    expect(after).toBeLessThan(500);
    await ApiKey.updateMany({ workspaceId }, { $set: { revokedAt: new Date() } });
  },
);

test("segments that cannot be read are reported with our own messages", async () => {
  const { crm } = crms;
  const { rest, connectionId } = await crms.connected("HUBSPOT");
  const read = () => rest.get(`/crm/segments?connectionId=${connectionId}`);
  crm.settings.fault = () => REFUSALS.HUBSPOT.rate;
  expect(await read()).toMatchObject({
    status: 503,
    body: { code: "SERVICE_UNAVAILABLE", details: { retryAfterSeconds: 1 } },
  });
  crm.settings.fault = () => ({ status: 403, body: { message: "their own words", category: "MISSING_SCOPES" } });
  const refused = await read();
  expect(refused).toMatchObject({ status: 422, body: { code: "CRM_CONNECTION_FAILED" } });
  expect(JSON.stringify(refused.body)).not.toContain("their own words");
  crm.settings.fault = () => ({ status: 200, body: { lists: "none" } });
  expect(await read()).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
});
