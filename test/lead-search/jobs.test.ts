import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { revealJob } from "../../activities/lead-search/reveal-job.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { grantCredits } from "../../store/credits.ts";
import { JobMoved } from "../../store/jobs.ts";
import { until } from "../fakes/wait.ts";
import { agentOf } from "../support/mcp.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { importRows, peopleOf } from "./data.ts";
import { ledgerOf } from "./ledger.ts";

let world: World;
let workspace: Awaited<ReturnType<World["workspace"]>>;
let rest: Rest;
let ids: string[];
const NOBODY = {
  firstName: "No",
  lastName: "Address",
  title: "Nobody",
  companyDomain: "n.example",
  email: undefined,
  phone: undefined,
};

beforeAll(async () => {
  world = await startWorld({ worker: realWorker() });
  await importRows([...peopleOf(600), ...peopleOf(5, NOBODY).map((row, index) => ({ ...row, id: `none${index}` }))]);
}, 120_000);
afterAll(() => world.close(), 60_000);
beforeEach(async () => {
  workspace = await world.workspace();
  ({ rest } = workspace);
  ids = await found({ titles: ["Engineer"] });
});

const found = async (filters: object, pageSize = 200): Promise<string[]> =>
  (await rest.post("/lead-search/browse", { filters, pageSize })).body.items.map(({ id }: { id: string }) => id);
const grant = (amount: number) =>
  grantCredits(workspace.workspaceId, { amount, reason: "test", actor: "test", key: randomUUID() }, 0);
const listOf = async (name: string, prospectIds: string[] = []) => {
  const { id } = (await rest.post("/lead-search/lists", { name })).body;
  if (prospectIds.length > 0) await rest.post(`/lead-search/lists/${id}/items`, { prospectIds });
  return id;
};
const ended = (path: string) =>
  until(async () => ((await rest.get(path)).body.finishedAt === null ? null : (await rest.get(path)).body), {
    deadlineMs: 60_000,
    what: path,
  });
const listed = async (id: string) =>
  (await rest.get("/lead-search/lists")).body.items.find((one: { id: string }) => one.id === id);

test("a bulk reveal job charges one credit per new value, skips people without values, and shows the requested people", async () => {
  await grant(50);
  const none = await found({ titles: ["Nobody"] });
  await rest.post("/lead-search/reveal", { prospectId: ids[0] });
  await rest.post("/lead-search/reveal", { prospectId: none[0] });
  const asked = [...ids.slice(0, 20), ...none, ids[3] ?? "", "prs_unknown"];
  const started = await rest.post("/lead-search/reveal/bulk", { prospectIds: asked });
  expect(started).toMatchObject({
    status: 202,
    body: { type: "REVEAL", requested: 26, alreadyRevealed: 1, skippedNotFound: 1, estimatedCredits: 24 },
  });
  const job = await ended(`/lead-search/reveal/${started.body.id}`);
  expect(job).toMatchObject({
    status: "COMPLETED_WITH_ERRORS",
    creditsUsed: 19,
    progress: { total: 24, processed: 24, failed: 1 },
  });
  expect(job.result).toEqual({ creditsUsed: 19, revealed: 19, alreadyRevealed: 0, notFound: 4 });
  expect(job.items.filter(({ status }: { status: string }) => status === "FAILED")).toMatchObject([
    { code: "PROSPECT_NOT_FOUND" },
  ]);
  expect(job.prospects.total).toBe(23);
  expect(JSON.stringify(job.items)).not.toContain("@a.example");
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ balance: 30, reveals: 20, isWhole: true });
}, 90_000);

