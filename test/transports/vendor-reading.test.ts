import { afterAll, afterEach, beforeEach, expect, test } from "@jest/globals";
import type { BearerAccess } from "../../connectors/bearer-call.ts";
import { NO_LIMITS } from "../../connectors/bearer-call.ts";
import { historySince } from "../../connectors/gmail/history.ts";
import { listMessages, listSenders, readRaw } from "../../connectors/gmail/messages.ts";
import type { GraphAccess } from "../../connectors/graph/call.ts";
import { type DeltaPage, readDelta } from "../../connectors/graph/delta.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { type FakeGmail, startGmail } from "../fakes/gmail/server.ts";
import { type FakeGraph, startGraph } from "../fakes/graph/server.ts";

const ANN = "ann@a.test";
const egress = createEgress({ allow: parseAllow("127.0.0.1:*"), ownAddresses: [] });
const signal = new AbortController().signal;
let gmail: FakeGmail;
let graph: FakeGraph;

beforeEach(async () => {
  gmail = await startGmail({ knows: () => ANN });
  graph = await startGraph({ mailboxes: [{ address: ANN }], knows: () => ({ address: ANN }) });
});
afterEach(async () => {
  await gmail.close();
  await graph.close();
});
afterAll(() => egress.close());

const atGmail = (): BearerAccess => ({ egress, url: gmail.url, token: "ann", signal, quota: NO_LIMITS });
const atGraph = (): GraphAccess => ({
  egress,
  url: `${graph.url}/v1.0`,
  token: "ann",
  signal,
  quota: NO_LIMITS,
  mailbox: "/me",
});
const incoming = (subject: string) =>
  Buffer.from(
    `From: bob@b.test\r\nTo: ${ANN}\r\nMessage-ID: <${subject}@b.test>\r\nSubject: ${subject}\r\n\r\nHello\r\n`,
  );

/** All changes since a history id, and the id to continue from. */
async function changesSince(start: string): Promise<{ added: string[]; next: string }> {
  const changes = historySince(atGmail(), start, { type: "messageAdded" });
  const added: string[] = [];
  for (;;) {
    const { value, done } = await changes.next();
    if (done) return { added, next: value };
    added.push(...value.messagesAdded.map(({ message }) => message.id));
  }
}

test("Gmail's history returns each new message once across pages, and a later reading continues from the end", async () => {
  const start = String(gmail.mailbox(ANN).historyId);
  const first = gmail.mailbox(ANN).receive(incoming("one"));
  gmail.settings.hollowPages = 1;
  const { added, next } = await changesSince(start);
  expect(added).toEqual([first.id]);
  const second = gmail.mailbox(ANN).receive(incoming("two"));
  expect((await changesSince(next)).added).toEqual([second.id]);
  expect((await readRaw(atGmail(), second.id)).bytes.toString()).toContain("Subject: two");
  expect((await listMessages(atGmail(), "", null)).ids).toEqual([second.id, first.id]);
});

test("history that Gmail no longer has is reported as gone", async () => {
  gmail.mailbox(ANN).receive(incoming("one"));
  gmail.mailbox(ANN).forgetHistory();
  await expect(changesSince("1")).rejects.toMatchObject({ kind: "gone" });
});

test("an unconfirmed Gmail alias is not listed as a sender", async () => {
  gmail
    .mailbox(ANN)
    .sendAs.push(
      { sendAsEmail: "Sales@a.test", verificationStatus: "accepted" },
      { sendAsEmail: "new@b.test", verificationStatus: "pending" },
    );
  expect(await listSenders(atGmail())).toEqual([ANN, "sales@a.test"]);
});

async function roundOf(from: Parameters<typeof readDelta>[1]): Promise<DeltaPage & { all: DeltaPage["changes"] }> {
  let page = await readDelta(atGraph(), from);
  const all = [...page.changes];
  while (page.next !== null) {
    page = await readDelta(atGraph(), { link: page.next });
    all.push(...page.changes);
  }
  return { ...page, all };
}

test("Graph's delta returns each new message once across pages, and a later reading continues from the end", async () => {
  graph.settings.pageSize = 2;
  for (const subject of ["one", "two", "three"]) await graph.arrive(ANN, incoming(subject));
  const first = await roundOf({ folder: "inbox", since: new Date(0) });
  expect(first.all.map(({ messageId }) => messageId).sort()).toEqual([
    "<one@b.test>",
    "<three@b.test>",
    "<two@b.test>",
  ]);
  await graph.arrive(ANN, incoming("four"));
  const { all } = await roundOf({ link: first.delta ?? "" });
  expect(all).toMatchObject([{ messageId: "<four@b.test>", isRemoved: false, isDraft: false }]);
});

test("a delta link that Graph no longer knows is reported as stale, and a link to another server is never followed", async () => {
  const { delta } = await roundOf({ folder: "inbox", since: new Date(0) });
  graph.expireDelta();
  await expect(readDelta(atGraph(), { link: delta ?? "" })).rejects.toMatchObject({ kind: "stale" });
  const asked = graph.asked.length;
  await expect(readDelta(atGraph(), { link: `${graph.url}.evil.test/v1.0/me` })).rejects.toThrow("another server");
  expect(graph.asked).toHaveLength(asked);
});
