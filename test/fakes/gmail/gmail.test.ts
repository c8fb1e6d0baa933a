import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { z } from "zod";
import { MINUTE_MS } from "../../../domain/time/durations.ts";
import { answerLate, answerWith, loseAnswer } from "./faults.ts";
import { PROJECT } from "./notices.ts";
import { unitsOf } from "./quota.ts";
import {
  accessNotConfigured,
  badGateway,
  dailyLimitExceeded,
  domainPolicy,
  failedPrecondition,
  type GmailRefusal,
  internalError,
  notFound,
  quotaExceeded,
  resourceExhausted,
  retryAfter,
  unavailable,
  userRateLimitExceeded,
} from "./refusals.ts";
import { type FakeGmail, startGmail } from "./server.ts";

const [TOPIC, SUBSCRIPTION] = [`projects/${PROJECT}/topics/gmail`, `projects/${PROJECT}/subscriptions/reader`];
const HTML = "<p>Hello <b>Bob</b></p>";

let gmail: FakeGmail;
/** The time of the stand-in, which a test moves. */
let now: number;
let users = 0;
let ann: string;
const delivered: { raw: Buffer; from: string; recipients: string[] }[] = [];

beforeAll(async () => {
  gmail = await startGmail({
    knows: (token) => (token.includes("@") ? token : null),
    deliver: (raw, from, recipients) => void delivered.push({ raw, from, recipients }),
    now: () => now,
  });
  gmail.subscribe(TOPIC, SUBSCRIPTION);
});

beforeEach(() => {
  now = Date.parse("2026-11-29T12:00:00Z");
  ann = `ann${++users}@a.test`;
  delivered.length = 0;
  gmail.sent.length = 0;
});

afterAll(() => gmail.close());

interface Asking {
  method?: string;
  token?: string;
  body?: object | string | Buffer;
  type?: string;
}

const Message = z.object({
  id: z.string(),
  threadId: z.string(),
  labelIds: z.array(z.string()),
  historyId: z.string().optional(),
  raw: z.string().optional(),
  snippet: z.string().optional(),
});
const Draft = z.object({ id: z.string(), message: Message });
const Ids = z.object({
  messages: z.array(z.object({ id: z.string(), threadId: z.string() })).default([]),
  nextPageToken: z.string().optional(),
});
const Change = z.object({ message: z.object({ id: z.string() }), labelIds: z.array(z.string()).optional() });
const History = z.object({
  historyId: z.string(),
  nextPageToken: z.string().optional(),
  history: z
    .array(
      z.object({
        id: z.string(),
        messagesAdded: z.array(Change).optional(),
        messagesDeleted: z.array(Change).optional(),
        labelsAdded: z.array(Change).optional(),
        labelsRemoved: z.array(Change).optional(),
      }),
    )
    .optional(),
});
const Refused = z.object({
  error: z.object({
    code: z.number(),
    message: z.string(),
    status: z.string().optional(),
    errors: z.array(z.object({ reason: z.string(), domain: z.string() })),
  }),
});