test("revealing a list stops at maxCredits or when the credits run out, and the remaining items show the reason", async () => {
  await grant(30);
  const list = await listOf("All", ids.slice(0, 60));
  const { body: first } = await rest.post("/lead-search/reveal/list", { listId: list, maxCredits: 10 });
  expect(first).toMatchObject({ requested: 60, estimatedCredits: 10 });
  const one = await ended(`/lead-search/reveal/${first.id}`);
  expect([one.creditsUsed, one.items[0].code, one.progress.failed]).toEqual([10, "MAX_CREDITS", 50]);
  const { body: second } = await rest.post("/lead-search/reveal/list", { listId: list });
  expect(second).toMatchObject({ alreadyRevealed: 10, estimatedCredits: 50 });
  const other = await ended(`/lead-search/reveal/${second.id}`);
  expect([other.creditsUsed, other.items[0].code]).toEqual([20, "CREDITS_EXHAUSTED"]);
  expect(await listed(list)).toMatchObject({ itemCount: 60, revealedEmails: 30, revealedPhones: 0 });
  expect((await rest.get(`/lead-search/lists/${list}/items?emailRevealed=true`)).body.total).toBe(30);
  expect((await rest.get(`/lead-search/lists/${list}/items?emailRevealed=false&phoneRevealed=false`)).body.total).toBe(
    30,
  );
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ balance: 0, reveals: 30, isWhole: true });
}, 90_000);

test("adding, copying, moving and removing keep each person in a list once with the right count, and revealed values stay revealed", async () => {
  await grant(1);
  await rest.post("/lead-search/reveal", { prospectId: ids[0] });
  const [one, other] = [await listOf("One"), await listOf("Other")];
  const add = await rest.post(`/lead-search/lists/${one}/items`, {
    prospectIds: [...ids.slice(0, 10), ids[0], "prs_unknown"],
  });
  expect(add.body).toEqual({ added: 10, alreadyPresent: 0, notFound: ["prs_unknown"], itemCount: 10 });
  const again = await rest.post(`/lead-search/lists/${one}/items`, { prospectIds: ids.slice(5, 12) });
  expect(again.body).toMatchObject({ added: 2, alreadyPresent: 5, itemCount: 12 });
  const copy = await rest.post(`/lead-search/lists/${one}/copy`, {
    toListId: other,
    prospectIds: [...ids.slice(0, 3), "prs_unknown"],
  });
  expect(copy.body).toEqual({ copied: 3, alreadyPresent: 0, removedFromSource: 0 });
  const move = await rest.post(`/lead-search/lists/${one}/copy`, { toListId: other, mode: "MOVE" });
  expect(move.body).toEqual({ copied: 9, alreadyPresent: 3, removedFromSource: 12 });
  expect([
    (await listed(one)).itemCount,
    (await listed(other)).itemCount,
    (await listed(other)).revealedEmails,
  ]).toEqual([0, 12, 1]);
  const removed = await rest.post(`/lead-search/lists/${other}/items/remove`, {
    prospectIds: [...ids.slice(0, 2), ids[50]],
  });
  expect(removed.body).toEqual({ removed: 2, itemCount: 10 });
  expect((await rest.post("/lead-search/reveal", { prospectId: ids[0] })).body.creditsUsed).toBe(0);
  expect((await rest.post(`/lead-search/lists/${one}/copy`, { toListId: one })).status).toBe(400);
  expect((await rest.get("/lead-search/lists?search=the")).body.items).toMatchObject([{ name: "Other" }]);
});

test("twenty concurrent calls that add the same people add each person once", async () => {
  const list = await listOf("Busy");
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => rest.post(`/lead-search/lists/${list}/items`, { prospectIds: ids.slice(0, 30) })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(answers.reduce((sum, { body }) => sum + body.added, 0)).toBe(30);
  expect((await listed(list)).itemCount).toBe(30);
  expect(await scoped(workspace.workspaceId).KnownProspect.count({})).toBe(30);
}, 60_000);

