import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { addressWord } from "../../domain/inbox/thread-words.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { readyCampaign, storedMailbox } from "../campaigns/campaign-parts.ts";
import { conversationIn } from "../console/inbox-parts.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: realWorker() });
}, 60_000);
afterAll(() => world.close());

/** Imports a file, and returns the ended job. */
async function imported(rest: Rest, lines: readonly string[], fields: Record<string, string> = {}) {
  const form = new FormData();
  form.append("file", new File([["email,company", ...lines].join("\n")], "fair.csv"));
  for (const [name, value] of Object.entries({ action: "commit", ...fields })) form.append(name, value);
  const { status, body } = await rest.post("/leads/import/file", form);
  expect([status, body.code]).toEqual([202, undefined]);
  return ended(rest, body.id);
}

async function ended(rest: Rest, jobId: string) {
  const read = async () => {
    const { body } = await rest.get(`/jobs/${jobId}`);
    return ["QUEUED", "RUNNING"].includes(body.status) ? null : body;
  };
  return until(read, { deadlineMs: 60_000, what: "the job to end" });
}

/** Undoes an import, and returns the result of its job. */
async function undone(rest: Rest, jobId: string) {
  const { status, body } = await rest.delete(`/imports/${jobId}`);
  expect([status, body.type, body.code]).toEqual([200, "LEAD_CHANGE", undefined]);
  return (await ended(rest, body.id)).result;
}

interface Setting {
  rest: Rest;
  workspaceId: string;
  mailboxId: string;
  path: string;
  ownList: string;
  otherList: string;
}
interface Target {
  id: string;
  email: string;
}
type Deed = (setting: Setting, target: Target) => Promise<unknown>;

const update = (rest: Rest, leadId: string, patch: object) =>
  rest.post("/leads/manage", { action: "update", leadId, patch });
const manageList = (rest: Rest, action: string, listId: string, leadId: string) =>
  rest.post("/lead-lists/manage", { action, listId, leadIds: [leadId] });
const note = (rest: Rest, leadId: string) => rest.post("/leads/manage", { action: "createNote", leadId, body: "Met" });

/** What makes a lead the work of a member. */
const TOUCHES: Record<string, Deed> = {
  edited: ({ rest }, { id }) => update(rest, id, { jobTitle: "CEO" }),
  "edited and changed back": async ({ rest }, { id }) => {
    await update(rest, id, { company: "Other" });
    await update(rest, id, { company: "Acme" });
  },
  "edited, and the event removed by a retention": async ({ rest, workspaceId }, { id }) => {
    await update(rest, id, { jobTitle: "CTO" });
    await scoped(workspaceId).ActivityEvent.deleteMany({ leadId: id });
  },
  "a custom field": ({ rest }, { id }) => update(rest, id, { customFields: { opener: "Hi" } }),
  tagged: ({ rest }, { id }) => rest.post("/leads/manage", { action: "bulkAddTags", ids: [id], tags: ["vip"] }),
  noted: ({ rest }, { id }) => note(rest, id),
  "noted, and the note deleted": async ({ rest }, { id }) => {
    const { body } = await note(rest, id);
    await rest.post("/leads/manage", { action: "deleteNote", leadId: id, noteId: body.noteId });
  },
  "a deal": ({ rest }, { id }) => rest.post("/deals", { leadId: id, name: "Pilot", stage: "NEW" }),
  "in a campaign": ({ rest, path }, { email }) =>
    rest.post(`${path}/recipients`, { action: "addManual", emails: [email] }),
  "in another list": ({ rest, otherList }, { id }) => manageList(rest, "addMembers", otherList, id),
  suppressed: ({ rest }, { id }) => rest.post("/leads/suppress", { action: "suppress", ids: [id] }),
  "changed by another import": ({ rest }, { email }) =>
    rest.post("/leads/import", { action: "commit", rows: [{ email, city: "Kassel" }] }),
  "in a conversation": async ({ workspaceId, mailboxId }, { email }) => {
    const { threadId } = await conversationIn(workspaceId, mailboxId, { from: email });
    await scoped(workspaceId).Thread.updateOne({ _id: threadId }, { $set: { searchWords: [addressWord(email)] } });
  },
  "asked about": ({ workspaceId }, { email }) =>
    scoped(workspaceId).Approval.insert({ _id: newId("apr"), kind: "OPT_OUT", addresses: [email] }),
  contacted: ({ workspaceId }, { id }) =>
    scoped(workspaceId).Lead.updateOne({ _id: id }, { $set: { lastContactedAt: new Date() } }),
};

