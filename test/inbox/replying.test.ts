import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { scoped } from "../../models/scoped.ts";
import { verifyChain } from "../../store/audit-chain.ts";
import { until } from "../fakes/wait.ts";
import { type AnsweringWorld, newKey, startAnsweringWorld } from "./replying-world.ts";

let answering: AnsweringWorld;
let workspaceId: string;

beforeAll(async () => {
  answering = await startAnsweringWorld();
  ({ workspaceId } = answering);
}, 60_000);
afterAll(() => answering.close());

test("a reply is sent from the mailbox that received the email, in the same thread, to the writer, and appears in the thread", async () => {
  const chain = Array.from({ length: 25 }, (_, index) => `<${index}@b.test>`);
  const to = await answering.conversation("bob@b.test", { message: { references: chain, fromName: "Bob" } });
  await scoped(workspaceId).Mailbox.updateOne({ _id: to.mailboxId }, { $set: { saveToSent: true } });
  const sent = await answering.answer(to, { text: "Gladly.\n\nAnn", html: "<p>Gladly.</p>" });
  expect(sent).toMatchObject({
    status: 200,
    body: { status: "SENT", threadId: to.threadId, to: "bob@b.test", mailboxId: to.mailboxId, idempotentReplay: false },
  });
  const [mail, ...others] = answering.mailsTo("bob@b.test");
  expect(others).toEqual([]);
  const read = await simpleParser(mail?.raw ?? "");
  expect([read.from?.value[0]?.address, read.to && "value" in read.to && read.to.value[0]]).toEqual([
    "ann@a.test",
    { address: "bob@b.test", name: "Bob" },
  ]);
  expect([read.subject, read.text?.trim(), read.inReplyTo]).toEqual(["Re: Widgets", "Gladly.\n\nAnn", to.rfcMessageId]);
  expect(read.references).toHaveLength(20);
  expect([read.references?.at(0), read.references?.at(-2), read.references?.at(-1)]).toEqual([
    "<0@b.test>",
    "<24@b.test>",
    to.rfcMessageId,
  ]);
  expect(read.headers.has("list-unsubscribe")).toBe(false);
  const { Message, MailboxDay, Lead } = scoped(workspaceId);
  const filed = await Message.get(sent.body.messageId);
  expect(filed).toMatchObject({
    threadId: to.threadId,
    direction: "OUTBOUND",
    kind: "MANUAL",
    rfcMessageId: mail?.messageId,
  });
  expect(await Lead.get(to.leadId ?? "")).toMatchObject({ lastContactedAt: expect.any(Date) });
  const [day] = await MailboxDay.find({ mailboxId: to.mailboxId });
  expect(day).toMatchObject({ sent: 1, sentBy: { none: 1 } });
  await until(() => answering.sandbox.imapOf("ann@a.test").folder("Sent").length === 1, {
    deadlineMs: 30_000,
    what: "the copy in Sent",
  });
});

test("a repeated call with an unchanged key and content returns the first result, other content is refused, and each call leaves one audit entry", async () => {
  const to = await answering.conversation("key@b.test", { at: "bob@a.test" });
  const idempotencyKey = newKey();
  const first = await answering.answer(to, { idempotencyKey });
  const again = await answering.answer(to, { idempotencyKey });
  expect(again).toMatchObject({ status: 200, body: { ...first.body, idempotentReplay: true } });
  expect(await answering.answer(to, { idempotencyKey, text: "Other" })).toMatchObject({
    status: 409,
    body: { code: "IDEMPOTENCY_KEY_REUSED" },
  });
  expect(await answering.schedule(to, { idempotencyKey })).toMatchObject({
    status: 409,
    body: { code: "IDEMPOTENCY_KEY_REUSED" },
  });
  expect(answering.mailsTo("key@b.test")).toHaveLength(1);
  const entries = await scoped(workspaceId).AuditEntry.find({ action: "inbox.reply", "target.threadId": to.threadId });
  expect(entries.map(({ outcome, code }) => [outcome, code]).sort()).toEqual([
    ["DONE", null],
    ["DONE", null],
    ["FAILED", "IDEMPOTENCY_KEY_REUSED"],
  ]);
  expect(await verifyChain(workspaceId)).toMatchObject({ brokenAt: null });
});

test("ten identical calls at once send one email and return one result", async () => {
  const to = await answering.conversation("many@b.test", { at: "bob@a.test" });
  const idempotencyKey = newKey();
  const answers = await Promise.all(Array.from({ length: 10 }, () => answering.answer(to, { idempotencyKey })));
  expect(answers.map(({ status, body }) => [status, body.status, body.messageId])).toEqual(
    answers.map(() => [200, "SENT", answers[0]?.body.messageId]),
  );
  expect(answers.filter(({ body }) => !body.idempotentReplay)).toHaveLength(1);
  expect(answering.mailsTo("many@b.test")).toHaveLength(1);
  expect(await scoped(workspaceId).Message.count({ threadId: to.threadId, direction: "OUTBOUND" })).toBe(1);
});

test("CC and BCC addresses get the same bytes in a separate envelope, and a BCC address appears neither in a header nor in the thread", async () => {
  const to = await answering.conversation("copied@b.test", { at: "bob@a.test" });
  const sent = await answering.answer(to, { cc: ["One@c.test", "copied@b.test"], bcc: ["two@c.test", "one@c.test"] });
  expect(sent.status).toBe(200);
  const mails = answering.sandbox.ledger.filter(
    ({ messageId }) => messageId === answering.mailsTo("copied@b.test")[0]?.messageId,
  );
  expect(mails.map(({ to }) => to)).toEqual([["copied@b.test"], ["one@c.test", "two@c.test"]]);
  expect(mails[0]?.raw.equals(mails[1]?.raw ?? Buffer.alloc(0))).toBe(true);
  expect(mails[0]?.raw.toString()).not.toContain("two@c.test");
  expect(await scoped(workspaceId).Message.get(sent.body.messageId)).toMatchObject({ cc: [{ address: "one@c.test" }] });
});

