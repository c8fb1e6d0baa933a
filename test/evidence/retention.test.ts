import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { KEEP_ALL, NOTHING_DELETED } from "../../domain/evidence/retention.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { ReplyPromise } from "../../models/agent/reply-promise.ts";
import { saveFile } from "../../models/inbox/files.ts";
import { Message } from "../../models/inbox/message.ts";
import { Job } from "../../models/job.ts";
import { scoped } from "../../models/scoped.ts";
import { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { retainNext, setRetention } from "../../store/evidence/retention.ts";
import { cutAddresses, hitOf } from "../../store/tracking/hits.ts";
import { answerOf, HELLO, type Inbox, startInbox } from "../inbox/inbox-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let inbox: Inbox;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
beforeEach(async () => {
  await Workspace.updateMany({}, { $set: { retentionDueAt: null } });
  inbox = await startInbox(world);
});
afterAll(() => world.close());

const PATH = "/workspace/retention";
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
/** When the first round of a setting of this test is due. */
const due = () => new Date(Date.now() + 2 * HOUR_MS);

/** Makes every email of the workspace look as if it had been stored and sent then. */
async function age({ workspaceId }: Pick<Inbox, "workspaceId">, at: Date): Promise<void> {
  await Message.collection.updateMany({ workspaceId }, { $set: { createdAt: at } });
  await Send.collection.updateMany({ workspaceId }, { $set: { sentAt: at } });
}

async function conversation(own: Inbox) {
  const person = await own.contacted("ada@b.test");
  const { _id, threadId } = await own.arrive(answerOf(person, "Zebras interest me."));
  const message = async () => scoped(own.workspaceId).Message.get(_id);
  const send = async () => scoped(own.workspaceId).Send.get(person.send._id);
  const found = async (word: string) => (await own.rest.get(`/inbox/threads?search=${word}`)).body.total;
  return { person, threadId, message, send, found };
}

test("a workspace keeps everything until a retention is set, and bad days are refused with their path", async () => {
  const { rest } = inbox;
  const nothing = { ...KEEP_ALL, nextRoundAt: null, lastRound: null };
  expect((await rest.get(PATH)).body).toEqual(nothing);
  for (const [kind, days] of [
    ["messageBodies", 29],
    ["messageBodies", 3_651],
    ["hitAddresses", 1.5],
    ["jobs", 0],
    ["jobs", "7"],
    ["events", 89],
    ["recipients", 89],
    ["prospects", 29],
    ["auditEntries", 729],
  ] as const) {
    const refused = await rest.patch(PATH, { [kind]: days });
    expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    expect(refused.body.details.issues).toMatchObject([{ path: kind }]);
  }
  expect((await rest.patch(PATH, {})).body.details.issues).toMatchObject([{ code: "NOTHING_TO_CHANGE" }]);
  expect((await rest.get(PATH)).body).toEqual(nothing);
  const set = await rest.patch(PATH, { messageBodies: 365, jobs: 7 });
  expect(set.body).toMatchObject({ messageBodies: 365, hitAddresses: null, jobs: 7, nextRoundAt: expect.any(String) });
  expect((await rest.patch(PATH, { messageBodies: null })).body).toMatchObject({ messageBodies: null, jobs: 7 });
  expect((await rest.patch(PATH, { jobs: null })).body).toMatchObject({ jobs: null, nextRoundAt: null });
  const reader = await world.workspace("workspace:read");
  expect((await reader.rest.get(PATH)).status).toBe(200);
  expect((await reader.rest.patch(PATH, { jobs: 7 })).status).toBe(403);
});

test("the bodies of old emails are emptied, and the emails stay counted and found by subject and address", async () => {
  const { rest } = inbox;
  const { person, threadId, message, send, found } = await conversation(inbox);
  const file = { id: "att_offer", fileName: "offer.txt", contentType: "text/plain", size: 5, sha256: "" };
  await saveFile(inbox.workspaceId, file.id, file, Buffer.from("Offer"));
  const messageId = (await message())?._id;
  await scoped(inbox.workspaceId).Message.updateOne({ _id: messageId }, { $set: { attachments: [file] } });
  await age(inbox, daysAgo(40));
  const counts = async () => (await rest.get(`/campaigns/${person.recipient.campaignId}/metrics`)).body;
  const before = await counts();
  expect(await found("zebras")).toBe(1);
  expect((await rest.post(`${PATH}/preview`, { messageBodies: 30 })).body).toEqual({
    ...NOTHING_DELETED,
    messageBodies: 3,
    hitAddresses: 0,
  });
  await rest.patch(PATH, { messageBodies: 30 });
  expect(await retainNext(new Date())).toBe(false);
  expect(await message()).toMatchObject({ bodyText: "Zebras interest me." });
  expect(await retainNext(due())).toBe(true);
  expect(await message()).toMatchObject({ bodyText: null, bodyHtml: null, replyText: null, subject: `Re: ${HELLO}` });
  expect(await message()).toMatchObject({ attachments: [] });
  expect(await scoped(inbox.workspaceId).StoredFile.count()).toBe(0);
  expect(await send()).toMatchObject({ content: null, subject: HELLO, to: "ada@b.test", state: "SENT" });
  expect([await found("zebras"), await found("widgets"), await found("ada@b.test")]).toEqual([0, 1, 1]);
  expect((await rest.get(`/inbox/threads/${threadId}`)).body).toMatchObject({ snippet: "", messageCount: 2 });
  expect(await counts()).toEqual(before);
  expect((await rest.get(PATH)).body.lastRound).toMatchObject({
    finishedAt: expect.any(String),
    counts: { messageBodies: 3, jobs: 0 },
  });
  expect((await rest.post(`${PATH}/preview`, {})).body.messageBodies).toBe(0);
});

test("younger emails and emails of other workspaces keep their bodies", async () => {
  const other = await startInbox(world);
  const [mine, theirs] = [await conversation(inbox), await conversation(other)];
  await age(inbox, daysAgo(29));
  await age(other, daysAgo(400));
  await inbox.rest.patch(PATH, { messageBodies: 30 });
  expect(await retainNext(due())).toBe(true);
  for (const { message, send, found } of [mine, theirs]) {
    expect(await message()).toMatchObject({ bodyText: "Zebras interest me." });
    expect(await send()).toMatchObject({ content: { text: "Do you use widgets?" } });
    expect(await found("zebras")).toBe(1);
  }
});

test("a round deletes the sentences of several settled promises of one email, also of promises that became due", async () => {
  const { workspaceId, rest } = inbox;
  const { send } = await conversation(inbox);
  const { ReplyPromise: Promises } = scoped(workspaceId);
  const messageId = newId("msg");
  const settled = (["DUE", "DUE", "CANCELLED", "ACCEPTED", "PENDING"] as const).map((status, at) => ({
    _id: newId("prm"),
    threadId: newId("thr"),
    messageId,
    status,
    sentence: `Call me on day ${at}`,
  }));
  await Promises.insertMany(settled);
  await ReplyPromise.collection.updateMany({ workspaceId }, { $set: { createdAt: daysAgo(40) } });
  await age(inbox, daysAgo(40));
  await rest.patch(PATH, { messageBodies: 30 });
  expect(await retainNext(due())).toBe(true);
  const texts = new Map((await Promises.find({ messageId })).map(({ _id, sentence }) => [_id, sentence]));
  expect(settled.map(({ _id }) => texts.get(_id))).toEqual([
    ...settled.slice(0, 4).map(({ _id }) => `[deleted] (${_id})`),
    "Call me on day 4",
  ]);
  expect(await send()).toMatchObject({ content: null });
});

test("a round empties old test emails, and keeps those that were not sent", async () => {
  const { workspaceId, rest } = inbox;
  const { Send: Sends } = scoped(workspaceId);
  const ids = (["SENT", "FAILED"] as const).map((state) => ({ _id: newId("snd"), state }));
  const content = { text: "Hello Ada", html: null };
  await Sends.insertMany(ids.map((one) => ({ ...one, kind: "TEST" as const, to: "me@a.test", content })));
  await age(inbox, daysAgo(40));
  expect((await rest.post(`${PATH}/preview`, { messageBodies: 30 })).body.messageBodies).toBe(1);
  await rest.patch(PATH, { messageBodies: 30 });
  expect(await retainNext(due())).toBe(true);
  const contents = await Promise.all(ids.map(async ({ _id }) => (await Sends.get(_id))?.content));
  expect(contents).toEqual([null, content]);
  expect((await rest.get(PATH)).body.lastRound.counts).toMatchObject({ messageBodies: 1 });
});

test("a setting that is made during a round starts its own hour", async () => {
  const { workspaceId, rest } = inbox;
  const { person } = await conversation(inbox);
  const { campaignId } = person.recipient;
  const content = { text: "Hello", html: null };
  const rows = Array.from({ length: 900 }, () => ({ _id: newId("snd"), campaignId, to: "n@b.test", content }));
  await scoped(workspaceId).Send.insertMany(rows.map((row) => ({ ...row, state: "SENT" as const })));
  await age(inbox, daysAgo(40));
  await rest.patch(PATH, { messageBodies: 30 });
  const stored = () => Workspace.findOne({ _id: workspaceId }).lean<Workspace>();
  const before = (await stored())?.retentionDueAt?.getTime();
  const round = retainNext(due());
  while ((await stored())?.retentionDueAt?.getTime() === before);
  const began = Date.now();
  await setRetention((await stored()) as Workspace, { messageBodies: 3_650 });
  await round;
  const next = (await stored())?.retentionDueAt?.getTime() ?? 0;
  expect(next - began).toBeGreaterThanOrEqual(HOUR_MS);
  expect(next - began).toBeLessThan(HOUR_MS + 60_000);
});

test("a plan of a setting shows what a round would delete", async () => {
  const { workspaceId, rest, withPolicy } = await world.workspace();
  const job = { type: "LEAD_IMPORT", status: "COMPLETED", chunkCount: 1, parameters: {}, state: {} } as const;
  await scoped(workspaceId).Job.insert({ _id: newId("job"), ...job, finishedAt: daysAgo(8) });
  const planning = await withPolicy({ DESTROYS: "PLAN" }, "workspace:read", "workspace:write");
  const { body } = await planning.patch(PATH, { messageBodies: 30, jobs: 7, planOnly: true });
  expect(body.plan.effect.changes).toEqual([expect.objectContaining({ what: "jobs", deleted: 1 })]);
  expect((await rest.get(PATH)).body.jobs).toBeNull();
});

test("an email that may still be sent keeps its text", async () => {
  const { send, person } = await conversation(inbox);
  await age(inbox, daysAgo(400));
  await Send.collection.updateOne({ _id: person.send._id as never }, { $set: { state: "UNKNOWN" } });
  await inbox.rest.patch(PATH, { messageBodies: 30 });
  await retainNext(due());
  expect(await send()).toMatchObject({ content: { text: "Do you use widgets?" } });
});

test("a round with much to do continues in the next turn, and the next round is a day later", async () => {
  const { rest, workspaceId } = inbox;
  const { person } = await conversation(inbox);
  const { campaignId } = person.recipient;
  const rows = Array.from({ length: 1_050 }, (_, index) => ({
    _id: newId("snd"),
    campaignId,
    to: `n${index}@b.test`,
    state: "SENT" as const,
    content: { text: "Hello", html: null },
  }));
  await scoped(workspaceId).Send.insertMany(rows);
  await age(inbox, daysAgo(40));
  await rest.patch(PATH, { messageBodies: 30 });
  const now = due();
  expect(await retainNext(now)).toBe(true);
  const first = (await rest.get(PATH)).body.lastRound;
  expect(first.finishedAt).toBeNull();
  expect(first.counts.messageBodies).toBeGreaterThanOrEqual(1_000);
  expect(await retainNext(now)).toBe(true);
  expect(await scoped(workspaceId).Send.count({ campaignId, content: null })).toBe(1_051);
  expect((await rest.get(PATH)).body.lastRound).toMatchObject({
    startedAt: now.toISOString(),
    finishedAt: now.toISOString(),
    counts: { messageBodies: 1_053 },
  });
  expect(await retainNext(new Date(now.getTime() + 23 * HOUR_MS))).toBe(false);
  expect(await retainNext(new Date(now.getTime() + 25 * HOUR_MS))).toBe(true);
});

test("old finished jobs are deleted with their rows, and running and younger jobs stay", async () => {
  const { rest, workspaceId } = inbox;
  const { Job: Jobs } = scoped(workspaceId);
  const jobOf = (status: "COMPLETED" | "RUNNING", finishedAt: Date | null) =>
    Jobs.insert({
      _id: newId("job"),
      type: "LEAD_IMPORT",
      status,
      chunkCount: 1,
      finishedAt,
      parameters: {},
      state: {},
    });
  const old = await jobOf("COMPLETED", daysAgo(8));
  const young = await jobOf("COMPLETED", daysAgo(6));
  const running = await jobOf("RUNNING", null);
  await Job.collection.updateMany({ workspaceId }, { $set: { createdAt: daysAgo(20) } });
  expect((await rest.post(`${PATH}/preview`, { jobs: 7 })).body.jobs).toBe(1);
  await rest.patch(PATH, { jobs: 7 });
  await retainNext(due());
  expect(await Jobs.get(old._id)).toBeNull();
  expect([await Jobs.get(young._id), await Jobs.get(running._id)]).not.toContain(null);
  expect((await rest.get(PATH)).body.lastRound.counts).toEqual({ ...NOTHING_DELETED, jobs: 1 });
});

test("the network of a hit is removed once its days are over, and kept without a retention", async () => {
  const other = await world.workspace();
  const at = new Date();
  const stored = async (workspaceId: string) => {
    const visit = { sendId: newId("snd"), kind: "OPEN", linkIndex: null, method: "GET", agent: "", at } as const;
    const hit = hitOf({ ...visit, address: "192.0.2.7" }, workspaceId);
    await scoped(workspaceId).Hit.insertMany([hit]);
    return async () => (await scoped(workspaceId).Hit.get(hit._id))?.address;
  };
  const [mine, theirs] = [await stored(inbox.workspaceId), await stored(other.workspaceId)];
  await inbox.rest.patch(PATH, { hitAddresses: 60 });
  await cutAddresses(at.getTime() + 31 * DAY_MS, 100);
  expect([await mine(), await theirs()]).toEqual(["192.0.2.0/24", "192.0.2.0/24"]);
  await cutAddresses(at.getTime() + 59 * DAY_MS, 100);
  expect(await mine()).toBe("192.0.2.0/24");
  await cutAddresses(at.getTime() + 61 * DAY_MS, 100);
  expect([await mine(), await theirs()]).toEqual([null, "192.0.2.0/24"]);
});