/** What happens to a lead without the work of a member. */
const OTHERS: Record<string, Deed> = {
  nothing: async () => {},
  "its address verified": ({ workspaceId }, { id }) =>
    scoped(workspaceId).Lead.updateOne({ _id: id }, { $set: { verificationStatus: "VALID", verifiedAt: new Date() } }),
  "the same import again": ({ rest }, { email }) =>
    rest.post("/leads/import", { action: "commit", rows: [{ email, company: "Acme" }] }),
  "taken off the list of the import": ({ rest, ownList }, { id }) => manageList(rest, "removeMembers", ownList, id),
};

/** A sequence of numbers from 0 to 1 that is the same for the same seed. */
function drawsOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const MORE = 24;

test("undoing an import deletes exactly the leads that it created and no one touched, and leaves all others as they are", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { Lead, Note, Deal, Recipient } = scoped(workspaceId);
  const mailbox = await storedMailbox(workspaceId);
  const { path } = await readyCampaign(rest, workspaceId, []);
  const lists = await Promise.all(["Fair", "Other"].map((name) => rest.post("/lead-lists", { name })));
  const [ownList = "", otherList = ""] = lists.map(({ body }) => body.id as string);
  const setting = { rest, workspaceId, mailboxId: mailbox._id, path, ownList, otherList };
  await rest.post("/leads", { email: "known@before.test", company: "Old" });
  await rest.post("/leads", { email: "left@before.test" });

  // Each deed once, and then random pairs of them
  const draw = drawsOf(7);
  const names = [...Object.keys(TOUCHES), ...Object.keys(OTHERS)];
  const pick = () => names[Math.floor(draw() * names.length)] ?? "nothing";
  const model = new Map<string, string[]>(names.map((name, at) => [`each${at}@new.test`, [name]]));
  for (let at = 0; at < MORE; at++) model.set(`pair${at}@new.test`, [pick(), pick()]);
  const job = await imported(
    rest,
    ["known@before.test,Acme", ...[...model.keys(), "gone@new.test"].map((email) => `${email},Acme`)],
    {
      listId: ownList,
    },
  );
  expect(job.result).toMatchObject({ created: model.size + 1, updated: 1 });

  const deeds = { ...TOUCHES, ...OTHERS };
  for (const [email, done] of model) {
    const lead = await Lead.findOne({ email });
    for (const name of done) {
      const answer = await deeds[name]?.(setting, { id: lead?._id ?? "", email });
      const { status = 200, body = null } = { ...(answer as object | undefined) } as {
        status?: number;
        body?: unknown;
      };
      if (status >= 300) throw new Error(`${name}: ${JSON.stringify(body)}`);
    }
  }
  const gone = await Lead.findOne({ email: "gone@new.test" });
  await rest.post("/leads/manage", { action: "delete", leadId: gone?._id });
  const touched = [...model].filter(([, done]) => done.some((name) => name in TOUCHES)).map(([email]) => email);
  const staying = [...touched, "known@before.test", "left@before.test"].toSorted();
  const all = async () => (await Lead.find({}, { sort: { email: 1 } })).filter(({ email }) => staying.includes(email));
  const before = await all();
  const beside = async () => Promise.all([Note.find({}), Deal.find({}), Recipient.find({})]);
  const besideBefore = await beside();

  expect(await undone(rest, job.id)).toEqual({
    action: "undoImport",
    removed: model.size - touched.length,
    kept: touched.length,
  });
  expect((await Lead.find({}, { sort: { email: 1 } })).map(({ email }) => email)).toEqual(staying);
  expect(await all()).toEqual(before);
  expect(await beside()).toEqual(besideBefore);
  const members = before.filter(({ listIds }) => listIds.includes(ownList)).length;
  expect((await rest.get("/lead-lists")).body).toContainEqual(
    expect.objectContaining({ id: ownList, memberCount: members }),
  );
  // A second undo finds only what it has kept before
  expect(await undone(rest, job.id)).toMatchObject({ removed: 0, kept: touched.length });
  expect(await all()).toEqual(before);
}, 120_000);

