import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
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

const subjects = async (query = "") => {
  const { status, body } = await inbox.rest.get(`/inbox/threads${query}`);
  expect([status, body.total >= body.items.length]).toEqual([200, true]);
  return body.items.map(({ subject }: { subject: string }) => subject);
};

const hour = (n: number) => new Date(Date.UTC(2026, 0, 1, n));

/** A thread whose first message came at this hour of the day. */
async function opened(subject: string, n: number, mail: object = {}): Promise<string> {
  const message = await inbox.arrive(
    { from: `${subject.toLowerCase()}@people.test`, subject, ...mail },
    { receivedAt: hour(n) },
  );
  return String((await scoped(inbox.workspaceId).Message.get(message._id))?.threadId);
}

test("an empty inbox has an empty page and a summary of zeros", async () => {
  expect(await inbox.rest.get("/inbox/threads")).toMatchObject({
    status: 200,
    body: { items: [], total: 0, page: 1, pageSize: 50 },
  });
  const { body } = await inbox.rest.get("/inbox/summary");
  expect(body).toEqual({ unread: 0, total: 0, starred: 0, archived: 0, categories: [], unreadCount: 0 });
});

test("threads are listed by their last message, newest first, page by page, with the fields that the API promises", async () => {
  const person = await inbox.contacted("bob@b.test");
  for (const [n, subject] of ["One", "Two", "Three"].entries()) await opened(subject, n);
  await inbox.arrive(answerOf(person, "Tell me more."));
  expect(await subjects()).toEqual([HELLO, "Three", "Two", "One"]);
  const { body } = await inbox.rest.get("/inbox/threads?pageSize=2&page=2");
  expect([body.items.map(({ subject }: { subject: string }) => subject), body.total]).toEqual([["Two", "One"], 4]);
  const [thread] = (await inbox.rest.get("/inbox/threads?pageSize=1")).body.items;
  expect(thread).toMatchObject({
    mailboxId: inbox.mailbox._id,
    campaignId: person.recipient.campaignId,
    recipientId: person.recipient._id,
    leadId: person.recipient.leadId,
    participants: [{ name: "", address: "bob@b.test" }],
    snippet: "Tell me more.",
    messageCount: 2,
    category: null,
    sentiment: null,
    isRead: false,
    isStarred: false,
    isArchived: false,
    lastDirection: "INBOUND",
  });
  expect(await inbox.rest.get("/inbox/threads?page=9")).toMatchObject({ status: 200, body: { items: [], total: 4 } });
});

test("each filter narrows the list, and several filters must all match", async () => {
  const ids = {
    Alpha: await opened("Alpha", 1),
    Beta: await opened("Beta", 2),
    Gamma: await opened("Gamma", 3),
    Delta: await opened("Delta", 4),
  };
  const person = await inbox.contacted("bob@b.test");
  await inbox.arrive(answerOf(person, "Yes"), { receivedAt: hour(5) });
  const other = await newMailbox(inbox.workspaceId, `zoe-${newId("mbx").toLowerCase()}@a.test`);
  const { Thread } = scoped(inbox.workspaceId);
  await Thread.updateOne(
    { _id: ids.Alpha },
    { $set: { isStarred: true, category: "INTERESTED", hasAttachments: true } },
  );
  await Thread.updateOne({ _id: ids.Beta }, { $set: { isArchived: true, category: "INTERESTED" } });
  await Thread.updateOne(
    { _id: ids.Gamma },
    { $set: { isRead: true, unreadCount: 0, category: "Follow, later", mailboxId: other._id } },
  );
  await Thread.updateOne({ _id: ids.Delta }, { $set: { category: "NOT_NOW" } });
  for (const [query, expected] of [
    ["archived=true", ["Beta"]],
    ["archived=false", [HELLO, "Delta", "Gamma", "Alpha"]],
    ["unreadOnly=true", [HELLO, "Delta", "Alpha"]],
    ["unreadOnly=false", [HELLO, "Delta", "Gamma", "Alpha"]],
    ["starredOnly=true", ["Alpha"]],
    ["hasAttachments=true", ["Alpha"]],
    ["hasAttachments=false", [HELLO, "Delta", "Gamma"]],
    [`campaignId=${person.recipient.campaignId}`, [HELLO]],
    [`mailboxIds=${other._id}`, ["Gamma"]],
    [`mailboxIds=${other._id},${inbox.mailbox._id},mbx_unknown`, [HELLO, "Delta", "Gamma", "Alpha"]],
    ["category=INTERESTED", ["Alpha"]],
    ["categories=INTERESTED,NOT_NOW", ["Delta", "Alpha"]],
    ["category=NOT_NOW&categories=INTERESTED", ["Delta", "Alpha"]],
    ["category=Follow,%20later", ["Gamma"]],
    ["search=del", ["Delta"]],
    ["search=people.test", ["Delta", "Gamma", "Alpha"]],
    ["search=GAMMA%20people", ["Gamma"]],
    ["search=lta", []],
    ["lastMessageAfter=2026-01-01T03:00:00Z&lastMessageBefore=2026-01-01T06:00:00%2B01:00", ["Delta", "Gamma"]],
    ["lastMessageAfter=2040-01-02", []],
    ["unreadOnly=true&category=INTERESTED&search=alp&starredOnly=true", ["Alpha"]],
  ] as const) {
    expect([query, await subjects(`?${query}`)]).toEqual([query, expected]);
  }
});

