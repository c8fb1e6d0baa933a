import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeEach, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { nameCopies } from "../../activities/sending/name-copies.ts";
import { NO_LIMITS } from "../../connectors/bearer-call.ts";
import type { GraphAccess } from "../../connectors/graph/call.ts";
import { createDraft, deleteDraft, GRAPH_MAIL_BYTES, lookAtDraft, sendDraft } from "../../connectors/graph/send.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { composeMessage } from "../../connectors/smtp/compose.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { type GraphErrorCode, refuse } from "../fakes/graph/faults.ts";
import { type FakeGraph, startGraph } from "../fakes/graph/server.ts";

const [ANN, TEAM] = ["ann@a.test", "team@a.test"];
const egress = createEgress({ allow: parseAllow("127.0.0.1:*,localhost:*"), ownAddresses: [] });
let graph: FakeGraph;

beforeEach(async () => {
  graph = await startGraph({
    mailboxes: [{ address: ANN }, { address: TEAM, sharedWith: [ANN] }],
    knows: (token) => (token === "ann" ? { address: ANN } : null),
  });
});
afterEach(() => graph.close());
afterAll(() => egress.close());

function access(mailbox: GraphAccess["mailbox"] = "/me", token = "ann"): GraphAccess {
  return { egress, url: `${graph.url}/v1.0`, token, signal: new AbortController().signal, quota: NO_LIMITS, mailbox };
}

function mail(text = "Hello\r\n"): Buffer {
  const head = ["From: Ann <ann@a.test>", "To: bob@b.test", "Subject: A talk", "Message-ID: <1@ours.test>"];
  return Buffer.from(
    `${[...head, "List-Unsubscribe: <https://ours.test/u>", "X-Mail-Ref: abcd2345"].join("\r\n")}\r\n\r\n${text}`,
  );
}

test("an accepted email is still a draft until transport takes it, and then the Message-ID is known", async () => {
  graph.settings.transportDelayMs = 600_000;
  graph.settings.messageId = "minted at transport";
  const draft = await createDraft(access(), mail());
  expect(await sendDraft(access(), draft)).toEqual({ kind: "accepted" });
  expect(await lookAtDraft(access(), draft)).toEqual({ kind: "draft" });
  expect(graph.sent).toEqual([]);
  await graph.release();
  const [{ messageId, raw } = { messageId: "", raw: Buffer.from("") }] = graph.sent;
  expect(await lookAtDraft(access(), draft)).toMatchObject({ kind: "sent", messageId });
  expect(messageId).not.toBe("<1@ours.test>");
  expect(String(raw)).toContain("List-Unsubscribe: <https://ours.test/u>");
});

test("an email of a shared mailbox is sent as that mailbox", async () => {
  const draft = await createDraft(access(`/users/${TEAM}`), mail());
  expect(await sendDraft(access(`/users/${TEAM}`), draft)).toEqual({ kind: "accepted" });
  await graph.release();
  expect(graph.sent.map(({ from }) => from)).toEqual([TEAM]);
});

test.each([true, false])(
  "after a lost response to a send, the draft shows whether the email was sent (took effect: %s)",
  async (after) => {
    const draft = await createDraft(access(), mail());
    graph.fault({ on: "send", answer: "lost", after });
    expect(await sendDraft(access(), draft)).toMatchObject({ kind: "lost" });
    await graph.release();
    expect(graph.sent).toHaveLength(after ? 1 : 0);
    expect(await lookAtDraft(access(), draft)).toMatchObject({ kind: after ? "sent" : "draft" });
    expect(graph.asked.filter(({ route }) => route === "send")).toHaveLength(1);
  },
);

test.each<GraphErrorCode>([
  "ApplicationThrottled",
  "ErrorInternalServerError",
  "ServiceUnavailable",
  "CommandConcurrencyLimitReached",
  "UnknownError",
])("%s as the response to a send counts as lost, because the email may have been sent", async (code) => {
  const draft = await createDraft(access(), mail());
  graph.fault({ on: "send", answer: refuse(code, { retryAfter: 1 }), after: true });
  expect(await sendDraft(access(), draft)).toMatchObject({ kind: "lost" });
  await graph.release();
  expect(graph.sent).toHaveLength(1);
  expect(await lookAtDraft(access(), draft)).toMatchObject({ kind: "sent" });
});

