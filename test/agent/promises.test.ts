import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { heedReply } from "../../store/agent/prepare-reply.ts";
import { fulfilPromises } from "../../store/agent/promises.ts";
import { answerOf, type Inbox, newMailbox, startInbox } from "../inbox/inbox-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let inbox: Inbox;
let withScopes: Awaited<ReturnType<World["workspace"]>>["withScopes"];
beforeAll(async () => {
  world = await startWorld({ apart: true });
  const own = await world.workspace();
  ({ withScopes } = own);
  inbox = await startInbox(world, {
    own: { ...own, mailbox: await newMailbox(own.workspaceId, "ann@a.test") },
    heedReply,
  });
});
afterAll(() => world.close());

async function replied(email: string, text: string) {
  const person = await inbox.contacted(email);
  const message = await inbox.arrive(answerOf(person, text));
  const { body } = await inbox.rest.get(`/promises?threadId=${message.threadId ?? (await threadOf(message._id))}`);
  return { person, message, promises: body.items };
}
const threadOf = async (messageId: string) => (await scoped(inbox.workspaceId).Message.get(messageId))?.threadId ?? "";

test("a promise is kept with its sentence and shown on the lead, and its thread returns to the inbox once when it is due", async () => {
  const { person, message, promises } = await replied(
    "ada@b.test",
    "Thanks, not now. Please write me again in three weeks. Bye",
  );
  expect(promises).toMatchObject([
    { kind: "TIME", status: "PENDING", sentence: "Please write me again in three weeks.", foundBy: "RULES" },
  ]);
  const [{ id, leadId, dueAt }] = promises;
  expect(leadId).toBe(person.recipient.leadId);
  const ahead = new Date(dueAt).getTime() - Date.now();
  expect(Math.abs(ahead - 21 * DAY_MS)).toBeLessThan(2 * DAY_MS);
  expect((await inbox.rest.get(`/promises?leadId=${leadId}`)).body.total).toBe(1);
  expect((await inbox.rest.get(`/leads/${leadId}`)).body.promises).toMatchObject([{ id, status: "PENDING", dueAt }]);
  const blind = await withScopes("leads:read");
  expect((await blind.get(`/leads/${leadId}`)).body.promises).toBeNull();
  const threadId = await threadOf(message._id);
  await inbox.rest.post("/inbox/threads/manage", { action: "archive", threadIds: [threadId] });
  await inbox.rest.post("/inbox/threads/manage", { action: "markRead", threadIds: [threadId] });
  const { Thread } = scoped(inbox.workspaceId);
  await fulfilPromises(100, new Date(new Date(dueAt).getTime() - 1));
  expect(await Thread.get(threadId)).toMatchObject({ isArchived: true, isRead: true });
  await fulfilPromises(100, new Date(dueAt));
  expect(await Thread.get(threadId)).toMatchObject({ isArchived: false, isRead: false, unreadCount: 1 });
  expect((await inbox.rest.post(`/promises/${id}`, { action: "accept" })).body).toMatchObject({
    code: "INVALID_STATE_TRANSITION",
  });
  await inbox.rest.post("/inbox/threads/manage", { action: "markRead", threadIds: [threadId] });
  await fulfilPromises(100, new Date(new Date(dueAt).getTime() + DAY_MS));
  expect(await Thread.get(threadId)).toMatchObject({ isRead: true });
  expect((await inbox.rest.get(`/inbox/threads/${threadId}`)).body.promises).toMatchObject([
    { id, status: "DUE", sentence: "Please write me again in three weeks." },
  ]);
  expect((await inbox.rest.get("/promises?status=DUE")).body.items.map((one: { id: string }) => one.id)).toContain(id);
});

test("a due promise is cancelled by hand, and the lead no longer shows the promise", async () => {
  const { person, promises } = await replied("zoe@b.test", "Please write me again in three weeks.");
  const [{ id, dueAt }] = promises;
  await fulfilPromises(100, new Date(dueAt));
  expect((await inbox.rest.post(`/promises/${id}`, { action: "cancel" })).body).toMatchObject({ status: "CANCELLED" });
  expect((await inbox.rest.get(`/leads/${person.recipient.leadId}`)).body.promises).toEqual([]);
});

