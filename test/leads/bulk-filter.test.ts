import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import type { Rest } from "../support/rest.ts";
import { count, leads, useSetup, whenEnded, world } from "./bulk-filter-setup.ts";

useSetup();

/** The job of a bulk action, once it has ended. */
async function ended(rest: Rest, path: string, body: object) {
  const answer = await rest.post(path, body);
  expect(answer).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^job_/) } });
  return whenEnded(rest, answer.body.id);
}

test("each lead that matches a filter is changed once, even if the change ends the match, and no other lead is changed", async () => {
  const { rest } = await world.workspace();
  await leads(rest, 900, "old, kept");
  await leads(rest, 50, "other", "o");
  const filter = { tags: ["old"] };
  const job = await ended(rest, "/leads/manage", { action: "bulkRemoveTags", tags: ["old"], filter });
  expect(job).toMatchObject({
    type: "LEAD_CHANGE",
    status: "COMPLETED",
    progress: { total: 900, processed: 900, succeeded: 900, failed: 0 },
    result: { action: "bulkRemoveTags", matched: 900, changed: 900 },
    items: [],
  });
  expect([await count(rest, "tags=old"), await count(rest, "tags=kept"), await count(rest, "tags=other")]).toEqual([
    0, 900, 50,
  ]);
  expect(await ended(rest, "/leads/manage", { action: "bulkRemoveTags", tags: ["old"], filter })).toMatchObject({
    progress: { total: 0 },
    result: { matched: 0, changed: 0 },
  });
  const all = await ended(rest, "/leads/manage", { action: "bulkAddTags", tags: ["all"], filter: { all: true } });
  expect(all).toMatchObject({ result: { matched: 950, changed: 950 } });
});

test("a lead that cannot have more tags is reported with the reason, and the other leads are changed", async () => {
  const { rest } = await world.workspace();
  const full = await rest.post("/leads", {
    email: "full@x.example",
    tags: Array.from({ length: 50 }, (_, n) => `t${n}`),
  });
  await leads(rest, 3, "t0");
  const job = await ended(rest, "/leads/manage", { action: "bulkAddTags", tags: ["new"], filter: { tags: "t0" } });
  expect(job).toMatchObject({
    status: "COMPLETED_WITH_ERRORS",
    progress: { total: 4, succeeded: 3, failed: 1 },
    result: { matched: 4, changed: 3 },
    items: [{ email: null, status: "FAILED", code: "TOO_BIG", message: expect.stringContaining(full.body.id) }],
  });
});

test("suppressing and unsuppressing leads by a filter each leave one entry in the audit log", async () => {
  const { rest, workspaceId } = await world.workspace();
  await leads(rest, 120, "a");
  const suppressed = await ended(rest, "/leads/suppress", {
    action: "suppress",
    filter: { tags: ["a"], suppressed: false },
  });
  expect(suppressed).toMatchObject({
    type: "LEAD_SUPPRESSION",
    result: { action: "suppress", matched: 120, changed: 120 },
  });
  expect(await count(rest, "suppressed=true")).toBe(120);
  expect(await scoped(workspaceId).AuditEntry.find({ action: "leads.suppress" })).toMatchObject([{ outcome: "DONE" }]);
  await ended(rest, "/leads/suppress", { action: "unsuppress", filter: { suppressed: true } });
  expect(await count(rest, "suppressed=true")).toBe(0);
});

test("leads join and leave a static list by a filter, and the job ends when the list is deleted meanwhile", async () => {
  const { rest } = await world.workspace();
  await leads(rest, 700, "a");
  const { body: list } = await rest.post("/lead-lists", { name: "Spring" });
  const change = (action: string) => ({ action, listId: list.id, filter: { tags: ["a"] } });
  expect(await ended(rest, "/lead-lists/manage", change("addMembers"))).toMatchObject({
    type: "LIST_MEMBERS",
    result: { action: "addMembers", matched: 700, changed: 700 },
  });
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ memberCount: 700 }]);
  expect(await ended(rest, "/lead-lists/manage", change("removeMembers"))).toMatchObject({ result: { changed: 700 } });
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ memberCount: 0 }]);
  const { body: dynamic } = await rest.post("/lead-lists", { name: "All", filterRules: {} });
  const refused = await rest.post("/lead-lists/manage", { ...change("addMembers"), listId: dynamic.id });
  expect(refused).toMatchObject({ status: 422, body: { code: "LIST_IS_DYNAMIC" } });
  const again = await rest.post("/lead-lists/manage", change("addMembers"));
  await rest.post("/lead-lists/manage", { action: "delete", listId: list.id });
  const job = await whenEnded(rest, again.body.id);
  expect([job.status, job.error?.code ?? null]).toEqual(
    job.status === "FAILED" ? ["FAILED", "LIST_NOT_FOUND"] : ["COMPLETED", null],
  );
  expect(await count(rest, "tags=a")).toBe(700);
});

