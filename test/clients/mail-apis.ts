import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type BearerAccess, NO_LIMITS } from "../../connectors/bearer-call.ts";
import { readHeaders } from "../../connectors/gmail/messages.ts";
import * as gmailSend from "../../connectors/gmail/send.ts";
import * as graphSend from "../../connectors/graph/send.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { type FakeGmail, startGmail } from "../fakes/gmail/server.ts";
import { type FakeGraph, startGraph } from "../fakes/graph/server.ts";

/** The clients that Google and Microsoft publish. */
export const MAIL_API_CLIENTS = { "@googleapis/gmail": "22.0.1", "@microsoft/microsoft-graph-client": "3.0.7" };

const EMAIL = "ann@provider.test";
const GONE = "r-1";
const MARK = "abcdefghijklmnopqrst";
const side = z.object({
  id: z.string(),
  messageId: z.string(),
  added: z.array(z.string()),
  ours: z.string(),
  refused: z.tuple([z.literal(404), z.string()]),
});
const Theirs = z.object({
  gmail: side.extend({ drafts: z.tuple([z.literal(true)]), threadId: z.string(), found: z.array(z.string()) }),
  graph: side.extend({
    drafts: z.tuple([z.tuple([z.literal(true), z.literal(MARK)])]),
    isDraft: z.literal(false),
    hasLink: z.literal(true),
  }),
});

/**
 * The vendors' own clients and ours send by the same stand-ins: each finds what the other has sent, under the same ids,
 * and both understand the refusals.
 */
export async function tryMailApis(tools: string): Promise<string> {
  const gmail = await startGmail({ knows: (token) => (token === EMAIL ? EMAIL : null) });
  const graph = await startGraph({
    mailboxes: [{ address: EMAIL }],
    knows: (token) => (token === EMAIL ? { address: EMAIL } : null),
  });
  graph.settings.messageId = "minted at transport";
  const egress = createEgress({ allow: parseAllow("127.0.0.1:*"), ownAddresses: [] });
  const signal = AbortSignal.timeout(60_000);
  const atGmail: BearerAccess = { egress, url: gmail.url, token: EMAIL, signal, quota: NO_LIMITS };
  const atGraph = { egress, url: `${graph.url}/v1.0`, token: EMAIL, signal, quota: NO_LIMITS, mailbox: "/me" as const };
  try {
    const sent = await gmailSend.sendDraft(atGmail, await gmailSend.createDraft(atGmail, mail("Ours"), null));
    assert.equal(sent.kind, "sent");
    const draft = await graphSend.createDraft(atGraph, mail("Ours"));
    assert.equal((await graphSend.sendDraft(atGraph, draft)).kind, "accepted");
    await graph.release();
    const ours = { gmail: sent.kind === "sent" ? sent.messageId : "", graph: draft.draftId };
    const theirs = Theirs.parse(await runTheirs(tools, gmail, graph, ours));
    const wire = (fake: FakeGmail | FakeGraph) => fake.sent.map(({ messageId }) => messageId);
    assert.deepEqual([theirs.gmail.ours, theirs.gmail.messageId], wire(gmail));
    assert.deepEqual([theirs.graph.ours, theirs.graph.messageId], wire(graph));
    assert.ok(theirs.gmail.added.includes(theirs.gmail.id) && theirs.gmail.found.includes(ours.gmail));
    assert.deepEqual(theirs.graph.added.toSorted(), [ours.graph, theirs.graph.id].toSorted());
    assert.deepEqual([theirs.gmail.refused[1], theirs.graph.refused[1]], ["notFound", "ErrorItemNotFound"]);
    const headers = await readHeaders(atGmail, theirs.gmail.id, ["Message-ID"]);
    assert.equal(headers.get("message-id"), theirs.gmail.messageId);
    const looked = await graphSend.lookAtDraft(atGraph, { draftId: theirs.graph.id });
    assert.equal(looked.kind === "sent" ? looked.messageId : looked.kind, theirs.graph.messageId);
    return "each found the emails that the other had sent, under the same ids";
  } finally {
    await egress.close();
    await gmail.close();
    await graph.close();
  }
}

async function runTheirs(
  tools: string,
  gmail: FakeGmail,
  graph: FakeGraph,
  ours: { gmail: string; graph: string },
): Promise<unknown> {
  const script = "mail-api-clients.mjs";
  await copyFile(fileURLToPath(new URL(script, import.meta.url)), join(tools, script));
  const child = spawn(process.execPath, ["--no-warnings", script], { cwd: tools, stdio: ["pipe", "pipe", "pipe"] });
  const addresses = { gmailUrl: gmail.url, graphUrl: graph.url };
  const raw = mail("Theirs").toString("base64url");
  child.stdin.end(JSON.stringify({ ...addresses, token: EMAIL, gone: GONE, ours, raw }));
  child.stderr.pipe(process.stderr);
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (code !== 0) throw new Error(said.slice(-4_000));
  return JSON.parse(said.trim().split("\n").at(-1) ?? "");
}

function mail(subject: string): Buffer {
  const head = [`From: ${EMAIL}`, "To: bob@b.test", `Subject: ${subject}`, `X-Mail-Ref: ${MARK}`];
  return Buffer.from(`${[...head, `Message-ID: <${subject}@ours.test>`].join("\r\n")}\r\n\r\nHello\r\n`);
}
