import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { DAY_MS } from "../../domain/time/durations.ts";
import { FileChunk } from "../../models/inbox/file-chunk.ts";
import { StoredFile } from "../../models/inbox/stored-file.ts";
import { scoped } from "../../models/scoped.ts";
import { sweepFiles } from "../../store/inbox/sweep-orphan-files.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { type AnsweringWorld, newKey, startAnsweringWorld } from "../inbox/replying-world.ts";
import type { Rest } from "../support/rest.ts";

let answering: AnsweringWorld;
let rest: Rest;
beforeAll(async () => {
  answering = await startAnsweringWorld();
  ({ rest } = answering);
}, 60_000);
afterAll(() => answering.close());

function upload(content: string | Uint8Array<ArrayBuffer>, name = "offer.pdf", type = "application/pdf", by = rest) {
  const form = new FormData();
  form.append("file", new Blob([content], { type }), name);
  return by.post("/files", form);
}

async function fileOf(content: string | Uint8Array<ArrayBuffer>, name?: string, type?: string): Promise<string> {
  const { status, body } = await upload(content, name, type);
  expect([status, body]).toEqual([201, expect.objectContaining({ id: expect.stringMatching(/^fil_/) })]);
  return body.id;
}

async function campaign(email: string, attachments: { id: string }[]) {
  const { body } = await rest.post("/campaigns", { name: "Files" });
  const path = `/campaigns/${body.id}`;
  const mailboxIds = [answering.mailboxIds.get("bob@a.test")];
  const quick = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0, mailboxIds };
  expect(await rest.patch(`${path}/settings`, quick)).toMatchObject({ status: 200 });
  const steps = [{ variants: [{ subject: "Our offer", bodyText: "See the file", attachments }] }];
  const sequence = await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  expect(sequence).toMatchObject({ status: 200 });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: [email] });
  return { path, sequence };
}

async function filesIn(email: string): Promise<[name: string | undefined, type: string, digest: string][]> {
  await until(() => answering.mailsTo(email).length > 0, { ...MAIL_DEADLINE, what: "the mail" });
  const { attachments } = await simpleParser(answering.mailsTo(email)[0]?.raw ?? "");
  return attachments.map(({ filename, contentType, content }) => [filename, contentType, digestOf(content)]);
}

function digestOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

test("attachments of a step arrive unchanged with their names, also in test emails, and a copy of the campaign keeps them", async () => {
  const bytes = Uint8Array.from({ length: 1_500_000 }, (_, at) => (at * 31) % 256);
  const offer = await fileOf(bytes, "Angebot für Zoë.pdf");
  const list = await fileOf("a,b\r\n1,2\r\n", "C:\\fakepath\\prices: 1.csv", "text/csv");
  const { path, sequence } = await campaign("files@people.test", [{ id: offer }, { id: list }]);
  const expected = [
    { id: offer, fileName: "Angebot für Zoë.pdf", contentType: "application/pdf", size: 1_500_000 },
    { id: list, fileName: "prices_ 1.csv", contentType: "text/csv", size: 10 },
  ];
  expect(sequence.body.steps[0].variants[0].attachments).toEqual(expected);
  expect((await rest.post(`${path}/sequence/preview`, {})).body.attachments).toEqual(expected);
  // The fields of an answer may be sent back
  const again = await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: sequence.body.steps });
  expect(again).toMatchObject({ status: 200, body: { version: sequence.body.version } });
  const copy = await rest.post(`${path}/duplicate`, {});
  expect(copy.body.sequence.steps[0].variants[0].attachments).toEqual(expected);

  const arrived = [
    ["Angebot für Zoë.pdf", "application/pdf", digestOf(bytes)],
    ["prices_ 1.csv", "text/csv", digestOf(Buffer.from("a,b\r\n1,2\r\n"))],
  ];
  expect(await rest.post(`${path}/test-send`, { toEmail: "tester@people.test" })).toMatchObject({ status: 200 });
  expect(await filesIn("tester@people.test")).toEqual(arrived);
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
  expect(await filesIn("files@people.test")).toEqual(arrived);
});

test("replies and scheduled replies carry attachments, the thread shows them, and a reused idempotency key with other attachments is refused", async () => {
  const id = await fileOf("Minutes", "minutes.txt", "text/plain");
  const to = await answering.conversation("withfile@b.test");
  const idempotencyKey = newKey();
  const sent = await answering.answer(to, { attachments: [{ id }], idempotencyKey });
  expect(sent).toMatchObject({ status: 200, body: { status: "SENT" } });
  expect(await answering.answer(to, { idempotencyKey })).toMatchObject({
    status: 409,
    body: { code: "IDEMPOTENCY_KEY_REUSED" },
  });
  expect(await filesIn("withfile@b.test")).toEqual([["minutes.txt", "text/plain", digestOf(Buffer.from("Minutes"))]]);
  const { body: thread } = await rest.get(`/inbox/threads/${to.threadId}`);
  const shown = thread.messages.find((message: { id: string }) => message.id === sent.body.messageId);
  expect(shown.attachments).toMatchObject([{ id, fileName: "minutes.txt", contentType: "text/plain", size: 7 }]);
  const { body: address } = await rest.get(`/inbox/messages/${sent.body.messageId}/attachments/${id}`);
  expect(await (await fetch(address.downloadUrl.replace(/^https?:\/\/[^/]+/, answering.world.baseUrl))).text()).toBe(
    "Minutes",
  );

  const later = await answering.conversation("laterfile@b.test");
  const sendAt = new Date(Date.now() + 1_500).toISOString();
  const scheduled = await answering.schedule(later, { attachments: [{ id }], sendAt });
  expect(scheduled).toMatchObject({ status: 201, body: { attachments: [{ id, fileName: "minutes.txt" }] } });
  expect(await filesIn("laterfile@b.test")).toHaveLength(1);
});