test.each([
  ["neither ids nor a filter", {}, "ids", "REQUIRED"],
  ["both", { ids: ["led_1"], filter: { tags: "a" } }, "filter", "TYPE_MISMATCH"],
  ["an empty filter", { filter: {} }, "filter", "REQUIRED"],
  ["all and a filter", { filter: { all: true, tags: ["a"] } }, "filter", "TYPE_MISMATCH"],
  ["a filter that leads do not have", { filter: { tag: "a", suppressed: false } }, "filter.tag", "UNKNOWN_FIELD"],
])("%s is refused, and nothing is deleted", async (_name, asked, path, code) => {
  const { rest, workspaceId } = await world.workspace();
  await leads(rest, 2, "a");
  const answer = await rest.post("/leads/manage", { action: "bulkDelete", ...asked });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path, code }] } },
  });
  expect([await count(rest, "tags=a"), await scoped(workspaceId).Job.count({})]).toEqual([2, 0]);
});

test("a filter by a list of another workspace is 404, and no lead of another workspace is changed", async () => {
  const { rest, withScopes } = await world.workspace();
  const other = await world.workspace();
  await leads(rest, 2, "a");
  await leads(other.rest, 2, "a");
  const { body: list } = await other.rest.post("/lead-lists", { name: "Theirs" });
  const asked = { action: "bulkDelete", filter: { listId: list.id } };
  expect(await rest.post("/leads/manage", asked)).toMatchObject({ status: 404, body: { code: "LIST_NOT_FOUND" } });
  const { id } = await ended(rest, "/leads/manage", { action: "bulkDelete", filter: { all: true } });
  expect([await count(rest, ""), await count(other.rest, "")]).toEqual([0, 2]);
  expect(await other.rest.get(`/jobs/${id}`)).toMatchObject({ status: 404 });
  expect(await (await withScopes("account:read", "lead_lists:write")).get(`/jobs/${id}`)).toMatchObject({
    status: 404,
  });
});

test("the plan of a deletion by a filter counts the leads to delete, and its token deletes exactly these leads, once", async () => {
  const { rest, withPolicy } = await world.workspace();
  await leads(rest, 30, "old");
  await leads(rest, 5, "new", "m");
  const by = await withPolicy({ DESTROYS: "PLAN" });
  const asked = { action: "bulkDelete", filter: { tags: ["old"] } };
  expect(await by.post("/leads/manage", asked)).toMatchObject({ status: 403, body: { code: "PLAN_REQUIRED" } });
  const { body: planned } = await by.post("/leads/manage", { ...asked, planOnly: true });
  const [lost] = planned.plan.effect.changes.filter(({ what }: { what: string }) => what === "leads");
  expect([lost.deleted, lost.examples.length, await count(rest, "page=1")]).toEqual([30, 10, 35]);
  await leads(rest, 1, "old", "late");
  const stale = await by.post("/leads/manage", { ...asked, planToken: planned.planToken });
  expect([stale.status, stale.body.code, await count(rest, "page=1")]).toEqual([409, "PLAN_STALE", 36]);
  const { planToken } = stale.body.details;
  const done = await by.post("/leads/manage", { ...asked, planToken });
  expect((await whenEnded(rest, done.body.id)).status).toBe("COMPLETED");
  expect(await count(rest, "page=1")).toBe(5);
  await leads(rest, 1, "old", "later");
  expect((await by.post("/leads/manage", { ...asked, planToken })).body.code).toBe("PLAN_STALE");
  expect(await count(rest, "page=1")).toBe(6);
}, 60_000);

test("a deletion of more ids than fit in one transaction is planned and runs as a job", async () => {
  const { rest, withPolicy } = await world.workspace();
  await leads(rest, 120, "old");
  const ids = (await rest.get("/leads?pageSize=200")).body.items.map(({ id }: { id: string }) => id);
  const by = await withPolicy({ DESTROYS: "PLAN" });
  const { body: planned } = await by.post("/leads/manage", { action: "bulkDelete", ids, planOnly: true });
  expect(planned.plan.effect.changes).toContainEqual(expect.objectContaining({ what: "leads", deleted: 120 }));
  const done = await by.post("/leads/manage", { action: "bulkDelete", ids, planToken: planned.planToken });
  expect((await whenEnded(rest, done.body.id)).status).toBe("COMPLETED");
  expect(await count(rest, "page=1")).toBe(0);
}, 60_000);