test.each<[GraphErrorCode, string]>([
  ["ErrorSendAsDenied", "rights"],
  ["ErrorAccessDenied", "rights"],
  ["MailboxNotEnabledForRESTAPI", "off"],
  ["ErrorInvalidRecipients", "invalid"],
  ["ErrorMessageSizeExceeded", "invalid"],
  ["InvalidAuthenticationToken", "expired"],
  ["ErrorExceededMessageLimit", "limit"],
])("%s as the response to a send counts as refused, and the email is not sent", async (code, kind) => {
  const draft = await createDraft(access(), mail());
  graph.fault({ on: "send", answer: refuse(code) });
  expect(await sendDraft(access(), draft)).toMatchObject({ kind: "refused", trouble: { kind, code } });
  await graph.release();
  expect(graph.sent).toEqual([]);
});

test("a throttled creation of a draft reports the wait time, and a second attempt succeeds", async () => {
  graph.fault({ on: "create", answer: refuse("ApplicationThrottled", { retryAfter: 7 }) });
  await expect(createDraft(access(), mail())).rejects.toMatchObject({ kind: "rate", waitMs: 7_000 });
  expect(await createDraft(access(), mail())).toEqual({ draftId: expect.any(String) });
});

const [SMALL, LARGE] = [randomBytes(100_000), randomBytes(5_000_000)];

async function largeMail(): Promise<Buffer> {
  const { bytes } = await composeMessage({
    from: { address: ANN, name: "Ann" },
    to: { address: "bob@b.test", name: "Bob Böhm" },
    cc: [{ address: "cc@b.test" }],
    subject: "Re: Ein Gespräch",
    text: "Hello\n",
    html: "<p>Hello, Bob Böhm</p>",
    messageId: "<1@ours.test>",
    inReplyTo: "<their@b.test>",
    references: ["<first@ours.test>", "<their@b.test>"],
    mailRef: "abcd2345",
    files: [
      { fileName: "Übersicht.pdf", contentType: "application/pdf", content: LARGE },
      { fileName: "note.txt", contentType: "text/plain", content: SMALL },
    ],
    date: new Date(),
  });
  expect(bytes.length).toBeGreaterThan(GRAPH_MAIL_BYTES);
  return nameCopies(bytes, ["cc@b.test", "bcc@b.test"]);
}

test("an email of more than 3 MB is sent with its files, in its thread, to its copies, and with the reference that finds its Sent copy", async () => {
  const draft = await createDraft(access(), await largeMail());
  expect(await sendDraft(access(), draft)).toEqual({ kind: "accepted" });
  await graph.release();
  const [{ raw, to } = { raw: Buffer.from(""), to: [] }] = graph.sent;
  expect(to.toSorted()).toEqual(["bcc@b.test", "bob@b.test", "cc@b.test"]);
  const seen = await simpleParser(raw);
  expect(seen).toMatchObject({ subject: "Re: Ein Gespräch", inReplyTo: "<their@b.test>" });
  expect(seen.references).toEqual(["<first@ours.test>", "<their@b.test>"]);
  expect([seen.html, seen.headers.get("x-mail-ref")]).toEqual([
    expect.stringContaining("<p>Hello, Bob Böhm</p>"),
    "abcd2345",
  ]);
  expect(seen.attachments.map(({ filename, contentType, content }) => [filename, contentType, content])).toEqual([
    ["Übersicht.pdf", "application/pdf", LARGE],
    ["note.txt", "text/plain", SMALL],
  ]);
});

test.each([
  ["upload", true],
  ["upload", false],
  ["attach", false],
  ["createUploadSession", false],
] as const)(
  "when the answer to the %s of a large email is lost (took effect: %s), its draft is deleted and nothing is sent",
  async (on, after) => {
    graph.fault({ on, answer: "lost", after });
    await expect(createDraft(access(), await largeMail())).rejects.toMatchObject({ kind: "away" });
    const mailbox = graph.mailbox(ANN);
    expect(mailbox.in(mailbox.idOf("drafts"))).toEqual([]);
    expect(graph.sent).toEqual([]);
  },
);

test("a response other than 201 means that the draft was not saved", async () => {
  graph.settings.silentOverBytes = 100;
  await expect(createDraft(access(), mail("a".repeat(1_000)))).rejects.toMatchObject({
    kind: "away",
    code: "DraftNotSaved",
  });
  graph.settings.silentOverBytes = null;
  graph.fault({ on: "create", answer: { status: 200, body: { id: "AAMk" } } });
  await expect(createDraft(access(), mail())).rejects.toMatchObject({ kind: "away", code: "DraftNotSaved" });
});

test("a deleted draft is reported as gone, and deleting a draft twice is not an error", async () => {
  const draft = await createDraft(access(), mail());
  await deleteDraft(access(), draft);
  await deleteDraft(access(), draft);
  expect(await lookAtDraft(access(), draft)).toEqual({ kind: "gone" });
  expect(await sendDraft(access(), draft)).toMatchObject({ kind: "lost", trouble: { kind: "gone" } });
});