test("an import can be undone after it was cancelled or its list was deleted, but not while it runs", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { Job, Lead } = scoped(workspaceId);
  const { body: list } = await rest.post("/lead-lists", { name: "Fair" });
  const job = await imported(rest, ["a@new.test,Acme", "b@new.test,Acme"], { listId: list.id });
  await Job.updateOne({ _id: job.id }, { $set: { status: "RUNNING" } });
  expect(await rest.delete(`/imports/${job.id}`)).toMatchObject({
    status: 409,
    body: { code: "INVALID_STATE_TRANSITION", details: { from: "RUNNING", action: "undo" } },
  });
  expect(await Lead.count()).toBe(2);
  await Job.updateOne({ _id: job.id }, { $set: { status: "CANCELLED" } });
  const plan = await rest.delete(`/imports/${job.id}?planOnly=true`);
  const shown = {
    changes: [{ what: "leads that the import created", deleted: 2 }],
    kept: [{ why: expect.any(String) }],
  };
  expect(plan).toMatchObject({ status: 200, body: { planToken: expect.any(String), plan: { effect: shown } } });
  expect(await Lead.count()).toBe(2);
  await rest.post("/lead-lists/manage", { action: "delete", listId: list.id });
  expect(await undone(rest, job.id)).toMatchObject({ removed: 2, kept: 0 });
  expect(await Lead.count()).toBe(0);
});

test.each([
  ["MANUAL", "ACTIVE"],
  ["UNSUBSCRIBED", "UNSUBSCRIBED"],
  ["HARD_BOUNCE", "BOUNCED"],
] as const)("a suppression (%s) that is older than the import outlives its undo", async (reason, status) => {
  const { rest, workspaceId } = await world.workspace();
  const { body: lead } = await rest.post("/leads", { email: "noor@quiet.test" });
  await rest.post("/leads/suppress", { action: "suppress", ids: [lead.id] });
  await scoped(workspaceId).Lead.updateOne({ _id: lead.id }, { $set: { suppressionReason: reason, status } });
  await scoped(workspaceId).AddressGuard.updateMany({}, { $set: { reasons: [reason] } });
  await rest.post("/leads/manage", { action: "delete", leadId: lead.id });
  const job = await imported(rest, ["noor@quiet.test,Acme"]);
  expect(await undone(rest, job.id)).toMatchObject({ removed: 1, kept: 0 });
  await rest.post("/leads", { email: "noor@quiet.test" });
  expect(await scoped(workspaceId).Lead.find({})).toMatchObject([{ suppressed: true, suppressionReason: reason }]);
});

test("the history of an imported lead shows nothing that only the undo needs", async () => {
  const { rest, workspaceId } = await world.workspace();
  await imported(rest, ["a@new.test,Acme"]);
  const [lead] = await scoped(workspaceId).Lead.find({});
  const { body } = await rest.get(`/leads/${lead?._id}/activity`);
  const [event] = body.items.filter(({ type }: { type: string }) => type === "IMPORTED");
  expect(event.data).toEqual({ source: expect.any(String), fileName: "fair.csv", created: true });
});

test("a dry run, an import of an earlier version, another job and another workspace's import are not undone", async () => {
  const { rest, workspaceId, withScopes } = await world.workspace();
  const { rest: foreign } = await world.workspace();
  const { Job, Lead } = scoped(workspaceId);
  const dryRun = await imported(rest, ["a@new.test,Acme"], { action: "dryRun" });
  const refused = { status: 409, body: { code: "INVALID_STATE_TRANSITION" } };
  expect(await rest.delete(`/imports/${dryRun.id}`)).toMatchObject(refused);
  const job = await imported(rest, ["a@new.test,Acme"]);
  const { body: change } = await rest.post("/leads/manage", {
    action: "bulkAddTags",
    filter: { all: true },
    tags: ["t"],
  });
  for (const [by, id] of [
    [rest, change.id],
    [rest, "job_00000000000000000000000000"],
    [foreign, job.id],
  ] as const)
    expect(await by.delete(`/imports/${id}`)).toMatchObject({ status: 404, body: { code: "JOB_NOT_FOUND" } });
  expect(await (await withScopes("leads:read")).delete(`/imports/${job.id}`)).toMatchObject({ status: 403 });
  await Job.updateOne({ _id: job.id }, { $unset: { "parameters.isTraced": 1 } });
  expect(await rest.delete(`/imports/${job.id}`)).toMatchObject(refused);
  expect(await Lead.count()).toBe(1);
});
