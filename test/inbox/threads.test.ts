import { randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { openFile, removeFiles, saveFile } from "../../models/inbox/files.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { fileHistory } from "../../store/inbox/thread-history.ts";
import { fileSent, storeMessage } from "../../store/inbox/threads.ts";
import { recordSent } from "../../store/sending/record.ts";
import { startWorld, type World } from "../support/world.ts";
import { answerOf, HELLO, type Inbox, newMailbox, startInbox } from "./inbox-parts.ts";

let world: World;
let inbox: Inbox;

beforeAll(async () => {
  world = await startWorld();
});
beforeEach(async () => {
  inbox = await startInbox(world);
});
afterAll(() => world.close());

const db = () => scoped(inbox.workspaceId);
const threads = () => db().Thread.find({}, { sort: { _id: 1 } });

test("a person's first reply opens a thread that also shows what we had sent before", async () => {
  const person = await inbox.contacted("bob@b.test");
  const answer = await inbox.arrive(answerOf(person, "Tell me more."));
  const [thread] = await threads();
  expect(thread).toMatchObject({
    recipientId: person.recipient._id,
    campaignId: person.recipient.campaignId,
    subject: HELLO,
  });
  expect(thread).toMatchObject({
    messageCount: 2,
    unreadCount: 1,
    isRead: false,
    lastDirection: "INBOUND",
    snippet: "Tell me more.",
  });
  expect(thread?.participants).toEqual([{ name: "", address: "bob@b.test" }]);
  const messages = await db().Message.find({ threadId: thread?._id }, { sort: { receivedAt: 1 } });
  expect(messages.map(({ kind, direction }) => [kind, direction])).toEqual([
    ["CAMPAIGN", "OUTBOUND"],
    ["REPLY", "INBOUND"],
  ]);
  expect(messages[0]).toMatchObject({
    sendId: person.send._id,
    bodyText: "Do you use widgets?",
    from: inbox.mailbox.email,
  });
  expect(messages[1]?._id).toBe(answer._id);
  expect(await db().Recipient.get(person.recipient._id)).toMatchObject({ threadId: thread?._id });
});

test("further emails of a recipient join the recipient's thread, and a stranger's email opens another thread", async () => {
  const person = await inbox.contacted("bob@b.test");
  const first = await inbox.arrive(answerOf(person, "First"));
  await inbox.arrive({
    ...answerOf(person, "Second"),
    inReplyTo: first.rfcMessageId,
    references: [String(first.rfcMessageId)],
  });
  await inbox.arrive({ from: "stranger@x.test", subject: "An offer" });
  expect((await threads()).map(({ messageCount, subject }) => [messageCount, subject])).toEqual([
    [3, HELLO],
    [1, "An offer"],
  ]);
});

test("the emails of two strangers in one conversation share a thread if one references the other's message id", async () => {
  const first = await inbox.arrive({ from: "x@x.test", subject: "Lunch" });
  await inbox.arrive({
    from: "y@y.test",
    subject: "Re: Lunch",
    references: ["<gone@z.test>", String(first.rfcMessageId)],
  });
  const all = await threads();
  expect(all.map(({ messageCount }) => messageCount)).toEqual([2]);
  expect(all[0]?.participants.map(({ address }) => address)).toEqual(["x@x.test", "y@y.test"]);
});

test("a stranger's thread becomes a recipient's thread when an email of the recipient continues it", async () => {
  const person = await inbox.contacted("bob@b.test");
  const first = await inbox.arrive({ from: "colleague@c.test", subject: "Who are you?" });
  await inbox.arrive({
    ...answerOf(person, "Me"),
    references: [String(first.rfcMessageId), String(person.send.messageId)],
  });
  const all = await threads();
  expect(all.map(({ recipientId, messageCount }) => [recipientId, messageCount])).toEqual([[person.recipient._id, 3]]);
});

test("when a recipient with a thread writes in another thread, that thread keeps its owner", async () => {
  const person = await inbox.contacted("bob@b.test");
  await inbox.arrive(answerOf(person, "Mine"));
  const stranger = await inbox.arrive({ from: "x@x.test", subject: "Lunch" });
  const threadId = (await db().Message.get(stranger._id))?.threadId ?? null;
  const [mine] = await db().Message.find({ recipientId: person.recipient._id, direction: "INBOUND" });
  if (mine === undefined) throw new Error("The answer was not attributed");
  const { createdAt: _c, updatedAt: _u, workspaceId: _w, ...again } = mine;
  const other = db().Message.draft({ ...again, _id: newId("msg"), uid: null, contentKey: "again", threadId });
  await inTransaction(() => storeMessage(other, inbox.mailbox.email));
  expect((await threads()).map(({ recipientId, messageCount }) => [recipientId, messageCount])).toEqual([
    [person.recipient._id, 2],
    [null, 2],
  ]);
});

test("an incoming reply opens an archived thread again, as unread", async () => {
  const person = await inbox.contacted("bob@b.test");
  await inbox.arrive(answerOf(person, "First"));
  const [before] = await threads();
  await db().Thread.updateOne(
    { _id: before?._id },
    { $set: { isArchived: true, isRead: true, unreadCount: 0, isStarred: true } },
  );
  await inbox.arrive(answerOf(person, "Second"));
  expect(await threads()).toMatchObject([
    { isArchived: false, isRead: false, unreadCount: 1, isStarred: true, messageCount: 3 },
  ]);
});

test("an email older than the thread's last message changes neither its place nor its snippet", async () => {
  const person = await inbox.contacted("bob@b.test");
  const last = await inbox.arrive(answerOf(person, "Newest"));
  await inbox.arrive(answerOf(person, "From Junk, of yesterday"), { receivedAt: new Date(Date.now() - DAY_MS) });
  expect(await threads()).toMatchObject([
    { snippet: "Newest", lastMessageAt: last.receivedAt, messageCount: 3, unreadCount: 2 },
  ]);
});

test("a sent email is filed once in the thread of its recipient, and in none where the recipient has no thread", async () => {
  const person = await inbox.contacted("bob@b.test");
  await inbox.arrive({ ...answerOf(person, "Away"), headers: new Map([["auto-submitted", ["auto-replied"]]]) });
  const next = await db().Send.insert({
    _id: newId("snd"),
    recipientId: person.recipient._id,
    stepId: "stp_two",
    mailboxId: inbox.mailbox._id,
    to: "bob@b.test",
    state: "SENT",
    subject: `Re: ${HELLO}`,
    sentAt: new Date(),
    content: { text: "Still there?", html: null },
  });
  const file = () => inTransaction(() => fileSent(next, "CAMPAIGN"));
  const id = await file();
  expect(await file()).toBe(id);
  expect(await threads()).toMatchObject([
    { messageCount: 3, lastDirection: "OUTBOUND", snippet: "Still there?", category: expect.any(String) },
  ]);
  const other = await inbox.contacted("eve@b.test");
  expect(await inTransaction(() => fileSent(other.send, "CAMPAIGN"))).toBeNull();
});

test("the step sent after an auto-reply appears in the thread, even when its recipient was read before the thread existed", async () => {
  const { recipient } = await inbox.contacted("bob@b.test", { settings: { outOfOfficeMode: "IGNORE" } });
  const next = await db().Send.insert({
    _id: newId("snd"),
    recipientId: recipient._id,
    campaignId: recipient.campaignId,
    leadId: recipient.leadId,
    stepId: "stp_two",
    mailboxId: inbox.mailbox._id,
    to: "bob@b.test",
    state: "SENDING",
    phase: "DATA",
    attemptId: "one",
    subject: `Re: ${HELLO}`,
  });
  const automatic = new Map([["auto-submitted", ["auto-replied"]]]);
  await inbox.arrive({
    from: "bob@b.test",
    references: recipient.thread?.ids ?? [],
    headers: automatic,
    text: "A ticket was opened",
  });
  const sequence = await db().Sequence.findOne({ campaignId: recipient.campaignId });
  if (sequence === null || recipient.thread === null) throw new Error("There is no sequence");
  const told = {
    attemptId: "one",
    response: "250 ok",
    serverMessageId: null,
    copied: null,
    sentAt: new Date(),
    thread: recipient.thread,
    sequence,
  };
  await recordSent({ send: next, recipient, ...told, bookNext: async () => null });
  expect(await threads()).toMatchObject([{ messageCount: 3, lastDirection: "OUTBOUND", unreadCount: 1 }]);
  expect(await db().Recipient.get(recipient._id)).toMatchObject({
    status: "COMPLETED",
    sentCount: 2,
    currentStepId: "stp_two",
  });
});

test("our own reply appears in its thread as read, and a person who answers our reply joins the thread", async () => {
  const question = await inbox.arrive({ from: "x@x.test", subject: "Lunch" });
  const threadId = String((await db().Message.get(question._id))?.threadId);
  const ours = await db().Send.insert({
    _id: newId("snd"),
    kind: "REPLY",
    threadId,
    mailboxId: inbox.mailbox._id,
    to: "x@x.test",
    state: "SENT",
    sentAt: new Date(),
    messageId: "<ours@a.test>",
    messageIds: ["<ours@a.test>", "<theirs@provider.test>"],
    subject: "Re: Lunch",
  });
  await inTransaction(() => fileSent(ours, "MANUAL", { cc: [{ name: "Cy", address: "cy@x.test" }] }));
  expect(await threads()).toMatchObject([{ isRead: true, unreadCount: 0, messageCount: 2, lastDirection: "OUTBOUND" }]);
  await inbox.arrive({ from: "x@x.test", subject: "Re: Lunch", references: ["<theirs@provider.test>"] });
  expect(await threads()).toMatchObject([
    { messageCount: 3, isRead: false, participants: [{ address: "x@x.test" }, { name: "Cy" }] },
  ]);
});

test("an email with a DMARC or TLS report opens no thread", async () => {
  await inbox.arrive({
    from: "reports@dmarc.test",
    subject: "Report domain: a.test Submitter: b.test",
    attachments: [],
    reportType: "tlsrpt",
  });
  expect(await threads()).toEqual([]);
});

test("a recipient has a separate thread in each mailbox", async () => {
  const person = await inbox.contacted("bob@b.test");
  await inbox.arrive(answerOf(person, "One"));
  const second = await newMailbox(inbox.workspaceId, `zoe-${randomUUID().slice(0, 8)}@a.test`);
  const elsewhere = { ...inbox.mailbox, ...second };
  await inbox.arrive(answerOf(person, "Two"), { mailbox: elsewhere } as object);
  expect((await threads()).map(({ mailboxId, messageCount }) => [mailboxId, messageCount])).toEqual([
    [inbox.mailbox._id, 2],
    [second._id, 2],
  ]);
  const [first] = await threads();
  expect((await db().Recipient.get(person.recipient._id))?.threadId).toBe(first?._id);
});

test("old mail is filed once, in batches, as read, in any order", async () => {
  const mail = (id: string, references: string[], minute: number) => ({
    _id: newId("msg"),
    contentKey: randomUUID(),
    rfcMessageId: id,
    references,
    from: "x@x.test",
    subject: "Old",
    kind: "OTHER" as const,
    receivedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
  });
  const batch = [
    mail("<c@x>", ["<a@x>", "<b@x>"], 3),
    mail("<a@x>", [], 1),
    mail("<b@x>", ["<a@x>"], 2),
    mail("<z@x>", [], 9),
  ];
  expect(await fileHistory(inbox.mailbox, batch)).toBe(4);
  expect(await fileHistory(inbox.mailbox, [...batch, mail("<d@x>", ["<c@x>"], 4), mail("<e@x>", ["<b@x>"], 5)])).toBe(
    2,
  );
  expect(
    (await threads()).map(({ messageCount, isRead, unreadCount }) => [messageCount, isRead, unreadCount]).sort(),
  ).toEqual([
    [1, true, 0],
    [5, true, 0],
  ]);
  expect((await threads()).find(({ messageCount }) => messageCount === 5)?.lastMessageAt).toEqual(
    new Date(Date.UTC(2026, 0, 1, 0, 5)),
  );
  expect(await db().Message.count({ threadId: null })).toBe(0);
});

test("a file is stored once under its id, can be read by its workspace alone, and is gone when it is removed", async () => {
  const content = Buffer.alloc(2_500_000, "ab");
  const id = `att_${randomUUID().replaceAll("-", "").slice(0, 26)}`;
  const save = () =>
    saveFile(inbox.workspaceId, id, { fileName: "a.bin", contentType: "application/octet-stream" }, content);
  await Promise.all([save(), save(), save()]);
  await save();
  const stream = await openFile(inbox.workspaceId, id);
  expect(stream !== null && (await buffer(stream)).equals(content)).toBe(true);
  expect(await db().FileChunk.count({ files_id: id })).toBe(3);
  const { workspaceId: foreign } = await world.workspace();
  expect(await openFile(foreign, id)).toBeNull();
  await removeFiles(foreign, [id]);
  expect(await openFile(inbox.workspaceId, id)).not.toBeNull();
  await removeFiles(inbox.workspaceId, [id]);
  expect(await openFile(inbox.workspaceId, id)).toBeNull();
  expect(await db().FileChunk.count({ files_id: id })).toBe(0);
});
