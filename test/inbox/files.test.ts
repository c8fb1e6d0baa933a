import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { readFileToken, signFileToken } from "../../domain/access/address-token.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { saveFile } from "../../models/inbox/files.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { startWorld, type World } from "../support/world.ts";
import { answerOf, type Inbox, startInbox } from "./inbox-parts.ts";

let world: World;
let inbox: Inbox;

beforeAll(async () => {
  world = await startWorld({ settings: { publicUrl: "http://service.test" } });
});
beforeEach(async () => {
  inbox = await startInbox(world);
});
afterAll(() => world.close());

const CONTENT = Buffer.alloc(1_500_000, "file");

async function attached(fileName: string, contentType: string, content = CONTENT) {
  const id = `att_${randomUUID().replaceAll("-", "").slice(0, 26)}`;
  await saveFile(inbox.workspaceId, id, { fileName, contentType }, content);
  return {
    id,
    fileName,
    contentType,
    size: content.length,
    sha256: createHash("sha256").update(content).digest("hex"),
  };
}

/** The file's address, with the host and port of this world. */
const served = (url: string) => fetch(url.replace("http://service.test", world.baseUrl));

test("a message lists its file, whose address needs no key, and browsers save the file and never display it", async () => {
  const file = await attached("Größe ab.pdf", "application/pdf");
  const message = await inbox.arrive({ subject: "Files" }, { attachments: [file] });
  expect((await inbox.rest.get("/inbox/threads?hasAttachments=true")).body.total).toBe(1);
  const [{ id: threadId }] = (await inbox.rest.get("/inbox/threads")).body.items;
  const { sha256: _, ...shown } = file;
  expect((await inbox.rest.get(`/inbox/threads/${threadId}`)).body.messages[0].attachments).toEqual([shown]);
  const { status, body } = await inbox.rest.get(`/inbox/messages/${message._id}/attachments/${file.id}`);
  expect([status, body]).toEqual([
    200,
    { ...file, messageId: message._id, downloadUrl: expect.any(String), expiresAt: expect.any(String) },
  ]);
  expect(Math.round((Date.parse(body.expiresAt) - Date.now()) / MINUTE_MS)).toBe(10);
  const response = await served(body.downloadUrl);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="[^"]*"; filename\*=UTF-8''Gr%C3%B6%C3%9Fe/,
  );
  expect(
    ["x-content-type-options", "cache-control", "content-length"].map((name) => response.headers.get(name)),
  ).toEqual([...["nosniff", "no-store", String(CONTENT.length)]]);
  expect(Buffer.from(await response.arrayBuffer()).equals(CONTENT)).toBe(true);
});

test.each(["text/html", "image/svg+xml", "application/xhtml+xml", "text/javascript", "x", "text/plain\r\nX-Evil: 1"])(
  "a file of the type %j is delivered as application/octet-stream",
  async (contentType) => {
    const file = await attached("page", contentType, Buffer.from("<script>alert(1)</script>"));
    const message = await inbox.arrive({}, { attachments: [file] });
    const { body } = await inbox.rest.get(`/inbox/messages/${message._id}/attachments/${file.id}`);
    const response = await served(body.downloadUrl);
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    expect(response.headers.get("x-evil")).toBeNull();
  },
);

test("the address of a file expires, is valid for one file, and cannot be used for another purpose", async () => {
  const { signing } = world.services;
  const address = { workspaceId: inbox.workspaceId, messageId: "msg_x", attachmentId: "att_x" };
  const token = signFileToken(signing.export, { ...address, until: Date.now() + 60_000 });
  expect(readFileToken(signing.export, token, Date.now())).toMatchObject(address);
  expect(readFileToken(signing.export, token, Date.now() + 61_000)).toBeNull();
  for (const path of [`/files/${token}`, `/exports/${token}`, `/files/${token.slice(0, -2)}`, "/files/x"]) {
    expect([path, (await fetch(world.baseUrl + path)).status]).toEqual([path, 404]);
  }
  expect((await fetch(`${world.baseUrl}/files/${token}`, { method: "POST" })).status).toBe(405);
});