test("a cancelled promise never becomes due, and other workspaces cannot see or change a promise", async () => {
  const { message, promises } = await replied("bea@b.test", "Please get back to me in three weeks.");
  const [{ id, dueAt }] = promises;
  const stranger = await world.workspace();
  expect(await stranger.rest.post(`/promises/${id}`, { action: "cancel" })).toMatchObject({
    status: 404,
    body: { code: "PROMISE_NOT_FOUND" },
  });
  expect((await stranger.rest.get("/promises")).body.total).toBe(0);
  const reader = await world.workspace("inbox:read");
  expect(await reader.rest.post(`/promises/${id}`, { action: "cancel" })).toMatchObject({ status: 403 });
  for (const _ of [1, 2])
    expect((await inbox.rest.post(`/promises/${id}`, { action: "cancel" })).body).toMatchObject({
      status: "CANCELLED",
    });
  const threadId = await threadOf(message._id);
  await inbox.rest.post("/inbox/threads/manage", { action: "markRead", threadIds: [threadId] });
  await fulfilPromises(100, new Date(dueAt));
  expect(await scoped(inbox.workspaceId).Thread.get(threadId)).toMatchObject({ isRead: true });
});

test("a referral becomes a lead when a person accepts the referral, and a second acceptance creates no further lead", async () => {
  const { promises } = await replied(
    "cia@b.test",
    "I am the wrong one. Please contact my colleague Eva at eva@b.test instead.",
  );
  expect(promises).toMatchObject([{ kind: "REFERRAL", address: "eva@b.test", dueAt: null, status: "PENDING" }]);
  const [{ id }] = promises;
  const accepted = await inbox.rest.post(`/promises/${id}`, { action: "accept" });
  expect(accepted.body).toMatchObject({ status: "ACCEPTED", proposedLeadId: expect.any(String) });
  expect((await inbox.rest.get(`/leads/${accepted.body.proposedLeadId}`)).body).toMatchObject({
    email: "eva@b.test",
    source: "REFERRAL",
    createdFrom: { kind: "REFERRAL", actor: { kind: "API_KEY" }, name: null, id: promises[0].threadId },
  });
  expect((await inbox.rest.post(`/promises/${id}`, { action: "accept" })).body).toMatchObject({
    proposedLeadId: accepted.body.proposedLeadId,
  });
  expect((await inbox.rest.post(`/promises/${id}`, { action: "cancel" })).body).toMatchObject({
    code: "INVALID_STATE_TRANSITION",
  });
});

test("a date in the past makes no promise, and a recipient with an unknown time zone gets the zone of the workspace", async () => {
  expect((await replied("eda@b.test", "Please write me again on 2 December 2020.")).promises).toEqual([]);
  const person = await inbox.contacted("fia@b.test", { recipient: { timezone: "Mars/Olympus" } });
  const message = await inbox.arrive(answerOf(person, "Please write me again in three weeks, at 9 am PST, not CET."));
  const { body } = await inbox.rest.get(`/promises?threadId=${await threadOf(message._id)}`);
  expect(body.items).toMatchObject([{ kind: "TIME", dueAt: expect.stringContaining("T09:00:00.000Z") }]);
});

test("a promise in an email of a person in copy names that person, in the thread of the lead", async () => {
  const person = await inbox.contacted("gia@b.test");
  const message = await inbox.arrive({
    ...answerOf(person, "Gia is away, write to me in three weeks."),
    from: "boss@b.test",
  });
  const { body } = await inbox.rest.get(`/promises?threadId=${await threadOf(message._id)}`);
  expect(body.items).toMatchObject([{ saidBy: "boss@b.test", leadId: person.recipient.leadId }]);
});

test("an email that is read twice makes one promise, and erasing a lead erases the lead's promises", async () => {
  const person = await inbox.contacted("dia@b.test");
  const mail = answerOf(person, "Please write me again in three weeks.");
  const contentKey = "the-same-content";
  await inbox.arrive(mail, { contentKey });
  await inbox.arrive(mail, { contentKey });
  const { ReplyPromise } = scoped(inbox.workspaceId);
  expect(await ReplyPromise.count({ leadId: person.recipient.leadId })).toBe(1);
  await inbox.rest.post("/leads/manage", { action: "bulkDelete", ids: [person.recipient.leadId] });
  expect(await ReplyPromise.count({ leadId: person.recipient.leadId })).toBe(0);
});
