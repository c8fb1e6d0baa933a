import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { MINUTE_MS } from "../../../domain/time/durations.ts";
import { headerOf } from "../sent-mail.ts";
import { until } from "../wait.ts";
import { type GraphErrorCode, refuse } from "./faults.ts";
import { type FakeGraph, startGraph } from "./server.ts";
import type { GraphCaller, GraphSettings } from "./settings.ts";

const [ANN, TEAM, BEN] = ["ann@a.test", "team@a.test", "ben@a.test"];
const CALLERS: Record<string, GraphCaller> = {
  ann: { address: ANN },
  app: { address: null, scopes: ["Mail.ReadWrite", "Mail.Send", "User.Read.All"] },
  "mail only": { address: ANN, scopes: ["Mail.ReadWrite", "Mail.Send"] },
  "read only": { address: ANN, scopes: ["Mail.Read"] },
};
const IMMUTABLE = { Prefer: 'IdType="ImmutableId"' };
const WAIT = { deadlineMs: 5_000, what: "the stand-in" };
const MIME = [
  "From: Someone Else <else@b.test>",
  "To: bob@b.test",
  "Bcc: cleo@b.test",
  "Message-ID: <1@a.test>",
  "List-Unsubscribe: <https://a.test/u>",
  "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
  "X-Mail-Ref: abcd2345",
  "Subject: Hello",
  "",
  "How are you?",
  "",
].join("\r\n");

let graph: FakeGraph;
const delivered: { raw: Buffer; from: string; recipients: string[] }[] = [];
let hook: Server;
let hookUrl: string;
/** What was posted to the subscriber, and whether it answers a validation. */
const heard: { path: string; notice: Record<string, unknown> }[] = [];
let isHookGood = true;