test("a reply has the subject of the email that it answers, even if the conversation began with another", async () => {
  const to = await answering.conversation("other@b.test", { message: { subject: "Prices?\r\nBcc: x@y.test" } });
  expect((await answering.answer(to)).status).toBe(200);
  const mail = await simpleParser(answering.mailsTo("other@b.test")[0]?.raw ?? "");
  expect([mail.subject, mail.bcc]).toEqual(["Re: Prices? Bcc: x@y.test", undefined]);
});

test("a reply goes to the sender's Reply-To, and answers the newest message that a person wrote", async () => {
  const to = await answering.conversation("desk@b.test", { at: "bob@a.test", message: { replyTo: "team@b.test" } });
  const { Message } = scoped(workspaceId);
  const newest = {
    mailboxId: to.mailboxId,
    threadId: to.threadId,
    from: "desk@b.test",
    receivedAt: new Date(Date.now() + 1_000),
  };
  await Message.insert({
    _id: `${to.messageId}a`,
    contentKey: "ooo",
    kind: "AUTO_REPLY",
    rfcMessageId: "<ooo@b.test>",
    ...newest,
  });
  expect((await answering.answer(to)).body).toMatchObject({ status: "SENT", to: "team@b.test" });
  const [mail] = answering.mailsTo("team@b.test");
  expect((await simpleParser(mail?.raw ?? "")).inReplyTo).toBe(to.rfcMessageId);
  const refused = await answering.answer(to, { inReplyToMessageId: `${to.messageId}a` });
  expect(refused).toMatchObject({ status: 422, body: { code: "SEND_FAILED", details: { reason: "NOT_ANSWERABLE" } } });
});

test.each(["AUTO_REPLY", "BOUNCE", "BULK", "UNSUBSCRIBE", "COMPLAINT", "UNREADABLE"] as const)(
  "%s is never replied to",
  async (kind) => {
    const from = `${kind.toLowerCase()}@machine.test`;
    const to = await answering.conversation(from, { message: { kind } });
    expect(await answering.answer(to)).toMatchObject({ status: 422, body: { details: { reason: "NOT_ANSWERABLE" } } });
    expect(await answering.schedule(to)).toMatchObject({
      status: 422,
      body: { details: { reason: "NOT_ANSWERABLE" } },
    });
    expect(answering.mailsTo(from)).toEqual([]);
  },
);

test("a reply with invalid fields or for an unknown mailbox, message or thread is refused before anything is stored", async () => {
  const to = await answering.conversation("wrong@b.test");
  const other = answering.mailboxIds.get("bob@a.test");
  const { messageId: elsewhere } = await answering.conversation("another@b.test");
  const cases: [object, number, string][] = [
    [{ subject: "a\r\nBcc: x@y.test" }, 400, "VALIDATION_FAILED"],
    [{ html: "<script>1</script>" }, 400, "VALIDATION_FAILED"],
    [{ html: '<img src="x" onerror="1">' }, 400, "VALIDATION_FAILED"],
    [{ text: " \n" }, 400, "VALIDATION_FAILED"],
    [{ cc: ["no address"] }, 400, "VALIDATION_FAILED"],
    [{ idempotencyKey: "short" }, 400, "VALIDATION_FAILED"],
    [{ idempotencyKey: "with space" }, 400, "VALIDATION_FAILED"],
    [{ idempotencyKey: undefined }, 400, "IDEMPOTENCY_KEY_REQUIRED"],
    [{ mailboxId: other }, 400, "VALIDATION_FAILED"],
    [{ mailboxId: "mbx_none" }, 404, "MAILBOX_NOT_FOUND"],
    [{ inReplyToMessageId: "msg_none" }, 404, "MESSAGE_NOT_FOUND"],
    [{ inReplyToMessageId: elsewhere }, 404, "MESSAGE_NOT_FOUND"],
  ];
  for (const [fields, status, code] of cases) {
    expect([fields, await answering.answer(to, fields)]).toMatchObject([fields, { status, body: { code } }]);
  }
  expect(await answering.answer({ ...to, threadId: "thr_none" })).toMatchObject({
    status: 404,
    body: { code: "THREAD_NOT_FOUND" },
  });
  const stranger = await (await answering.world.workspace()).rest.post(`/inbox/threads/${to.threadId}/reply`, {
    text: "x",
    idempotencyKey: newKey(),
  });
  expect(stranger).toMatchObject({ status: 404, body: { code: "THREAD_NOT_FOUND" } });
  expect(await scoped(workspaceId).Send.count({ threadId: to.threadId })).toBe(0);
  expect(answering.mailsTo("wrong@b.test")).toEqual([]);
});

test("without inbox:send no reply is sent, and the refusal is audited", async () => {
  const { rest, workspaceId: own } = await answering.world.workspace("inbox:read", "inbox:write");
  const body = { text: "x", idempotencyKey: newKey() };
  expect(await rest.post("/inbox/threads/thr_x/reply", body)).toMatchObject({
    status: 403,
    body: { code: "INSUFFICIENT_SCOPE" },
  });
  expect(await scoped(own).AuditEntry.find({ action: "inbox.reply" })).toMatchObject([{ outcome: "DENIED" }]);
});