test("a job adds a search or saved search to a list, up to maxItems and without credits", async () => {
  const list = await listOf("Whole");
  const started = await rest.post(`/lead-search/lists/${list}/add-search`, { filters: { titles: ["engineer"] } });
  expect(started).toMatchObject({ status: 202, body: { listId: list, matched: 600, progress: { total: 600 } } });
  const job = await ended(`/lead-search/add-search/${started.body.id}`);
  expect(job).toMatchObject({
    status: "COMPLETED",
    matched: 600,
    added: 600,
    alreadyPresent: 0,
    result: { added: 600 },
  });
  expect((await listed(list)).itemCount).toBe(600);
  const saved = await rest.post("/lead-search/saved-searches", { name: "Nobody", filters: { titles: ["Nobody"] } });
  expect(saved).toMatchObject({ status: 201, body: { lastRunAt: null } });
  const { body: two } = await rest.post(`/lead-search/lists/${list}/add-search`, {
    savedSearchId: saved.body.id,
    maxItems: 3,
  });
  expect(await ended(`/lead-search/add-search/${two.id}`)).toMatchObject({ matched: 5, added: 3 });
  expect((await rest.get(`/lead-search/saved-searches/${saved.body.id}`)).body.lastRunAt).not.toBeNull();
  expect((await rest.get("/lead-search/saved-searches")).body).toMatchObject({ total: 1 });
  expect((await rest.delete(`/lead-search/saved-searches/${saved.body.id}`)).body).toEqual({
    id: saved.body.id,
    deleted: true,
  });
  expect((await rest.get(`/lead-search/saved-searches/${saved.body.id}`)).status).toBe(404);
  for (const body of [{}, { filters: {}, savedSearchId: "svs_1" }]) {
    expect((await rest.post(`/lead-search/lists/${list}/add-search`, body)).status).toBe(400);
  }
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ entries: 0 });
}, 90_000);

test("revealed people become leads of a lead list like imported leads; people without a revealed email are counted and skipped", async () => {
  await grant(30);
  const none = await found({ titles: ["Nobody"] });
  const list = await listOf("Fair", [...ids.slice(0, 10), ...none]);
  for (const id of ids.slice(0, 4))
    await rest.post("/lead-search/reveal", { prospectId: id, fields: ["EMAIL", "PHONE"] });
  await rest.post("/lead-search/reveal", { prospectId: ids[4] });
  const shown = (await rest.get(`/lead-search/lists/${list}/items?emailRevealed=true`)).body.items;
  await rest.post("/leads", { email: shown[0].email, firstName: "Known", tags: ["kept"] });
  await rest.post("/block-list", { value: shown[1].email });
  const { body: leads } = await rest.post("/lead-lists", { name: "Audience" });
  const { status, body } = await rest.post(`/lead-search/lists/${list}/leads`, { leadListId: leads.id });
  expect(status).toBe(202);
  const job = await ended(`/jobs/${body.id}`);
  expect(job.result).toMatchObject({
    fromListId: list,
    withoutEmail: 10,
    total: 5,
    created: 3,
    updated: 1,
    blocked: 1,
    membershipsAdded: 4,
  });
  const { body: page } = await rest.get(`/leads?listId=${leads.id}`);
  expect(
    page.items.map(({ source, jobTitle, emailStatus }: Record<string, unknown>) => [source, jobTitle, emailStatus]),
  ).toEqual(expect.arrayContaining([["LEAD_SEARCH", "Engineer", "revealed"]]));
  expect(page.items.find(({ email }: { email: string }) => email === shown[0].email)).toMatchObject({
    firstName: "Ada",
    tags: ["kept"],
    createdFrom: { kind: "API" },
  });
  const { body: lists } = await rest.get("/lead-search/lists");
  const { name } = lists.items.find(({ id }: { id: string }) => id === list);
  expect(page.items.find(({ source }: { source: string }) => source === "LEAD_SEARCH")).toMatchObject({
    createdFrom: { kind: "PROSPECT", actor: { kind: "API_KEY" }, name, id: list },
  });
  const isVerified = async () => {
    const { body: jobs } = await rest.get("/verification/jobs");
    return jobs.items.find(
      ({ source, status }: Record<string, unknown>) => source === "REVEAL" && String(status).startsWith("COMPLETED"),
    );
  };
  expect(await until(isVerified, { deadlineMs: 40_000, what: "the new leads to be verified" })).toMatchObject({
    progress: { total: 4 },
  });
  const again = await rest.post(`/lead-search/lists/${list}/leads`, { leadListId: leads.id });
  expect((await ended(`/jobs/${again.body.id}`)).result).toMatchObject({ created: 0, updated: 0, membershipsAdded: 0 });
}, 90_000);