beforeAll(async () => {
  hook = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? "/", "http://hook");
    const token = searchParams.get("validationToken");
    const parts: Buffer[] = [];
    req.on("data", (part: Buffer) => parts.push(part));
    req.on("end", () => {
      if (token !== null)
        return res.writeHead(isHookGood ? 200 : 403, { "Content-Type": "text/plain" }).end(isHookGood ? token : "");
      const { value } = JSON.parse(Buffer.concat(parts).toString());
      for (const notice of value) heard.push({ path: pathname, notice });
      return res.writeHead(202).end();
    });
  });
  await once(hook.listen(0, "127.0.0.1"), "listening");
  hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`; // the address of a TCP server is never text
});

beforeEach(async () => {
  isHookGood = true;
  heard.length = 0;
  delivered.length = 0;
  graph = await startGraph({
    mailboxes: [
      { address: ANN, name: "Ann A" },
      { address: TEAM, sharedWith: [ANN] },
      { address: BEN, disabled: true },
    ],
    knows: (token) => CALLERS[token] ?? null,
    deliver: (raw, from, recipients) => void delivered.push({ raw, from, recipients }),
  });
});

afterEach(() => graph.close());

afterAll(() => {
  hook.closeAllConnections();
  hook.close();
});

interface Asked {
  as?: string;
  method?: string;
  json?: unknown;
  mime?: string;
  headers?: Record<string, string>;
}

/** `path` is a path below the version, or a whole link. */
function call(path: string, { as = "ann", method, json, mime, headers = {} }: Asked = {}): Promise<Response> {
  const body = mime === undefined ? json && JSON.stringify(json) : Buffer.from(mime).toString("base64");
  const type = mime === undefined ? "application/json" : "text/plain";
  return fetch(path.startsWith("http") ? path : `${graph.url}/v1.0${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { Authorization: `Bearer ${as}`, ...(body !== undefined && { "Content-Type": type }), ...headers },
    ...(typeof body === "string" && { body }),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are judged by what the test expects of them
function json(res: Response): Promise<any> {
  return res.json();
}

async function bodyOf(path: string, asked: Asked = {}) {
  return json(await call(path, asked));
}

async function refusalOf(path: string, asked: Asked = {}): Promise<[number, string]> {
  const res = await call(path, asked);
  const { error } = await json(res);
  expect(error.innerError).toMatchObject({ "request-id": expect.any(String), date: expect.any(String) });
  return [res.status, error.code];
}

async function draft(asked: Asked = { mime: MIME }): Promise<string> {
  const { id } = await bodyOf("/me/messages", { headers: IMMUTABLE, ...asked });
  return id;
}

const send = (id: string, asked: Asked = {}) => call(`/me/messages/${id}/send`, { method: "POST", ...asked });

/** The immutable ids of a folder. */
async function idsIn(folder: string): Promise<string[]> {
  const { value } = await bodyOf(`/me/mailFolders/${folder}/messages`, { headers: IMMUTABLE });
  return value.map(({ id }: { id: string }) => id);
}

function incoming(subject: string): string {
  return `From: Bob <bob@b.test>\r\nTo: ${ANN}\r\nMessage-ID: <${subject}@b.test>\r\nReferences: <1@a.test>\r\nSubject: ${subject}\r\n\r\nText of ${subject}\r\n`;
}

test("a user token reads the user's profile, an app token needs an address, and a token with mail scopes alone cannot read a profile", async () => {
  expect(await bodyOf("/me")).toMatchObject({ mail: ANN, userPrincipalName: ANN, displayName: "Ann A" });
  const { id } = await bodyOf(`/users/${TEAM}`, { as: "app" });
  expect(await bodyOf(`/users('${id}')`, { as: "app" })).toMatchObject({ mail: TEAM });
  expect(await refusalOf("/me", { as: "app" })).toEqual([400, "BadRequest"]);
  expect(await refusalOf("/me", { as: "mail only" })).toEqual([403, "Authorization_RequestDenied"]);
  expect(await refusalOf("/me", { as: "a token that ended" })).toEqual([401, "InvalidAuthenticationToken"]);
});

test("an accepted email stays a draft until transport takes it, and the Sent copy has the draft's immutable id", async () => {
  graph.settings.transportDelayMs = 600_000;
  const created = await call("/me/messages", { mime: MIME });
  expect(created.status).toBe(201);
  const { id: changing } = await json(created);
  const [stable = ""] = await idsIn("drafts");
  const res = await send(stable);
  expect([res.status, await res.text()]).toEqual([202, ""]);
  expect(await bodyOf(`/me/messages/${stable}`)).toMatchObject({ isDraft: true, internetMessageId: "<1@a.test>" });
  expect(graph.sent).toEqual([]);
  await graph.release(ANN);
  expect(await bodyOf(`/me/messages/${stable}?$select=isDraft`)).toMatchObject({ isDraft: false });
  expect([await idsIn("drafts"), await idsIn("sentitems")]).toEqual([[], [stable]]);
  expect(await refusalOf(`/me/messages/${changing}`)).toEqual([404, "ErrorItemNotFound"]);
  expect(graph.sent).toMatchObject([{ from: ANN, to: ["bob@b.test", "cleo@b.test"], messageId: "<1@a.test>" }]);
  expect(delivered).toMatchObject([{ from: ANN, recipients: ["bob@b.test", "cleo@b.test"] }]);
  expect(headerOf(delivered[0]?.raw ?? Buffer.alloc(0), "Bcc")).toBeUndefined();
});

test("the Sent copy of an email may not be readable for a while after sending", async () => {
  graph.settings.sentCopyGapMs = 1_000;
  const id = await draft();
  await send(id);
  await until(async () => (await idsIn("sentitems")).length === 1, WAIT);
  expect(await refusalOf(`/me/messages/${id}`)).toEqual([404, "ErrorItemNotFound"]);
  await until(async () => (await call(`/me/messages/${id}`)).status === 200, WAIT);
});

test("a MIME email keeps its headers, except that From becomes the address of the mailbox", async () => {
  await send(await draft());
  const mail = await until(() => graph.sent[0], WAIT);
  const header = (name: string) => headerOf(mail?.raw ?? Buffer.alloc(0), name);
  expect(header("From")).toBe(`"Ann A" <${ANN}>`);
  expect(header("List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
  expect(header("Date")).toBeDefined();
});

test("Graph may replace the Message-ID of an email, and may drop List-Unsubscribe-Post", async () => {
  graph.settings.messageId = "minted";
  graph.settings.keepsListUnsubscribePost = false;
  const id = await draft();
  const { internetMessageId } = await bodyOf(`/me/messages/${id}`);
  expect(internetMessageId).toMatch(/^<[0-9A-F]+@[0-9A-F]+\.namprd13\.prod\.outlook\.com>$/);
  await send(id);
  await until(() => graph.sent.length === 1, WAIT);
  graph.settings.messageId = "minted at transport";
  const later = await draft();
  expect(await bodyOf(`/me/messages/${later}`)).toMatchObject({ internetMessageId: "<1@a.test>" });
  await send(later);
  await until(() => graph.sent.length === 2, WAIT);
  await until(async () => (await idsIn("sentitems")).length === 2, WAIT);
  expect(graph.sent[0]).toMatchObject({ messageId: internetMessageId, mailRef: "abcd2345" });
  expect(headerOf(graph.sent[0]?.raw ?? Buffer.alloc(0), "List-Unsubscribe-Post")).toBeUndefined();
  expect(graph.sent[1]?.messageId).toContain("prod.outlook.com");
  expect(await bodyOf(`/me/messages/${later}`)).toMatchObject({ internetMessageId: graph.sent[1]?.messageId });
});

test("a JSON message accepts at most five headers, each starting with x-, and List-Unsubscribe only as an extended property", async () => {
  const message = { subject: "Hi", toRecipients: [{ emailAddress: { address: "bob@b.test" } }] };
  for (const name of ["List-Unsubscribe", "In-Reply-To", "References"]) {
    const res = await call("/me/messages", {
      json: { ...message, internetMessageHeaders: [{ name, value: "<1@a.test>" }] },
    });
    expect(res.status).toBe(400);
    expect((await json(res)).error).toMatchObject({
      code: "InvalidInternetMessageHeader",
      message: `The internet message header name '${name}' should start with 'x-' or 'X-'.`,
    });
  }
  const many = Array.from({ length: 6 }, (_, at) => ({ name: `x-${at}`, value: "1" }));
  expect(await refusalOf("/me/messages", { json: { ...message, internetMessageHeaders: many } })).toEqual([
    400,
    "InvalidInternetMessageHeaderCollection",
  ]);
  const singleValueExtendedProperties = [{ id: "String 0x1045", value: "<https://a.test/u>" }];
  const id = await draft({
    json: { ...message, internetMessageHeaders: [{ name: "x-ref", value: "1" }], singleValueExtendedProperties },
  });
  await send(id);
  const mail = await until(() => graph.sent[0], WAIT);
  expect(headerOf(mail?.raw ?? Buffer.alloc(0), "List-Unsubscribe")).toBe("<https://a.test/u>");
  const { internetMessageHeaders } = await bodyOf(`/me/messages/${id}?$select=internetMessageHeaders`);
  expect(internetMessageHeaders).toEqual([{ name: "X-Ref", value: "1" }]);
});

test("a MIME draft must be base64, and send needs a Content-Length and a recipient", async () => {
  const headers = { "Content-Type": "text/plain" };
  expect(await refusalOf("/me/messages", { json: { subject: "quoted" }, headers })).toEqual([
    400,
    "ErrorMimeContentInvalidBase64String",
  ]);
  const id = await draft();
  const req = request(`${graph.url}/v1.0/me/messages/${id}/send`, {
    method: "POST",
    headers: { Authorization: "Bearer ann", "Transfer-Encoding": "chunked" },
  }).end();
  const [res] = await once(req, "response");
  res.resume();
  expect(res.statusCode).toBe(411);
  const lonely = await draft({ json: { subject: "Nobody gets this" } });
  expect(await refusalOf(`/me/messages/${lonely}/send`, { method: "POST" })).toEqual([400, "ErrorInvalidRecipients"]);
  expect(graph.sent).toEqual([]);
});

test("sendMail accepts MIME and JSON, with or without a Sent copy", async () => {
  const res = await call("/me/sendMail", { mime: MIME });
  expect([res.status, await res.text()]).toEqual([202, ""]);
  const toRecipients = [{ emailAddress: { address: "bob@b.test" } }];
  const body = { contentType: "HTML", content: "<p>Good <b>news</b></p>" };
  await call("/me/sendMail", { json: { message: { subject: "News", toRecipients, body }, saveToSentItems: false } });
  await until(() => graph.sent.length === 2, WAIT);
  await until(async () => (await idsIn("drafts")).length === 0, WAIT);
  const { value } = await bodyOf("/me/mailFolders('SentItems')/messages?$select=subject");
  expect(value).toEqual([expect.objectContaining({ subject: "Hello" })]);
  expect(graph.sent[1]?.raw.toString()).toContain("<p>Good <b>news</b></p>");
});

test("messages are listed by filter, order and page, and a message is read as properties, headers or MIME", async () => {
  for (const subject of ["one", "two", "three"]) await graph.arrive(ANN, incoming(subject));
  const since = new Date(Date.now() - MINUTE_MS).toISOString();
  const filter = encodeURIComponent(`receivedDateTime ge ${since}`);
  const first = await bodyOf(`/me/messages?$filter=${filter}&$orderby=receivedDateTime%20desc&$top=2&$select=subject`);
  const next = await bodyOf(first["@odata.nextLink"]);
  const all = [...first.value, ...next.value];
  expect(all.map(({ subject }) => subject).sort()).toEqual(["one", "three", "two"]);
  expect(next["@odata.nextLink"]).toBeUndefined();
  expect(Object.keys(all[0]).sort()).toEqual(["@odata.etag", "id", "subject"]);
  const { value } = await bodyOf(`/me/messages?$filter=${encodeURIComponent("internetMessageId eq '<two@b.test>'")}`);
  expect(value).toMatchObject([
    { subject: "two", isRead: false, isDraft: false, from: { emailAddress: { name: "Bob" } } },
  ]);
  const inefficient = `${encodeURIComponent("isRead eq false")}&$orderby=receivedDateTime`;
  expect(await refusalOf(`/me/messages?$filter=${inefficient}`)).toEqual([400, "InefficientFilter"]);
  const { internetMessageHeaders } = await bodyOf(`/me/messages/${value[0].id}?$select=internetMessageHeaders`);
  expect(internetMessageHeaders).toContainEqual({ name: "References", value: "<1@a.test>" });
  expect(await (await call(`/me/messages/${value[0].id}/$value`)).text()).toBe(incoming("two"));
});

test("moving a message changes the default id but not the immutable id, and a deleted message first goes to Deleted Items", async () => {
  const item = await graph.arrive(ANN, incoming("one"));
  const [stable, before] = [item.immutableId, item.id];
  expect(await bodyOf("/me/mailFolders/inbox")).toMatchObject({ totalItemCount: 1, unreadItemCount: 1 });
  const patched = await bodyOf(`/me/messages/${before}`, {
    method: "PATCH",
    json: { isRead: true, categories: ["Read"] },
  });
  expect(patched).toMatchObject({ id: before, isRead: true, categories: ["Read"] });
  const moved = await call(`/me/messages/${before}/move`, { json: { destinationId: "archive" }, headers: IMMUTABLE });
  expect([moved.status, (await json(moved)).id]).toEqual([201, stable]);
  expect(await refusalOf(`/me/messages/${before}`)).toEqual([404, "ErrorItemNotFound"]);
  const { value: folders } = await bodyOf("/me/mailFolders?$top=100");
  const archive = folders.find(({ displayName }: { displayName: string }) => displayName === "Archive");
  expect(await bodyOf(`/me/messages/${stable}`)).toMatchObject({ parentFolderId: archive.id });
  expect((await call(`/me/messages/${stable}`, { method: "DELETE" })).status).toBe(204);
  expect(await idsIn("deleteditems")).toEqual([stable]);
  await call(`/me/messages/${stable}`, { method: "DELETE" });
  expect(await refusalOf(`/me/messages/${stable}`)).toEqual([404, "ErrorItemNotFound"]);
});

test("a large attachment is uploaded in ranges without Authorization, and a MIME draft then loses List-Unsubscribe-Post", async () => {
  const id = await draft();
  graph.settings.leastUploadBytes = 10;
  const AttachmentItem = { attachmentType: "file", name: "a.bin", size: 10 };
  const { uploadUrl, nextExpectedRanges } = await bodyOf(`/me/messages/${id}/attachments/createUploadSession`, {
    json: { AttachmentItem },
  });
  expect(nextExpectedRanges).toEqual(["0-"]);
  const put = (range: string, body: string, headers = {}) =>
    fetch(uploadUrl, { method: "PUT", body, headers: { "Content-Range": `bytes ${range}/10`, ...headers } });
  expect((await put("0-3", "0123", { Authorization: "Bearer ann" })).status).toBe(401);
  expect(await (await put("0-3", "0123")).json()).toMatchObject({ nextExpectedRanges: ["4"] });
  expect((await put("5-9", "56789")).status).toBe(416);
  const last = await put("4-9", "456789");
  expect([last.status, last.headers.get("location")]).toEqual([201, expect.stringContaining("/attachments/")]);
  const mime = await (await call(`/me/messages/${id}/$value`)).text();
  expect(mime).toContain(Buffer.from("0123456789").toString("base64"));
  expect([headerOf(Buffer.from(mime), "X-Mail-Ref"), headerOf(Buffer.from(mime), "List-Unsubscribe-Post")]).toEqual([
    "abcd2345",
    undefined,
  ]);
});

test("delta returns a folder in pages and then only changes, with the options of the first request", async () => {
  const items = [];
  for (const subject of ["one", "two", "three"]) items.push(await graph.arrive(ANN, incoming(subject)));
  const headers = { Prefer: 'IdType="ImmutableId", odata.maxpagesize=2' };
  const first = await bodyOf("/me/mailFolders/inbox/messages/delta?$select=subject", { headers });
  const second = await bodyOf(first["@odata.nextLink"], { headers });
  const seen = [...first.value, ...second.value];
  expect(seen.map(({ subject }) => subject).sort()).toEqual(["one", "three", "two"]);
  expect(seen[0]).not.toHaveProperty("isRead");
  const [one, two] = items.map(({ immutableId }) => immutableId);
  await call(`/me/messages/${one}`, { method: "DELETE" });
  await call(`/me/messages/${two}`, { method: "PATCH", json: { isRead: true } });
  const changes = await bodyOf(second["@odata.deltaLink"], { headers });
  expect(changes.value).toEqual([
    { "@odata.type": "#microsoft.graph.message", id: one, "@removed": { reason: "deleted" } },
    expect.objectContaining({ id: two, subject: "two" }),
  ]);
  expect((await bodyOf(changes["@odata.deltaLink"], { headers })).value).toEqual([]);
  expect((await bodyOf(second["@odata.deltaLink"], { headers })).value).toEqual(changes.value);
  const filter = encodeURIComponent("receivedDateTime ge 2100-01-01T00:00:00Z");
  expect((await bodyOf(`/me/mailFolders/inbox/messages/delta?$filter=${filter}`)).value).toEqual([]);
  for (const option of ["$search=one", `$filter=${encodeURIComponent("isRead eq false")}`])
    expect(await refusalOf(`/me/mailFolders/inbox/messages/delta?${option}`)).toEqual([400, "ErrorInvalidUrlQuery"]);
});

test("a delta page is refused with 410 once the sync state is lost", async () => {
  for (const subject of ["one", "two"]) await graph.arrive(ANN, incoming(subject));
  const page = await bodyOf("/me/mailFolders/inbox/messages/delta", { headers: { Prefer: "odata.maxpagesize=1" } });
  graph.expireDelta();
  expect(await refusalOf(page["@odata.nextLink"])).toEqual([410, "SyncStateNotFound"]);
});

test.each<[string, Record<string, string>, string[]]>([
  ["removed alone with immutable ids", IMMUTABLE, ["removed"]],
  ["removed and new with usual ids", {}, ["removed", "shown"]],
])("delta shows a message that was moved out and back as %s", async (_, headers, expected) => {
  const { immutableId } = await graph.arrive(ANN, incoming("one"));
  const start = await bodyOf("/me/mailFolders/inbox/messages/delta", { headers });
  for (const destinationId of ["archive", "inbox"])
    await call(`/me/messages/${immutableId}/move`, { json: { destinationId } });
  const back = await bodyOf(start["@odata.deltaLink"], { headers });
  expect(back.value.map((entry: object) => ("@removed" in entry ? "removed" : "shown"))).toEqual(expected);
  await call(`/me/messages/${immutableId}`, { method: "PATCH", json: { isRead: true } });
  const later = await bodyOf(back["@odata.deltaLink"], { headers });
  expect(later.value).toMatchObject([{ subject: "one", isRead: true }]);
});

function inMinutes(minutes: number): string {
  return new Date(Date.now() + minutes * MINUTE_MS).toISOString();
}

function subscribe(more: object = {}, asked: Asked = {}): Promise<Response> {
  const json = {
    changeType: "created,updated",
    notificationUrl: `${hookUrl}/changes`,
    lifecycleNotificationUrl: `${hookUrl}/lifecycle`,
    resource: "me/mailFolders('inbox')/messages",
    expirationDateTime: inMinutes(3_600),
    clientState: "secret",
    ...more,
  };
  return call("/subscriptions", { json, headers: IMMUTABLE, ...asked });
}

test("a subscription is refused for an endpoint that fails validation, a lifetime over 4,230 minutes or another user's mailbox", async () => {
  const errorOf = async (res: Response) => [res.status, (await json(res)).error.code];
  isHookGood = false;
  expect(await errorOf(await subscribe())).toEqual([400, "ValidationError"]);
  isHookGood = true;
  const tooLong = await subscribe({ expirationDateTime: inMinutes(4_300) });
  expect(tooLong.status).toBe(400);
  expect((await json(tooLong)).error).toMatchObject({
    code: "ExtensionError",
    message: "Subscription expiration can only be 4230 minutes in the future.",
  });
  expect(await errorOf(await subscribe({ clientState: "x".repeat(129) }))).toEqual([400, "InvalidRequest"]);
  expect(await errorOf(await subscribe({ resource: `users/${TEAM}/messages` }))).toEqual([403, "ExtensionError"]);
  expect((await subscribe({ resource: `users/${TEAM}/messages` }, { as: "app" })).status).toBe(201);
});

test("a subscription lives at least 45 minutes, can be renewed within the limit, and ends when deleted", async () => {
  const { id, expirationDateTime } = await json(await subscribe({ expirationDateTime: inMinutes(5) }));
  expect(Date.parse(expirationDateTime)).toBeGreaterThan(Date.now() + 44 * MINUTE_MS);
  const renew = (minutes: number) => ({ method: "PATCH", json: { expirationDateTime: inMinutes(minutes) } });
  expect(await refusalOf(`/subscriptions/${id}`, renew(4_300))).toEqual([400, "ErrorInvalidParameter"]);
  const renewed = await bodyOf(`/subscriptions/${id}`, renew(3_600));
  expect(Date.parse(renewed.expirationDateTime)).toBeGreaterThan(Date.now() + 3_500 * MINUTE_MS);
  expect((await bodyOf("/subscriptions")).value).toMatchObject([{ id, clientState: "secret" }]);
  expect((await call(`/subscriptions/${id}`, { method: "DELETE" })).status).toBe(204);
  expect(await refusalOf(`/subscriptions/${id}`, renew(60))).toEqual([404, "ResourceNotFound"]);
});

test("notifications of new and changed messages contain the immutable id and the client state", async () => {
  const { id: subscriptionId } = await json(await subscribe());
  const { immutableId } = await graph.arrive(ANN, incoming("one"));
  await until(() => heard.length === 1, WAIT);
  await call(`/me/messages/${immutableId}`, { method: "PATCH", json: { isRead: true } });
  await until(() => heard.length === 2, WAIT);
  expect(heard.map(({ path, notice }) => [path, notice["changeType"]])).toEqual([
    ["/changes", "created"],
    ["/changes", "updated"],
  ]);
  expect(heard[0]?.notice).toMatchObject({ subscriptionId, clientState: "secret", resourceData: { id: immutableId } });
});

test("a subscription that needs reauthorization sends no notifications until reauthorized, and a removed subscription is gone", async () => {
  const { id } = await json(await subscribe());
  for (const event of ["missed", "reauthorizationRequired"] as const) await graph.lifecycle(ANN, event);
  await graph.arrive(ANN, incoming("lost"));
  expect((await call(`/subscriptions/${id}/reauthorize`, { method: "POST" })).status).toBe(204);
  const { immutableId } = await graph.arrive(ANN, incoming("heard"));
  await until(() => heard.length === 3, WAIT);
  await graph.lifecycle(ANN, "subscriptionRemoved");
  expect(heard.map(({ path, notice }) => [path, notice["lifecycleEvent"] ?? notice["changeType"]])).toEqual([
    ["/lifecycle", "missed"],
    ["/lifecycle", "reauthorizationRequired"],
    ["/changes", "created"],
    ["/lifecycle", "subscriptionRemoved"],
  ]);
  expect(heard[2]?.notice).toMatchObject({ resourceData: { id: immutableId } });
  expect(await refusalOf(`/subscriptions/${id}`)).toEqual([404, "ResourceNotFound"]);
});

test("a sent email raises two notifications: one for an id that is never found, and one for the Sent copy", async () => {
  const id = await draft();
  await subscribe({ resource: "me/messages", changeType: "created" });
  await send(id);
  await until(() => heard.length === 2, WAIT);
  const ids = heard.map(({ notice }) => String(notice["resource"]).split("/").at(-1));
  const [ghost] = ids.filter((each) => each !== id);
  expect(ids).toContain(id);
  expect(await refusalOf(`/me/messages/${ghost}`)).toEqual([404, "ErrorItemNotFound"]);
});

test("notifications can come late, before their message exists, or not at all", async () => {
  await subscribe();
  graph.settings.notices = { delayMs: 0, missing: false, earlyMs: 1_000 };
  const arrival = graph.arrive(ANN, incoming("early"));
  const early = await until(() => heard[0], WAIT);
  expect(await refusalOf(`/${early?.notice["resource"]}`)).toEqual([404, "ErrorItemNotFound"]);
  await arrival;
  expect(await bodyOf(`/${early?.notice["resource"]}`)).toMatchObject({ subject: "early" });
  graph.settings.notices = { delayMs: 0, missing: true, earlyMs: 0 };
  await graph.arrive(ANN, incoming("missing"));
  graph.settings.notices = { delayMs: 1_000, missing: false, earlyMs: 0 };
  const { immutableId } = await graph.arrive(ANN, incoming("late"));
  expect(heard).toHaveLength(1);
  await until(() => heard.length === 2, WAIT);
  expect(heard[1]?.notice).toMatchObject({ resourceData: { id: immutableId } });
  // The subscriber has heard a notice before the stand-in has read the response
  await until(() => graph.notices.every(({ status }) => status !== null), WAIT);
  expect(graph.notices.map(({ status }) => status)).toEqual([202, 202]);
});

test("the response to a send can be lost before or after the send takes effect", async () => {
  const [before, after] = [await draft(), await draft()];
  graph.fault({ on: "send", answer: "lost" });
  await expect(send(before)).rejects.toThrow();
  graph.fault({ on: "send", answer: "lost", after: true });
  await expect(send(after)).rejects.toThrow();
  await until(() => graph.sent.length === 1, WAIT);
  await until(async () => (await idsIn("sentitems")).includes(after), WAIT);
  expect(await idsIn("drafts")).toEqual([before]);
  expect(graph.asked.filter(({ route }) => route === "send").map(({ status }) => status)).toEqual([null, null]);
});

test.each<[GraphErrorCode, number]>([
  ["ApplicationThrottled", 429],
  ["ErrorInternalServerError", 500],
  ["CommandConcurrencyLimitReached", 503],
  ["UnknownError", 504],
])("Graph may answer %s although the email was sent", async (code, status) => {
  const id = await draft();
  graph.fault({ on: "send", after: true, answer: refuse(code, { retryAfter: 7 }) });
  const res = await send(id);
  expect([res.status, res.headers.get("retry-after")]).toEqual([status, "7"]);
  expect((await json(res)).error.code).toBe(code);
  await until(() => graph.sent.length === 1, WAIT);
});

test("202 can come with Retry-After, and 200 can come for an email that is never stored", async () => {
  graph.fault({ on: "sendMail", after: true, answer: { status: 202, headers: { "Retry-After": "30" } } });
  const throttled = await call("/me/sendMail", { mime: MIME });
  expect([throttled.status, throttled.headers.get("retry-after")]).toEqual([202, "30"]);
  await until(() => graph.sent.length === 1, WAIT);
  graph.settings.silentOverBytes = 100;
  expect((await call("/me/messages", { mime: MIME })).status).toBe(200);
  expect((await call("/me/sendMail", { mime: MIME })).status).toBe(200);
  await until(async () => (await idsIn("drafts")).length === 0, WAIT);
  expect(graph.sent).toHaveLength(1);
});

test.each<[GraphErrorCode, number]>([
  ["InvalidAuthenticationToken", 401],
  ["ErrorSendAsDenied", 403],
  ["ErrorAccessDenied", 403],
  ["Authorization_RequestDenied", 403],
  ["MailboxNotEnabledForRESTAPI", 404],
  ["ErrorMailboxNotEnabledForRESTAPI", 403],
  ["ErrorExceededMessageLimit", 403],
  ["ErrorQuotaExceeded", 429],
  ["ErrorMessageSizeExceeded", 413],
  ["ErrorNonExistentMailbox", 404],
  ["ErrorIrresolvableConflict", 409],
])("a fault answers %s once or until cleared, and only for its mailbox", async (code, status) => {
  graph.fault({ on: "any", answer: refuse(code), mailbox: TEAM });
  expect((await call("/me/messages")).status).toBe(200);
  expect(await refusalOf(`/users/${TEAM}/messages`)).toEqual([status, code]);
  expect((await call(`/users/${TEAM}/messages`)).status).toBe(200);
  graph.fault({ on: "list", answer: refuse(code), standing: true });
  for (let count = 0; count < 2; count += 1) expect((await call("/me/messages")).status).toBe(status);
  graph.clearFaults();
  expect((await call("/me/messages")).status).toBe(200);
});

test("the fifth concurrent request of an app to one mailbox is throttled, and a request to another mailbox is not", async () => {
  graph.settings.latencyMs = 1_000;
  const running = Array.from({ length: 5 }, () => call("/me/messages"));
  const other = call(`/users/${TEAM}/messages`);
  const results = await Promise.all(running);
  const [throttled] = results.filter(({ status }) => status === 429);
  expect(results.filter(({ status }) => status === 200)).toHaveLength(4);
  expect(throttled?.headers.get("retry-after")).toBe("10");
  expect(await throttled?.json()).toMatchObject({
    error: { code: "ApplicationThrottled", message: "Application is over its MailboxConcurrency limit." },
  });
  expect((await other).status).toBe(200);
});

test("a request of more than 4 MB is refused", async () => {
  const mime = MIME.padEnd(3 * 1_024 * 1_024, "x"); // base64 makes 4 MiB of it
  expect(await bodyOf("/me/messages", { mime })).toMatchObject({ subject: "Hello" });
  expect((await call("/me/messages", { mime: `${mime}x` })).status).toBe(413);
});

test("a limit at transport is reported by a delivery failure in the Inbox, not by the response to send", async () => {
  graph.settings.transportLimit = (recipient) =>
    recipient === "bob@b.test"
      ? { status: "5.1.90", diagnostic: "550 5.1.90 You reached your daily limit for message recipients" }
      : null;
  expect((await send(await draft())).status).toBe(202);
  const id = await until(async () => (await idsIn("inbox"))[0], WAIT);
  const report = await bodyOf(`/me/messages/${id}`);
  expect(report).toMatchObject({
    subject: "Undeliverable: Hello",
    from: { emailAddress: { name: "Microsoft Outlook" } },
  });
  expect(await (await call(`/me/messages/${id}/$value`)).text()).toContain("Status: 5.1.90");
  expect(graph.sent).toMatchObject([{ to: ["cleo@b.test"] }]);
});

test.each<[GraphSettings["secondSend"], number, number]>([
  ["one email", 202, 1],
  ["refused", 404, 1],
  ["two emails", 202, 2],
])("sending a draft again while the draft is in transport gives: %s", async (secondSend, status, count) => {
  graph.settings.transportDelayMs = 600_000;
  graph.settings.secondSend = secondSend;
  const id = await draft();
  expect((await send(id)).status).toBe(202);
  expect((await send(id)).status).toBe(status);
  await graph.release();
  expect(graph.sent).toHaveLength(count);
  expect(await idsIn("sentitems")).toEqual([id]);
});

test("a shared mailbox sends by its own path, and a JSON From with another address requires the right to send as that address", async () => {
  await call(`/users/${TEAM}/sendMail`, { mime: MIME });
  await until(() => graph.sent.length === 1, WAIT);
  expect(graph.sent).toMatchObject([{ from: TEAM, user: TEAM }]);
  const message = { toRecipients: [{ emailAddress: { address: "bob@b.test" } }] };
  const as = (address: string) => ({ json: { message: { ...message, from: { emailAddress: { address } } } } });
  expect(await refusalOf("/me/sendMail", as(BEN))).toEqual([403, "ErrorSendAsDenied"]);
  expect((await call("/me/sendMail", as(TEAM))).status).toBe(202);
  await until(() => graph.sent.length === 2, WAIT);
  expect(graph.sent[1]).toMatchObject({ from: TEAM, user: ANN });
});

test("missing scopes, mailboxes of others and mailboxes without a licence are refused", async () => {
  expect(await refusalOf("/me/sendMail", { as: "read only", mime: MIME })).toEqual([403, "ErrorAccessDenied"]);
  expect((await call("/me/messages", { as: "read only" })).status).toBe(200);
  expect(await refusalOf(`/users/${TEAM}/messages`, { as: "mail only" })).toEqual([403, "ErrorAccessDenied"]);
  expect(await refusalOf(`/users/${BEN}/messages`)).toEqual([403, "ErrorAccessDenied"]);
  expect(await refusalOf(`/users/${BEN}/messages`, { as: "app" })).toEqual([404, "MailboxNotEnabledForRESTAPI"]);
  expect(await refusalOf("/users/no@a.test/messages", { as: "app" })).toEqual([404, "ErrorInvalidUser"]);
});

test("an email sent to oneself arrives in the Inbox as a second message with the Message-ID of the Sent copy", async () => {
  await call("/me/sendMail", { mime: MIME.replace("bob@b.test", ANN) });
  await until(async () => (await idsIn("sentitems")).length === 1 && (await idsIn("inbox")).length === 1, WAIT);
  const { value } = await bodyOf(`/me/messages?$filter=${encodeURIComponent("internetMessageId eq '<1@a.test>'")}`);
  expect(value).toHaveLength(2);
});