test("uploading a file requires campaigns:write or inbox:send; programs, empty files and too large files are refused and not stored", async () => {
  const { withScopes, workspaceId } = await answering.world.workspace();
  for (const scope of ["campaigns:write", "inbox:send"] as const) {
    expect(await upload("x", "a.txt", "text/plain", await withScopes(scope))).toMatchObject({ status: 201 });
  }
  const { StoredFile } = scoped(workspaceId);
  expect(await StoredFile.count({})).toBe(2);
  const mine = await withScopes("inbox:send");
  expect(await upload("x", "a.txt", "text/plain", await withScopes("leads:write"))).toMatchObject({ status: 403 });
  for (const name of ["run.exe", "Run.EXE", "page.js", "invoice.pdf.scr", "a.lnk. "]) {
    expect(await upload("MZ", name, "application/pdf", mine)).toMatchObject({
      status: 400,
      body: { details: { issues: [{ path: "file", code: "REFUSED_TYPE" }] } },
    });
  }
  expect(await upload("", "a.txt", "text/plain", mine)).toMatchObject({
    status: 400,
    body: { details: { issues: [{ code: "TOO_SMALL" }] } },
  });
  expect(await upload(new Uint8Array(7_000_001), "a.bin", "", mine)).toMatchObject({
    status: 413,
    body: { code: "PAYLOAD_TOO_LARGE" },
  });
  expect(await StoredFile.count({})).toBe(2);
  expect(await upload("x", "mail.eml", "message/rfc822", mine)).toMatchObject({
    body: { contentType: "application/octet-stream" },
  });
});

test("attachments that are unknown, of another workspace, repeated, too many or too large together are refused with their path", async () => {
  const other = (await answering.world.workspace()).rest;
  const { body: theirs } = await upload("x", "a.txt", "text/plain", other);
  const half = await fileOf(new Uint8Array(3_700_000), "half.bin", "");
  const second = await fileOf(new Uint8Array(3_700_000), "rest.bin", "");
  const { body } = await rest.post("/campaigns", { name: "Files" });
  const to = await answering.conversation("refused@b.test");
  const refused = async (attachments: object[]) => {
    const steps = [{ subject: "s", body: "b" }, { variants: [{ bodyText: "b" }, { bodyText: "c", attachments }] }];
    const put = await rest.put(`/campaigns/${body.id}/sequence`, { action: "replaceSteps", steps });
    const answer = await answering.answer(to, { attachments });
    expect([put.status, answer.status]).toEqual([400, 400]);
    const [ofStep, ofReply] = [put, answer].map((one) =>
      one.body.details.issues.map(({ path, code }: { path: string; code: string }) => [path, code]),
    );
    expect(ofStep).toEqual(ofReply.map(([path, code]: [string, string]) => [`steps.1.variants.1.${path}`, code]));
    return ofReply;
  };
  expect(await refused([{ id: theirs.id }])).toEqual([["attachments.0.id", "FILE_NOT_FOUND"]]);
  expect(await refused([{ id: half }, { id: "att_x" }])).toEqual([["attachments.1.id", "FILE_NOT_FOUND"]]);
  expect(await refused([{ id: half }, { id: half }])).toEqual([
    ["attachments.1.id", "DUPLICATE"],
    ["attachments", "TOO_BIG"],
  ]);
  expect(await refused([{ id: half }, { id: second }])).toEqual([["attachments", "TOO_BIG"]]);
  expect(await refused(Array.from({ length: 11 }, () => ({ id: half })))).toEqual([["attachments", "TOO_BIG"]]);
  expect(answering.mailsTo("refused@b.test")).toEqual([]);
});

test("an email whose attachment is gone is not sent, and its recipient fails", async () => {
  const id = await fileOf("gone", "gone.txt", "text/plain");
  const { path } = await campaign("nofile@people.test", [{ id }]);
  await scoped(answering.workspaceId).StoredFile.deleteOne({ _id: id });
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
  await until(async () => (await rest.get(path)).body.status === "COMPLETED", { ...MAIL_DEADLINE, what: "the end" });
  expect((await rest.get(`${path}/recipients`)).body.items).toMatchObject([{ status: "FAILED" }]);
  expect(answering.mailsTo("nofile@people.test")).toEqual([]);
});

test("an unused upload is deleted after 7 days and not before; an upload that a step or a scheduled reply uses is kept", async () => {
  const [unused, ofStep, ofReply, young] = [await fileOf("1"), await fileOf("2"), await fileOf("3"), await fileOf("4")];
  await campaign("kept@people.test", [{ id: ofStep }]);
  await answering.schedule(await answering.conversation("keptfile@b.test"), { attachments: [{ id: ofReply }] });
  const aged = (days: number) => ({ $set: { updatedAt: new Date(Date.now() - days * DAY_MS) } });
  const options = { acrossWorkspaces: true, timestamps: false };
  for (const id of [unused, ofStep, ofReply]) {
    await StoredFile.updateMany({ _id: id }, aged(8), options);
    await FileChunk.updateMany({ files_id: id }, aged(8), options);
  }
  await StoredFile.updateMany({ _id: young }, aged(6), options);
  await FileChunk.updateMany({ files_id: young }, aged(6), options);
  for (let seen = -1, ends = 0; ends < 2; ends += seen === 0 ? 1 : 0) seen = await sweepFiles(50);
  const { StoredFile: Stored, FileChunk: Chunk } = scoped(answering.workspaceId);
  const left = async (id: string) => [await Stored.count({ _id: id }), await Chunk.count({ files_id: id })];
  expect([await left(unused), await left(ofStep), await left(ofReply), await left(young)]).toEqual([
    [0, 0],
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
});