test("creating leads from a list requires leads:write and a STATIC lead list", async () => {
  const list = await listOf("Fair");
  const { body: leads } = await rest.post("/lead-lists", { name: "Audience" });
  const { body: dynamic } = await rest.post("/lead-lists", { name: "All", filterRules: {} });
  const lists = await workspace.withScopes("lead_search:lists");
  expect(await lists.post(`/lead-search/lists/${list}/leads`, { leadListId: leads.id })).toMatchObject({
    status: 403,
    body: { code: "INSUFFICIENT_SCOPE", details: { requiredScope: "leads:write" } },
  });
  expect((await rest.post(`/lead-search/lists/${list}/leads`, { leadListId: dynamic.id })).body.code).toBe(
    "LIST_IS_DYNAMIC",
  );
  expect((await rest.post(`/lead-search/lists/${list}/leads`, { leadListId: "lst_none" })).status).toBe(404);
});

test("an agent gets from a search to leads with tools alone", async () => {
  await grant(5);
  const agent = await agentOf(world, workspace.key);
  const { body: list } = await agent.call("lead_search_create_list", { name: "Agent" });
  const { body: fill } = await agent.call("lead_search_add_search_to_list", {
    listId: list.id,
    filters: { titles: ["Engineer"] },
    maxItems: 5,
  });
  const status = (name: string, jobId: string) =>
    until(
      async () =>
        (await agent.call(name, { jobId })).body.finishedAt === null ? null : (await agent.call(name, { jobId })).body,
      {
        deadlineMs: 30_000,
        what: name,
      },
    );
  expect(await status("lead_search_add_search_status", fill.id)).toMatchObject({ added: 5 });
  const { body: reveal } = await agent.call("lead_search_reveal_list", { listId: list.id });
  expect(await status("lead_search_reveal_status", reveal.id)).toMatchObject({ creditsUsed: 5 });
  const { body: leads } = await agent.call("lead_lists", { action: "create", name: "Audience" });
  const { body: job } = await agent.call("lead_search_copy_to_list", { fromListId: list.id, leadListId: leads.id });
  await ended(`/jobs/${job.id}`);
  expect((await agent.call("leads_search", { listId: leads.id })).body.total).toBe(5);
  await agent.close();
}, 90_000);

test("a reveal in a deleted workspace ends and spends no credits", async () => {
  await grant(100);
  await Workspace.updateOne({ _id: workspace.workspaceId }, { $set: { deletedAt: new Date() } });
  const { Job } = scoped(workspace.workspaceId);
  const started = await rest.post("/lead-search/reveal/bulk", { prospectIds: ids.slice(0, 100) });
  if (started.status === 202) {
    const job = await until(async () => Job.findOne({ status: "FAILED" }), {
      deadlineMs: 30_000,
      what: "the end of the job",
    });
    expect(job?.error?.code).toBe("WORKSPACE_NOT_FOUND");
  }
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ reveals: 0, balance: 100 });
}, 60_000);

test("a reveal chunk whose job has moved on writes neither values nor credits", async () => {
  await grant(50);
  const { workspaceId } = workspace;
  const kind = revealJob({ egress: NO_EGRESS, leadSearch: null, creditsPerMonth: 0 });
  const parameters = { fields: ["EMAIL"], actor: "test", maxCredits: null };
  const job = await scoped(workspaceId).Job.insert({
    _id: newId("job"),
    type: "REVEAL",
    parameters,
    state: {},
    chunkCount: 1,
  });
  const work = await kind.open(job, (async function* () {})());
  const chunk = { rows: ids.slice(0, 20), firstRow: 1, state: {}, signal: AbortSignal.timeout(60_000) };
  const moved = async () => {
    throw new JobMoved();
  };
  await expect(work(chunk, moved)).rejects.toThrow(JobMoved);
  expect(await ledgerOf(workspaceId)).toMatchObject({ balance: 50, reveals: 0, shown: 0, isWhole: true });
});

const NO_EGRESS = createEgress({ allow: [], ownAddresses: [] });
afterAll(() => NO_EGRESS.close());