test("threads are found by the written text of any email, not by quoted text, and the search words are not returned", async () => {
  const person = await inbox.contacted("bob@b.test");
  const quoting = {
    text: "Das Angebot für Köln, bitte.\n> Do you sell gadgets?",
    replyText: "Das Angebot für Köln, bitte.",
  };
  await inbox.arrive({ ...answerOf(person, ""), ...quoting });
  await opened("Other", 1, { text: "Nothing of the kind", html: null });
  await inbox.arrive({ ...answerOf(person, "And a discount?") });
  for (const [search, expected] of [
    ["angebot", [HELLO]],
    ["ANGEBOT koln", [HELLO]],
    ["köln discount bob", [HELLO]], // words of two emails and a participant
    ["widgets", [HELLO]], // our own mail, which came into the thread with the reply
    ["gadgets", []],
    ["kind", ["Other"]],
    ["angebot kind", []],
  ] as const) {
    expect([search, await subjects(`?search=${encodeURIComponent(search)}`)]).toEqual([search, expected]);
  }
  const { body } = await inbox.rest.get("/inbox/threads?search=angebot");
  expect(body.items[0]).not.toHaveProperty("searchWords");
});

test("search results are listed newest first, page by page, and archived threads separately", async () => {
  const [alpha, beta] = [await opened("Alpha", 1, { text: "zebra" }), await opened("Beta", 2, { text: "zebra" })];
  expect(await subjects("?search=zebra")).toEqual(["Beta", "Alpha"]);
  await inbox.arrive(
    { from: "alpha@people.test", text: "okapi", references: await messageIds(alpha) },
    { receivedAt: hour(3) },
  );
  expect(await subjects("?search=zebra")).toEqual(["Alpha", "Beta"]);
  expect(await subjects("?search=zebra&pageSize=1&page=2")).toEqual(["Beta"]);
  await inbox.rest.post("/inbox/threads/manage", { action: "archive", threadIds: [beta] });
  expect([await subjects("?search=zebra"), await subjects("?search=zebra&archived=true")]).toEqual([
    ["Alpha"],
    ["Beta"],
  ]);
});

test("a filter with an impossible value is refused", async () => {
  for (const query of [
    ...[
      "archived=maybe",
      "unreadOnly=1",
      "category=",
      `category=${"x".repeat(51)}`,
      "categories=a,,b",
      "search=",
      `search=${"x".repeat(101)}`,
    ],
    ...["lastMessageAfter=yesterday", "lastMessageBefore=2026-13-01", "page=0", "pageSize=201", "mailboxIds="],
  ]) {
    expect([query, (await inbox.rest.get(`/inbox/threads?${query}`)).status]).toEqual([query, 400]);
  }
  expect(await inbox.rest.get("/inbox/threads?campaignId=cmp_x")).toMatchObject({
    status: 404,
    body: { code: "CAMPAIGN_NOT_FOUND" },
  });
  expect(await inbox.rest.get("/inbox/threads?page=2000&pageSize=200")).toMatchObject({
    status: 400,
    body: { code: "PAGE_TOO_DEEP" },
  });
});