test("files of another message or workspace are refused, and so is a credential without the scope", async () => {
  const file = await attached("a.txt", "text/plain");
  const message = await inbox.arrive({}, { attachments: [file] });
  const other = await inbox.arrive({ subject: "Other" });
  const path = `/inbox/messages/${message._id}/attachments/${file.id}`;
  const elsewhere = await inbox.rest.get(`/inbox/messages/${other._id}/attachments/${file.id}`);
  expect(elsewhere).toMatchObject({ status: 404, body: { code: "ATTACHMENT_NOT_FOUND" } });
  const { rest, withScopes } = await world.workspace();
  expect(await rest.get(path)).toMatchObject({ status: 404, body: { code: "MESSAGE_NOT_FOUND" } });
  expect((await (await withScopes("inbox:write")).get(path)).status).toBe(403);
});

test("deleting a lead erases the conversation, its files and all search data", async () => {
  const person = await inbox.contacted("bob@b.test");
  const file = await attached("cv.txt", "text/plain");
  const html = "<p>My secret number</p>";
  const message = await inbox.arrive({ ...answerOf(person, "My secret number"), html }, { attachments: [file] });
  await inbox.arrive({ from: "colleague@b.test", text: "A secret too", references: [String(message.rfcMessageId)] });
  const question = {
    kind: "OPT_OUT",
    recipientId: person.recipient._id,
    proposedText: "My secret number",
    expiresAt: new Date(),
  } as const;
  await scoped(inbox.workspaceId).Approval.insert({ _id: newId("apr"), ...question });
  const { downloadUrl } = (await inbox.rest.get(`/inbox/messages/${message._id}/attachments/${file.id}`)).body;
  expect((await inbox.rest.post("/leads/manage", { action: "delete", leadId: person.recipient.leadId })).status).toBe(
    200,
  );
  expect((await served(downloadUrl)).status).toBe(404);
  const { Approval, FileChunk, Message, Send, StoredFile, Thread } = scoped(inbox.workspaceId);
  expect([await StoredFile.count(), await FileChunk.count()]).toEqual([0, 0]);
  const kept = JSON.stringify([await Message.find(), await Thread.find(), await Send.find(), await Approval.find()]);
  expect(kept).not.toMatch(/secret|bob@|colleague@|cv\.txt|Do you use widgets/);
  for (const word of ["bob", "secret", "widgets"]) {
    expect([word, (await inbox.rest.get(`/inbox/threads?search=${word}`)).body.total]).toEqual([word, 0]);
  }
  const [{ id }] = (await inbox.rest.get("/inbox/threads")).body.items;
  expect((await inbox.rest.get(`/inbox/threads/${id}`)).body.messages).toHaveLength(3);
});

test("deleting a lead erases the emails that the lead wrote in other people's conversations, and keeps these conversations", async () => {
  const person = await inbox.contacted("bob@b.test");
  const alone = await inbox.arrive({ from: "bob@b.test", subject: "Bob's confession", text: "My secret" });
  const first = await inbox.arrive({ from: "eve@e.test", subject: "Plans", text: "Eve proposes" });
  const references = [String(first.rfcMessageId)];
  await inbox.arrive({ from: "bob@b.test", subject: "Re: Plans", text: "My secret plan", references });
  await inbox.arrive({ from: "eve@e.test", subject: "Bob@b.test called", text: "Another matter" });
  await inbox.rest.post("/leads/manage", { action: "delete", leadId: person.recipient.leadId });
  const { Message, Thread } = scoped(inbox.workspaceId);
  expect(JSON.stringify([await Message.find(), await Thread.find({ subject: "Plans" })])).not.toMatch(/secret|"bob@/);
  expect(await Message.get(alone._id)).toMatchObject({ bodyText: null, from: null });
  const subjects = (await inbox.rest.get("/inbox/threads?search=eve")).body.items.map(
    ({ subject }: { subject: string }) => subject,
  );
  expect(subjects).toEqual(["Bob@b.test called", "Plans"]);
  const totals = ["secret", "proposes", "matter"].map(
    async (word) => (await inbox.rest.get(`/inbox/threads?search=${word}`)).body.total,
  );
  expect(await Promise.all(totals)).toEqual([0, 1, 1]);
  expect(await Message.get(first._id)).toMatchObject({ bodyText: "Eve proposes", from: "eve@e.test" });
});