function raw(fields: Record<string, string> = {}, body = "Hello\r\n"): Buffer {
  const all = { From: ann, To: "bob@b.test", Subject: "A talk", "Message-ID": "<1@ours.test>", ...fields };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function ask(path: string, { method, token = ann, body, type = "application/json" }: Asking = {}): Promise<Response> {
  const isBytes = Buffer.isBuffer(body) || typeof body === "string";
  return fetch(`${gmail.url}${path.startsWith("/") ? path : `/gmail/v1/users/me/${path}`}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { "Content-Type": type }) },
    ...(body !== undefined && { body: isBytes ? new Uint8Array(Buffer.from(body)) : JSON.stringify(body) }),
  });
}

/** Asks, and expects success. */
async function get<T>(shape: z.ZodType<T>, path: string, asking?: Asking): Promise<T> {
  const res = await ask(path, asking);
  const text = await res.text();
  expect([path, res.status, res.ok ? "" : text]).toEqual([path, 200, ""]);
  return shape.parse(JSON.parse(text));
}

async function refusedWith(path: string, asking?: Asking): Promise<string> {
  const res = await ask(path, asking);
  const { error } = Refused.parse(await res.json());
  expect(error.code).toBe(res.status);
  return `${res.status} ${error.errors[0]?.reason}: ${error.message}`;
}

const createDraft = (mail = raw(), threadId?: string) =>
  get(Draft, "drafts", { body: { message: { raw: mail.toString("base64url"), ...(threadId && { threadId }) } } });
const sendDraft = (id: string) => get(Message, "drafts/send", { body: { id } });
const historySince = (id: string, more = "") => get(History, `history?startHistoryId=${id}${more}`);
const profile = () => get(z.object({ emailAddress: z.string(), historyId: z.string() }), "profile");

test("sending a draft deletes the draft and creates a new message in the draft's thread", async () => {
  const draft = await createDraft();
  expect(draft.message.labelIds).toEqual(["DRAFT"]);
  const sent = await sendDraft(draft.id);
  expect(sent).toMatchObject({ threadId: draft.message.threadId, labelIds: ["SENT"] });
  expect(sent.id).not.toBe(draft.message.id);
  expect(await refusedWith(`drafts/${draft.id}`)).toBe("404 notFound: Requested entity was not found.");
  expect(await refusedWith("drafts/send", { body: { id: draft.id } })).toMatch(/^404 notFound/);
  expect(gmail.sent).toHaveLength(1);
});

test("a deleted draft is not found", async () => {
  const { id } = await createDraft();
  expect(await get(Draft, `drafts/${id}?format=minimal`)).toMatchObject({ id, message: { labelIds: ["DRAFT"] } });
  expect((await ask(`drafts/${id}`, { method: "DELETE" })).status).toBe(204);
  expect(await refusedWith(`drafts/${id}`)).toMatch(/^404/);
});

test("a sent email gets a Message-ID from Gmail and a Received header, loses Bcc, and goes to all recipients", async () => {
  const mail = raw({ Cc: "Carl <carl@c.test>", Bcc: "dora@d.test", "List-Unsubscribe": "<https://u.test>" });
  const { id } = await get(Message, "messages/send", { body: { raw: mail.toString("base64url") } });
  const [{ raw: wire, from, recipients } = { raw: mail, from: "", recipients: [""] }] = delivered;
  const parsed = await simpleParser(wire);
  expect(parsed.messageId).toMatch(/^<CA[\w-]+@mail\.gmail\.com>$/);
  expect({ from, recipients }).toEqual({ from: ann, recipients: ["bob@b.test", "carl@c.test", "dora@d.test"] });
  expect(parsed.bcc).toBeUndefined();
  expect(parsed.headers.has("list")).toBe(true);
  expect(String(parsed.headers.get("received"))).toContain("by gmailapi.google.com with HTTPREST");
  expect(gmail.sent[0]).toMatchObject({ messageId: parsed.messageId, session: id, user: ann, answered: "250" });
  const headers = z.object({
    payload: z.object({ headers: z.array(z.object({ name: z.string(), value: z.string() })) }),
  });
  const kept = await get(headers, `messages/${id}?format=metadata&metadataHeaders=Message-ID&metadataHeaders=Bcc`);
  expect(kept.payload.headers).toEqual([
    { name: "Message-ID", value: parsed.messageId },
    { name: "Bcc", value: "dora@d.test" },
  ]);
});

test("a sent email can be received by other mailboxes and by the sender under one Message-ID, and a reply joins its thread", async () => {
  const sent = await sendDraft((await createDraft(raw({ To: `${ann}, bob${users}@b.test` }))).id);
  for (const { raw: wire, recipients } of delivered) for (const to of recipients) gmail.mailbox(to).receive(wire);
  const bob = gmail.mailbox(`bob${users}@b.test`);
  const messageId = gmail.sent[0]?.messageId ?? "";
  expect([...bob.messages.values()]).toMatchObject([{ messageId, labelIds: ["UNREAD", "INBOX"] }]);
  const { messages } = await get(Ids, `messages?q=${encodeURIComponent(`rfc822msgid:${messageId}`)}`);
  expect(messages).toHaveLength(2);
  const answer = raw({ From: bob.address, Subject: "Re: A talk", "In-Reply-To": messageId, References: messageId });
  expect(gmail.mailbox(ann).receive(answer).threadId).toBe(sent.threadId);
});

test("the plain text of a sent email is generated from the HTML, while the sent copy keeps the original text", async () => {
  const type = { "MIME-Version": "1.0", "Content-Type": 'multipart/alternative; boundary="b"' };
  const both = `--b\r\nContent-Type: text/plain\r\n\r\nOurs\r\n--b\r\nContent-Type: text/html\r\n\r\n${HTML}\r\n--b--\r\n`;
  const sent = await sendDraft((await createDraft(raw(type, both))).id);
  expect(await simpleParser(delivered[0]?.raw ?? "")).toMatchObject({ text: "Hello Bob", html: HTML });
  const kept = await get(Message, `messages/${sent.id}?format=raw`);
  expect((await simpleParser(Buffer.from(kept.raw ?? "", "base64url"))).text).toBe("Ours");

  const inner = `Content-Type: multipart/alternative; boundary="ba"\r\n\r\n${both.replaceAll("--b", "--ba")}`;
  const file = "Content-Type: text/csv\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\na,b";
  const mixed = { ...type, "Content-Type": 'multipart/mixed; boundary="b"' };
  await sendDraft((await createDraft(raw(mixed, `--b\r\n${inner}\r\n--b\r\n${file}\r\n--b--\r\n`))).id);
  const left = await simpleParser(delivered[1]?.raw ?? "");
  expect([left.text, left.html, left.attachments.map(({ content }) => String(content))]).toEqual([
    "Hello Bob",
    HTML,
    ["a,b"],
  ]);

  await sendDraft((await createDraft(raw({ "Content-Type": "text/html" }, HTML))).id);
  expect(await simpleParser(delivered[2]?.raw ?? "")).toMatchObject({ text: "Hello Bob", html: HTML });

  gmail.settings.rewritesText = false;
  await sendDraft((await createDraft(raw(type, both))).id);
  gmail.settings.rewritesText = true;
  expect((await simpleParser(delivered[3]?.raw ?? "")).text).toBe("Ours");
});

test("a From that is not an accepted alias is replaced by the default address", async () => {
  const primary = { sendAsEmail: ann, displayName: "Ann", isPrimary: true, isDefault: true };
  const pending = { sendAsEmail: "new@a.test", verificationStatus: "pending" } as const;
  gmail.mailbox(ann).sendAs = [primary, pending, { sendAsEmail: "sales@a.test", verificationStatus: "accepted" }];
  expect(await get(z.unknown(), "settings/sendAs")).toEqual({ sendAs: gmail.mailbox(ann).sendAs });
  for (const from of ["Sales <sales@a.test>", "new@a.test", "eve@e.test"])
    await createDraft(raw({ From: from })).then(({ id }) => sendDraft(id));
  const froms = await Promise.all(delivered.map(async (mail) => (await simpleParser(mail.raw)).from?.text));
  expect(froms).toEqual(['"Sales" <sales@a.test>', `"Ann" <${ann}>`, `"Ann" <${ann}>`]);
  expect(delivered.map(({ from }) => from)).toEqual(["sales@a.test", ann, ann]);
});

test("an email joins a thread only with the thread id, References and a matching subject", async () => {
  const first = gmail.mailbox(ann).receive(raw({ From: "bob@b.test", "Message-ID": "<b1@b.test>" }));
  const answer = { Subject: "Re: A talk", "In-Reply-To": "<b1@b.test>", References: "<b1@b.test>" };
  const threads = [
    await createDraft(raw(answer), first.threadId),
    await createDraft(raw(answer)),
    await createDraft(raw({ Subject: "Re: A talk" }), first.threadId),
    await createDraft(raw({ ...answer, Subject: "Other" }), first.threadId),
  ];
  expect(threads.map(({ message }) => message.threadId === first.threadId)).toEqual([true, false, false, false]);
  const sent = await sendDraft(threads[0]?.id ?? "");
  const thread = await get(z.object({ messages: z.array(Message) }), `threads/${first.threadId}?format=minimal`);
  expect(thread.messages.map(({ id }) => id)).toEqual([first.id, sent.id]);
  expect(
    await refusedWith("drafts", { body: { message: { raw: raw(answer).toString("base64url"), threadId: "0" } } }),
  ).toMatch(/^404/);
});

test("uploads accept emails up to 35 MiB, and only a multipart upload can name a thread", async () => {
  const first = gmail.mailbox(ann).receive(raw({ From: "bob@b.test", "Message-ID": "<b1@b.test>" }));
  const mail = raw({ Subject: "Re: A talk", "In-Reply-To": "<b1@b.test>", References: "<b1@b.test>" });
  const simple = await get(Draft, "/upload/gmail/v1/users/me/drafts?uploadType=media", {
    body: mail,
    type: "message/rfc822",
  });
  expect(simple.message.threadId).not.toBe(first.threadId);
  const json = JSON.stringify({ message: { threadId: first.threadId } });
  const body = `--x\r\ncontent-type: application/json\r\n\r\n${json}\r\n--x\r\ncontent-type: message/rfc822\r\n\r\n${mail}\r\n--x--`;
  const upload = { body, type: "multipart/related; boundary=x" };
  const both = await get(Draft, "/upload/gmail/v1/users/me/drafts?uploadType=multipart", upload);
  expect(both.message.threadId).toBe(first.threadId);
  const kept = await get(Draft, `drafts/${both.id}?format=raw`);
  expect(kept.message.raw).toBe(mail.toString("base64url"));
  const large = { body: Buffer.alloc(36_700_161, "a"), type: "message/rfc822" };
  expect(await refusedWith("/upload/gmail/v1/users/me/drafts?uploadType=media", large)).toMatch(/^413 uploadTooLarge/);
});

test("invalid requests are refused with 400 invalidArgument", async () => {
  const encoded = (mail: Buffer) => mail.toString("base64url");
  expect(await refusedWith("messages/send", { body: {} })).toMatch(/^400 invalidArgument: 'raw' RFC822 payload/);
  expect(await refusedWith("messages/send", { body: { raw: "%" } })).toMatch(/^400 invalidArgument: Invalid value/);
  const nobody = { body: { raw: encoded(raw({ To: "" })) } };
  expect(await refusedWith("messages/send", nobody)).toBe("400 invalidArgument: Recipient address required");
  expect(await refusedWith("messages/send", { body: "{" })).toMatch(/^400 invalidArgument: Invalid JSON/);
  expect(await refusedWith("history")).toMatch(/^400 invalidArgument: Missing\/invalid parameter: startHistoryId/);
});

test("messages.get returns the full and minimal formats, and attachments are returned by their id", async () => {
  const type = { "Content-Type": 'multipart/mixed; boundary="b"' };
  const file =
    "Content-Type: text/csv\r\nContent-Disposition: attachment; filename=a.csv\r\nContent-Transfer-Encoding: base64\r\n\r\nYSxi";
  const parts = `--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe & more\r\n--b\r\n${file}\r\n--b--\r\n`;
  const { id } = gmail.mailbox(ann).receive(raw(type, parts));
  expect(await get(z.unknown(), `messages/${id}`)).toMatchObject({
    id,
    labelIds: ["UNREAD", "INBOX"],
    snippet: "Grüße &amp; more",
    internalDate: String(now),
    payload: {
      mimeType: "multipart/mixed",
      parts: [
        { partId: "0", mimeType: "text/plain", body: { data: Buffer.from("Grüße & more").toString("base64url") } },
        { partId: "1", filename: "a.csv", body: { size: 3, attachmentId: "ANGjdJ_1" } },
      ],
    },
  });
  const attachment = await get(z.unknown(), `messages/${id}/attachments/ANGjdJ_1`);
  expect(attachment).toEqual({ size: 3, data: Buffer.from("a,b").toString("base64url") });
  expect(Object.keys(await get(z.looseObject({}), `messages/${id}?format=minimal`))).not.toContain("payload");
});

test("messages.list pages newest first, combines labels with AND, and hides spam and trash unless requested", async () => {
  const own = gmail.mailbox(ann);
  const ids = ["1", "2", "3"].map((each) => own.receive(raw({ "Message-ID": `<${each}@b.test>` })).id);
  own.receive(raw(), { labelIds: ["SPAM"] });
  const old = own.receive(raw({ "Message-ID": "<0@b.test>" }), { at: now - MINUTE_MS }).id;
  const one = await get(Ids, "messages?maxResults=2");
  expect(one.messages.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  const two = await get(Ids, `messages?maxResults=2&pageToken=${one.nextPageToken}`);
  expect([two.messages.map(({ id }) => id), two.nextPageToken]).toEqual([[ids[0], old], undefined]);
  expect((await ask(`messages/${ids[0]}/modify`, { body: { removeLabelIds: ["UNREAD"] } })).status).toBe(200);
  expect((await get(Ids, "messages?labelIds=INBOX&labelIds=UNREAD")).messages).toHaveLength(3);
  await get(Message, `messages/${ids[1]}/trash`, { method: "POST" });
  expect((await get(Ids, "messages")).messages).toHaveLength(3);
  expect((await get(Ids, "messages?includeSpamTrash=true")).messages).toHaveLength(5);
  expect((await get(Ids, "messages?q=in:trash")).messages).toHaveLength(1);
});

test("a search finds messages by Message-ID, folder and time, and only once they are indexed", async () => {
  const own = gmail.mailbox(ann);
  const mail = raw({ To: ann, "Message-ID": "<twice@a.test>" });
  own.add(mail, { labelIds: ["SENT"] });
  now += 5_000;
  own.receive(mail);
  const find = async (q: string) => (await get(Ids, `messages?q=${encodeURIComponent(q)}`)).messages.length;
  expect(await find("rfc822msgid:twice@a.test")).toBe(2);
  expect(await find(`rfc822msgid:<twice@a.test> after:${now / 1_000}`)).toBe(1);
  expect(await find("in:sent")).toBe(1);
  gmail.settings.indexMs = 1_000;
  expect(await find("rfc822msgid:twice@a.test")).toBe(1);
  gmail.settings.indexMs = 0;
});

test("a label name is unique, a label can be set on many messages, and SENT cannot be set", async () => {
  const own = gmail.mailbox(ann);
  const ids = [own.receive(raw()).id, own.receive(raw()).id];
  const { id } = await get(z.object({ id: z.string() }), "labels", { body: { name: "Outreach" } });
  expect(await refusedWith("labels", { body: { name: "Outreach" } })).toMatch(/^409 aborted/);
  const { labels } = await get(z.object({ labels: z.array(z.object({ id: z.string(), type: z.string() })) }), "labels");
  expect(labels).toContainEqual({ id: "INBOX", type: "system" });
  expect(labels.at(-1)).toEqual({ id, type: "user" });
  expect((await ask("messages/batchModify", { body: { ids, addLabelIds: [id] } })).status).toBe(204);
  expect((await get(Ids, `messages?labelIds=${id}`)).messages).toHaveLength(2);
  expect(await refusedWith(`messages/${ids[0]}/modify`, { body: { addLabelIds: ["SENT"] } })).toBe(
    "400 invalidArgument: Invalid label: SENT",
  );
});

test("history lists each change in order, with ascending ids that are strings", async () => {
  const { historyId } = await profile();
  const own = gmail.mailbox(ann);
  const { id } = own.receive(raw());
  await get(Message, `messages/${id}/modify`, { body: { addLabelIds: ["STARRED"], removeLabelIds: ["INBOX"] } });
  const sent = await sendDraft((await createDraft()).id);
  const all = await historySince(historyId);
  const kinds = (all.history ?? []).map(({ id: _, ...change }) => Object.keys(change)[0]);
  expect(kinds).toEqual([
    "messagesAdded",
    "labelsAdded",
    "labelsRemoved",
    "messagesAdded",
    "messagesAdded",
    "messagesDeleted",
  ]);
  const ids = [historyId, ...(all.history ?? []).map((each) => each.id)].map(BigInt);
  expect(ids.every((each, index) => index === 0 || each > (ids[index - 1] ?? 0n))).toBe(true);
  expect(all.historyId).toBe(String(ids.at(-1)));
  const added = await historySince(historyId, "&historyTypes=messageAdded&labelId=SENT");
  expect(added.history?.map((each) => each.messagesAdded?.[0]?.message.id)).toEqual([sent.id]);
  expect(await historySince(all.historyId)).toEqual({ historyId: all.historyId });
});

test("a history page token counts from the startHistoryId of each request, and the first page may be empty", async () => {
  const { historyId } = await profile();
  const own = gmail.mailbox(ann);
  for (const each of ["1", "2", "3"]) own.receive(raw({ "Message-ID": `<${each}@b.test>` }));
  const one = await historySince(historyId, "&maxResults=2");
  const last = one.history?.at(-1)?.id ?? "";
  expect((await historySince(historyId, `&maxResults=2&pageToken=${one.nextPageToken}`)).history).toHaveLength(1);
  expect((await historySince(last, `&maxResults=2&pageToken=${one.nextPageToken}`)).history).toBeUndefined();
  gmail.settings.hollowPages = 1;
  const hollow = await historySince(historyId);
  expect([hollow.history, hollow.nextPageToken]).toEqual([undefined, "0"]);
  expect((await historySince(historyId, "&pageToken=0")).history).toHaveLength(3);
});

test("history that Gmail has deleted is refused with 404", async () => {
  const { historyId } = await profile();
  gmail.mailbox(ann).forgetHistory();
  expect(await refusedWith(`history?startHistoryId=${historyId}`)).toBe(
    "404 notFound: Requested entity was not found.",
  );
  expect((await profile()).historyId).not.toBe(historyId);
});

test("a message that history or messages.list names may still be answered with 404", async () => {
  const { historyId } = await profile();
  const own = gmail.mailbox(ann);
  const { id } = own.receive(raw(), { isHidden: true });
  expect((await historySince(historyId)).history?.[0]?.messagesAdded?.[0]?.message.id).toBe(id);
  expect(await refusedWith(`messages/${id}`)).toMatch(/^404 notFound/);
  own.show(id);
  expect((await get(Message, `messages/${id}`)).id).toBe(id);
  gmail.fault("messages.get", answerWith(notFound), { id });
  expect((await get(Ids, "messages")).messages[0]?.id).toBe(id);
  expect(await refusedWith(`messages/${id}`)).toMatch(/^404 notFound/);
  expect((await get(Message, `messages/${id}`)).id).toBe(id);
});

test("a lost response to drafts.send can leave the email unsent or sent", async () => {
  const { id } = await createDraft();
  gmail.fault("drafts.send", loseAnswer("without effect"), { address: ann });
  await expect(sendDraft(id)).rejects.toThrow("fetch failed");
  expect([gmail.sent.length, (await get(Draft, `drafts/${id}`)).id]).toEqual([0, id]);
  gmail.fault("drafts.send", loseAnswer("after the effect"));
  await expect(sendDraft(id)).rejects.toThrow("fetch failed");
  expect(gmail.sent.map(({ answered }) => answered)).toEqual(["dropped"]);
  expect(await refusedWith(`drafts/${id}`)).toMatch(/^404/);
});

test("drafts.send can answer with an error although the email was sent", async () => {
  const { id } = await createDraft();
  for (const refusal of [unavailable, internalError, badGateway])
    gmail.fault("drafts.send", answerWith(refusal, "after the effect"));
  expect(await refusedWith("drafts/send", { body: { id } })).toBe(
    "503 backendError: The service is currently unavailable.",
  );
  expect(gmail.sent).toHaveLength(1);
  expect(await refusedWith("drafts/send", { body: { id } })).toBe("500 backendError: Internal error encountered.");
  const page = await ask("drafts/send", { body: { id } });
  expect([page.status, page.headers.get("content-type")]).toEqual([502, "text/html; charset=UTF-8"]);
  expect(gmail.sent).toHaveLength(1);
});

test("each simulated refusal has the status and reason that Google uses", async () => {
  const refusals: [() => GmailRefusal, string][] = [
    [() => quotaExceeded(6_000), "403 rateLimitExceeded: Quota exceeded for quota metric 'Queries'"],
    [() => quotaExceeded(6_000, 429), "429 rateLimitExceeded: Quota exceeded for quota metric 'Queries'"],
    [resourceExhausted, "429 rateLimitExceeded: Resource has been exhausted (e.g. check quota)."],
    [() => userRateLimitExceeded(), "403 userRateLimitExceeded: User Rate Limit Exceeded"],
    [() => userRateLimitExceeded(429), "429 userRateLimitExceeded: User Rate Limit Exceeded"],
    [
      () => retryAfter(new Date("2026-11-29T12:15:00.123Z"), "Mail sending"),
      "429 rateLimitExceeded: User-rate limit exceeded.  Retry after 2026-11-29T12:15:00.123Z (Mail sending)",
    ],
    [dailyLimitExceeded, "403 dailyLimitExceeded: Daily Limit Exceeded"],
    [domainPolicy, "403 domainPolicy: The domain administrators have disabled Gmail apps."],
    [accessNotConfigured, "403 accessNotConfigured: Gmail API has not been used in project"],
    [() => failedPrecondition(), "400 failedPrecondition: Mail service not enabled"],
  ];
  for (const [refusal, text] of refusals) {
    gmail.fault("getProfile", answerWith(refusal));
    expect(await refusedWith("profile")).toContain(text);
  }
  expect((await profile()).emailAddress).toBe(ann);
});

test("a wrong token gets 401, and another user's mailbox or a missing scope gets 403", async () => {
  expect(await refusedWith("profile", { token: "none" })).toMatch(/^401 authError/);
  expect(await refusedWith("/gmail/v1/users/eve@a.test/profile")).toBe(
    "403 forbidden: Delegation denied for eve@a.test",
  );
  expect(await refusedWith("nothing")).toMatch(/^404/);
  gmail.mailbox(ann).scopes = ["https://www.googleapis.com/auth/gmail.send"];
  const refused = await ask("drafts", { body: { message: { raw: raw().toString("base64url") } } });
  expect(await refused.json()).toMatchObject({
    error: {
      code: 403,
      status: "PERMISSION_DENIED",
      errors: [{ domain: "global", reason: "insufficientPermissions" }],
      details: [{ reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT" }],
    },
  });
  await get(Message, "messages/send", { body: { raw: raw().toString("base64url") } });
});

test("a slow response arrives late until the fault is removed", async () => {
  const lift = gmail.fault("*", answerLate(150), { times: Number.POSITIVE_INFINITY, address: ann });
  const started = performance.now();
  await profile();
  expect(performance.now() - started).toBeGreaterThan(140);
  lift();
  gmail.fault("getProfile", answerWith(unavailable));
  expect(await refusedWith("profile")).toMatch(/^503/);
});

test("quota units per user and minute run out, sooner with the quota of new projects", async () => {
  const { id } = gmail.mailbox(ann).receive(raw());
  expect([unitsOf("messages.get", "BEFORE_MAY_2026"), unitsOf("messages.get", "SINCE_MAY_2026")]).toEqual([5, 20]);
  gmail.settings.quota = "SINCE_MAY_2026";
  const sends = Array.from({ length: 59 }, () =>
    get(Message, "messages/send", { body: { raw: raw().toString("base64url") } }),
  );
  await Promise.all(sends);
  for (let each = 0; each < 5; each++) await get(Message, `messages/${id}`);
  expect(await refusedWith(`messages/${id}`)).toMatch(/^403 rateLimitExceeded: Quota exceeded/);
  const other = `bob${users}@a.test`;
  expect((await ask("profile", { token: other })).status).toBe(200);
  now += MINUTE_MS;
  await get(Message, `messages/${id}`);
  gmail.settings.quota = null;
});

const Pulled = z.object({
  receivedMessages: z
    .array(z.object({ ackId: z.string(), message: z.object({ data: z.string(), messageId: z.string() }) }))
    .default([]),
});
const pull = (returnImmediately = true) =>
  get(Pulled, `/v1/${SUBSCRIPTION}:pull`, { body: { maxMessages: 10, returnImmediately } });
const acknowledge = (ackIds: string[]) => get(z.unknown(), `/v1/${SUBSCRIPTION}:acknowledge`, { body: { ackIds } });
const events = async () => {
  const { receivedMessages } = await pull();
  await acknowledge(receivedMessages.map(({ ackId }) => ackId));
  return receivedMessages.map(({ message }) => JSON.parse(Buffer.from(message.data, "base64").toString()));
};

test("a watched mailbox publishes at most one event a second, for seven days or until the watch is stopped", async () => {
  const own = gmail.mailbox(ann);
  expect(await refusedWith("watch", { body: { topicName: "projects/other/topics/gmail" } })).toMatch(
    /^400 invalidArgument/,
  );
  const watch = z.object({ historyId: z.string(), expiration: z.string() });
  const { expiration } = await get(watch, "watch", { body: { topicName: TOPIC } });
  expect(Number(expiration)).toBe(now + 7 * 24 * 60 * MINUTE_MS);
  own.receive(raw());
  const first = Number(own.historyId);
  own.receive(raw());
  expect(await events()).toEqual([{ emailAddress: ann, historyId: first }]);
  now += 1_000;
  own.receive(raw());
  expect(await events()).toEqual([{ emailAddress: ann, historyId: Number(own.historyId) }]);
  now = Number(expiration);
  own.receive(raw());
  expect(await events()).toEqual([]);
  await get(watch, "watch", { body: { topicName: TOPIC, labelIds: ["INBOX"] } });
  own.receive(raw(), { labelIds: ["SENT"] });
  expect((await ask("stop", { method: "POST" })).status).toBe(204);
  own.receive(raw());
  expect(await events()).toEqual([]);
});

test("an event is delivered again until acknowledged, and a pull can wait for an event", async () => {
  const own = gmail.mailbox(ann);
  await ask("watch", { body: { topicName: TOPIC } });
  const waiting = pull(false);
  while (gmail.asked.at(-1)?.method !== "subscriptions.pull") await new Promise((resolve) => setTimeout(resolve, 5));
  own.receive(raw());
  const [event] = (await waiting).receivedMessages;
  expect((await pull()).receivedMessages).toEqual([]);
  now += gmail.settings.notices.ackDeadlineMs;
  expect((await pull()).receivedMessages.map(({ ackId }) => ackId)).toEqual([event?.ackId]);
  await acknowledge([event?.ackId ?? ""]);
  now += gmail.settings.notices.ackDeadlineMs;
  expect((await pull()).receivedMessages).toEqual([]);
  expect((await ask("/v1/projects/p/subscriptions/none:pull", { body: { maxMessages: 1 } })).status).toBe(404);
});

test("events can be lost, arrive late, or arrive before their message can be read", async () => {
  const own = gmail.mailbox(ann);
  await ask("watch", { body: { topicName: TOPIC } });
  gmail.settings.notices.lost = 1;
  own.receive(raw());
  expect(await events()).toEqual([]);
  now += 1_000;
  const { id } = own.receive(raw(), { isHidden: true });
  expect(await events()).toHaveLength(1);
  expect(await refusedWith(`messages/${id}`)).toMatch(/^404/);
  now += 1_000;
  gmail.settings.notices.delayMs = 50;
  own.receive(raw());
  expect(await events()).toEqual([]);
  expect((await pull(false)).receivedMessages).toHaveLength(1);
  gmail.settings.notices.delayMs = 0;
});