test("the summary counts archived threads separately", async () => {
  const ids = [await opened("Alpha", 1), await opened("Beta", 2), await opened("Gamma", 3)];
  await inbox.arrive({ from: "alpha@people.test", subject: "Re: Alpha", references: await messageIds(String(ids[0])) });
  const { Thread } = scoped(inbox.workspaceId);
  await Thread.updateOne({ _id: ids[0] }, { $set: { category: "INTERESTED", isStarred: true } });
  await Thread.updateOne({ _id: ids[1] }, { $set: { category: "INTERESTED", isArchived: true, isStarred: true } });
  expect((await inbox.rest.get("/inbox/summary")).body).toEqual({
    unread: 2,
    total: 2,
    starred: 1,
    archived: 1,
    unreadCount: 3,
    categories: [{ category: "INTERESTED", count: 1 }],
  });
});

async function messageIds(threadId: string): Promise<string[]> {
  const messages = await scoped(inbox.workspaceId).Message.find({ threadId });
  return messages.flatMap(({ rfcMessageId }) => rfcMessageId ?? []);
}

test("each action on threads sets its flag, skips unknown ids, and changes nothing when repeated", async () => {
  const [one, two] = [await opened("Alpha", 1), await opened("Beta", 2)];
  const manage = (action: string, threadIds = [one, two]) =>
    inbox.rest.post("/inbox/threads/manage", { action, threadIds });
  for (const [action, field, value] of [
    ["markRead", "isRead", true],
    ["markUnread", "isRead", false],
    ["star", "isStarred", true],
    ["unstar", "isStarred", false],
    ["archive", "isArchived", true],
    ["unarchive", "isArchived", false],
  ] as const) {
    const { status, body } = await manage(action);
    expect([action, status, body.changed, body.items.map((item: Record<string, unknown>) => item[field])]).toEqual([
      action,
      200,
      2,
      [value, value],
    ]);
    expect((await manage(action)).body).toMatchObject({ changed: 0, notFound: [] });
  }
  expect((await inbox.rest.get("/inbox/summary")).body).toMatchObject({ unread: 2, unreadCount: 2, total: 2 });
  expect((await manage("star", [one, "thr_unknown"])).body).toMatchObject({
    changed: 1,
    items: [{ id: one }],
    notFound: ["thr_unknown"],
  });
  expect((await manage("delete")).status).toBe(400);
  expect((await manage("star", [])).status).toBe(400);
  expect(
    (
      await manage(
        "star",
        Array.from({ length: 201 }, (_, n) => `thr_${n}`),
      )
    ).status,
  ).toBe(400);
});

test("only a reply that may be automatic is marked as doubtful", async () => {
  const person = await inbox.contacted("bob@b.test");
  const holiday = "I am interested, but on holiday next week. Could we speak on 2 December?";
  await inbox.arrive(answerOf(person, "Tell me more."), { receivedAt: new Date(Date.now() + 1_000) });
  const exchange = { headers: new Map([["x-auto-response-suppress", ["All"]]]) };
  await inbox.arrive({ ...answerOf(person, holiday), ...exchange }, { receivedAt: new Date(Date.now() + 2_000) });
  const note = { headers: new Map([["auto-submitted", ["auto-replied"]]]) };
  await inbox.arrive(
    { ...answerOf(person, "I am on holiday."), ...note },
    { receivedAt: new Date(Date.now() + 3_000) },
  );
  const [{ id }] = (await inbox.rest.get("/inbox/threads")).body.items;
  const { body } = await inbox.rest.get(`/inbox/threads/${id}`);
  expect(
    body.messages.map(({ kind, isAutoReply, isDoubtful }: Record<string, unknown>) => [kind, isAutoReply, isDoubtful]),
  ).toEqual([
    ["AUTO_REPLY", true, false],
    ["REPLY", false, true],
    ["REPLY", false, false],
    ["CAMPAIGN", false, false],
  ]);
});

