import { afterAll, afterEach, beforeEach, expect, test } from "@jest/globals";
import type { GraphAccess } from "../../connectors/graph/call.ts";
import { createDraft, deleteDraft, GRAPH_MAIL_BYTES, lookAtDraft, sendDraft } from "../../connectors/graph/send.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { type GraphErrorCode, refuse } from "../fakes/graph/faults.ts";
import { type FakeGraph, startGraph } from "../fakes/graph/server.ts";

const [ANN, TEAM] = ["ann@a.test", "team@a.test"];
const egress = createEgress({ allow: parseAllow("127.0.0.1:*"), ownAddresses: [] });
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
  return { egress, url: `${graph.url}/v1.0`, token, signal: new AbortController().signal, mailbox };
}

function mail(text = "Hello\r\n"): Buffer {
  const head = ["From: Ann <ann@a.test>", "To: bob@b.test", "Subject: A talk", "Message-ID: <1@ours.test>"];
  return Buffer.from(
    `${[...head, "List-Unsubscribe: <https://ours.test/u>", "X-Mail-Ref: abcd2345"].join("\r\n")}\r\n\r\n${text}`,
  );
}

test("an accepted email is a draft until transport has taken it, and then its Message-ID is known", async () => {
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

test.each([true, false])("a lost answer to a send is settled by the draft, where it took effect: %s", async (after) => {
  const draft = await createDraft(access(), mail());
  graph.fault({ on: "send", answer: "lost", after });
  expect(await sendDraft(access(), draft)).toMatchObject({ kind: "lost" });
  await graph.release();
  expect(graph.sent).toHaveLength(after ? 1 : 0);
  expect(await lookAtDraft(access(), draft)).toMatchObject({ kind: after ? "sent" : "draft" });
  expect(graph.asked.filter(({ route }) => route === "send")).toHaveLength(1);
});

test.each<GraphErrorCode>([
  "ApplicationThrottled",
  "ErrorInternalServerError",
  "ServiceUnavailable",
  "CommandConcurrencyLimitReached",
  "UnknownError",
])("%s as the answer to a send says nothing about the email, which may have left", async (code) => {
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
])("%s refuses a send before the email is taken", async (code, kind) => {
  const draft = await createDraft(access(), mail());
  graph.fault({ on: "send", answer: refuse(code) });
  expect(await sendDraft(access(), draft)).toMatchObject({ kind: "refused", trouble: { kind, code } });
  await graph.release();
  expect(graph.sent).toEqual([]);
});

test("a throttled draft names the wait, and the same draft may be made again", async () => {
  graph.fault({ on: "create", answer: refuse("ApplicationThrottled", { retryAfter: 7 }) });
  await expect(createDraft(access(), mail())).rejects.toMatchObject({ kind: "rate", waitMs: 7_000 });
  expect(await createDraft(access(), mail())).toEqual({ draftId: expect.any(String) });
});

test("an email above the size of a request is refused before it is asked, and an answer without an id saved nothing", async () => {
  await expect(createDraft(access(), Buffer.alloc(GRAPH_MAIL_BYTES + 1))).rejects.toMatchObject({ kind: "invalid" });
  expect(graph.asked).toEqual([]);
  graph.settings.silentOverBytes = 100;
  await expect(createDraft(access(), mail("a".repeat(1_000)))).rejects.toMatchObject({
    kind: "away",
    code: "DraftNotSaved",
  });
  graph.settings.silentOverBytes = null;
  graph.fault({ on: "create", answer: { status: 200, body: { id: "AAMk" } } });
  await expect(createDraft(access(), mail())).rejects.toMatchObject({ kind: "away", code: "DraftNotSaved" });
});

test("a draft that was deleted is gone, and deleting it twice is no fault", async () => {
  const draft = await createDraft(access(), mail());
  await deleteDraft(access(), draft);
  await deleteDraft(access(), draft);
  expect(await lookAtDraft(access(), draft)).toEqual({ kind: "gone" });
  expect(await sendDraft(access(), draft)).toMatchObject({ kind: "lost", trouble: { kind: "gone" } });
});