test("a thread is read with its messages, newest first, and the next page continues after the last message of a page", async () => {
  const person = await inbox.contacted("bob@b.test");
  for (const n of [1, 2, 3, 4])
    await inbox.arrive(answerOf(person, `Answer ${n}`), { receivedAt: new Date(Date.now() + n * 1_000) });
  const [{ id }] = (await inbox.rest.get("/inbox/threads")).body.items;
  const { body } = await inbox.rest.get(`/inbox/threads/${id}?messageLimit=3`);
  expect([body.id, body.hasEarlier, body.messageCount]).toEqual([id, true, 5]);
  expect(body.messages.map(({ replyText }: { replyText: string }) => replyText)).toEqual([
    "Answer 4",
    "Answer 3",
    "Answer 2",
  ]);
  expect(body.messages[0]).toMatchObject({
    threadId: id,
    direction: "INBOUND",
    kind: "REPLY",
    isAutoReply: false,
    from: { address: "bob@b.test" },
    category: null,
    to: [{ address: inbox.mailbox.email }],
    cc: [],
    subject: `Re: ${HELLO}`,
    attachments: [],
    bodyHtml: null,
  });
  const rest = (await inbox.rest.get(`/inbox/threads/${id}?messageLimit=3&beforeMessageId=${body.messages[2].id}`))
    .body;
  expect(rest.messages.map(({ kind, bodyText }: Record<string, string>) => [kind, bodyText])).toEqual([
    ["REPLY", "Answer 1"],
    ["CAMPAIGN", "Do you use widgets?"],
  ]);
  expect(rest).toMatchObject({ hasEarlier: false });
  expect(rest.messages[1]).toMatchObject({ direction: "OUTBOUND", stepId: "stp_one", to: [{ address: "bob@b.test" }] });
  for (const query of ["messageLimit=0", "messageLimit=101"])
    expect((await inbox.rest.get(`/inbox/threads/${id}?${query}`)).status).toBe(400);
  expect(await inbox.rest.get(`/inbox/threads/${id}?beforeMessageId=msg_x`)).toMatchObject({
    status: 404,
    body: { code: "MESSAGE_NOT_FOUND" },
  });
});

test("the HTML of an email is shown without anything that could run, be loaded or call home", async () => {
  const html = `<p onclick="x()">Hi <b>you</b></p><script>alert(1)</script><style>p{}</style><img src="https://spy.test/p.gif"><img src="cid:1">
    <form action="https://x.test"><input value="1"></form><a href="javascript:alert(1)">a</a><a href="https://ok.test/x">b</a>`;
  const id = await opened("Alpha", 1, { html });
  const [{ bodyHtml }] = (await inbox.rest.get(`/inbox/threads/${id}`)).body.messages;
  expect(bodyHtml).toContain("<p>Hi <b>you</b></p>");
  expect(bodyHtml).toContain('<a href="https://ok.test/x" rel="noopener noreferrer nofollow" target="_blank">b</a>');
  expect(bodyHtml).not.toMatch(/script|style|img|form|input|onclick|spy\.test|cid:/);
  const deep = await opened("Beta", 1, { html: "<div>".repeat(100_000), text: "Only this" });
  expect((await inbox.rest.get(`/inbox/threads/${deep}`)).body.messages).toMatchObject([
    { bodyHtml: null, bodyText: "Only this" },
  ]);
});

test("a page whose bodies are too long ends early and reports that there is more", async () => {
  const person = await inbox.contacted("bob@b.test");
  for (const n of [1, 2, 3])
    await inbox.arrive(answerOf(person, `${n}${"x".repeat(600_000)}`), {
      receivedAt: new Date(Date.now() + n * 1_000),
    });
  const [{ id }] = (await inbox.rest.get("/inbox/threads")).body.items;
  const { body } = await inbox.rest.get(`/inbox/threads/${id}`);
  expect([body.messages.length, body.hasEarlier]).toEqual([1, true]);
});

test("another workspace sees nothing of the inbox, and a credential without the scope is refused", async () => {
  const id = await opened("Alpha", 1);
  const [message] = await scoped(inbox.workspaceId).Message.find({ threadId: id });
  const { rest, withScopes } = await world.workspace();
  expect((await rest.get("/inbox/threads")).body.total).toBe(0);
  expect(await rest.get(`/inbox/threads/${id}`)).toMatchObject({ status: 404, body: { code: "THREAD_NOT_FOUND" } });
  expect((await rest.post("/inbox/threads/manage", { action: "star", threadIds: [id] })).body).toMatchObject({
    changed: 0,
    notFound: [id],
  });
  const category = await rest.post(`/inbox/messages/${message?._id}/category`, { category: "OTHER" });
  expect(category).toMatchObject({ status: 404, body: { code: "MESSAGE_NOT_FOUND" } });
  const reader = await withScopes("inbox:read");
  expect((await reader.post("/inbox/threads/manage", { action: "star", threadIds: [id] })).status).toBe(403);
  expect((await reader.post(`/inbox/messages/${message?._id}/category`, { category: "OTHER" })).status).toBe(403);
  const stranger = await withScopes("leads:read");
  for (const path of ["/inbox/threads", "/inbox/summary", `/inbox/threads/${id}`])
    expect((await stranger.get(path)).status).toBe(403);
});
