import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { MockActivityEnvironment } from "@temporalio/testing";
import { DefaultLogger } from "@temporalio/worker";
import { pino } from "pino";
import { createLogins } from "../../activities/mailboxes/logins.ts";
import { type Connections, createConnections } from "../../activities/sending/connections.ts";
import { singleSendActivities } from "../../activities/sending/one-off.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { LAST_ATTEMPT, type ScheduledOutcome } from "../../domain/workflow-contract.ts";
import { scoped } from "../../models/scoped.ts";
import { beginScheduled } from "../../store/inbox/reply.ts";
import { accept, refuse } from "../fakes/smtp-answers.ts";
import { type AnsweringWorld, type Conversation, startAnsweringWorld } from "./replying-world.ts";

let answering: AnsweringWorld;
let egress: Egress;
let connections: Connections;

beforeAll(async () => {
  answering = await startAnsweringWorld({ isWorked: false });
  const { keyRing } = answering.world.services;
  egress = createEgress({
    allow: parseAllow("localhost:*"),
    ownAddresses: [],
    extraCa: answering.sandbox.certificate.cert,
  });
  const log = pino({ level: "silent" });
  connections = createConnections(egress, createLogins({ egress, keyRing, providers: NO_PROVIDERS, log }), log);
}, 60_000);
afterAll(async () => {
  connections.close();
  await egress.close();
  await answering.close();
});

test("a temporary refusal is retried under the retry policy, and a scheduled reply fails only with the last attempt", async () => {
  const scheduledId = await scheduled(await answering.conversation("later@b.test"));
  answering.sandbox.smtp.setRules(() => refuse(451, "4.3.0 Try again later"));
  await expect(attempt(scheduledId, 1)).rejects.toMatchObject({ type: "TransientRefusal", nonRetryable: false });
  expect(await replyNow(scheduledId)).toMatchObject({ status: "SENDING" });
  expect(await sendNow(scheduledId)).toMatchObject({ state: "RESERVED", attempts: 1 });
  expect(await attempt(scheduledId, LAST_ATTEMPT)).toEqual({ kind: "ended", status: "FAILED" });
  expect(await replyNow(scheduledId)).toMatchObject({ status: "FAILED", error: { code: "SEND_FAILED" } });
  expect(answering.mailsTo("later@b.test")).toEqual([]);
});

test("a retry that succeeds sends once, and every later run returns the recorded result", async () => {
  const scheduledId = await scheduled(await answering.conversation("again@b.test", { at: "bob@a.test" }));
  answering.sandbox.smtp.setRules(() => refuse(451, "4.3.0 Try again later"));
  await expect(attempt(scheduledId, 1)).rejects.toThrow();
  answering.sandbox.smtp.setRules(() => accept);
  for (const tried of [2, 1]) expect(await attempt(scheduledId, tried)).toEqual({ kind: "ended", status: "SENT" });
  expect(answering.mailsTo("again@b.test")).toHaveLength(1);
});

test("when a server asks to slow down, the next attempt is 15 minutes later", async () => {
  const scheduledId = await scheduled(await answering.conversation("slow@b.test", { at: "cid@a.test" }));
  answering.sandbox.smtp.setRules(() => refuse(450, "4.7.28 Too many messages from this sender"));
  await expect(attempt(scheduledId, 1)).rejects.toMatchObject({ nextRetryDelay: "15m" });
  answering.sandbox.smtp.setRules(() => accept);
  const { mailboxId } = (await replyNow(scheduledId)) ?? { mailboxId: "" };
  expect(await scoped(answering.workspaceId).Mailbox.get(mailboxId)).toMatchObject({ rateRefusals: 1 });
});

test("when two runs of one scheduled reply meet, one sends, and the other waits for the lease or returns the result", async () => {
  const scheduledId = await scheduled(await answering.conversation("twice@b.test", { at: "dan@a.test" }));
  const outcomes = await Promise.all([1, 2, 3].map(() => attempt(scheduledId, 1)));
  for (const outcome of outcomes)
    expect([
      { kind: "ended", status: "SENT" },
      { kind: "later", at: expect.any(Number) },
    ]).toContainEqual(outcome);
  expect(outcomes.filter(({ kind }) => kind === "ended").length).toBeGreaterThan(0);
  expect(answering.mailsTo("twice@b.test")).toHaveLength(1);
});

test("after a restore a reply waits unchanged until its mailbox has been compared with the sent folder", async () => {
  const { SentFolderCheck } = scoped(answering.workspaceId);
  const to = await answering.conversation("restored@b.test", { at: "bob@a.test" });
  const scheduledId = await scheduled(to);
  await SentFolderCheck.insert({ _id: to.mailboxId, since: new Date(), giveUpAt: new Date() });
  expect(await attempt(scheduledId, 1)).toEqual({ kind: "later", at: expect.any(Number) });
  expect(await replyNow(scheduledId)).toMatchObject({ status: "PENDING" });
  expect(await sendNow(scheduledId)).toBeNull();
  // A reply that had begun before the backup was made
  await beginScheduled(answering.workspaceId, scheduledId);
  expect(await attempt(scheduledId, 1)).toEqual({ kind: "later", at: expect.any(Number) });
  expect(answering.mailsTo("restored@b.test")).toEqual([]);
  await SentFolderCheck.deleteOne({ _id: to.mailboxId });
  expect(await attempt(scheduledId, 1)).toEqual({ kind: "ended", status: "SENT" });
});

test("a message over 10 MiB is refused before a connection is made", async () => {
  const scheduledId = await scheduled(await answering.conversation("huge@b.test", { at: "eve@a.test" }));
  await beginScheduled(answering.workspaceId, scheduledId);
  await scoped(answering.workspaceId).OutgoingMail.updateOne(
    { _id: scheduledId },
    { $set: { text: "\u20ac".repeat(2_000_000) } },
  );
  expect(await attempt(scheduledId, 1)).toEqual({ kind: "ended", status: "FAILED" });
  expect(await replyNow(scheduledId)).toMatchObject({ error: { code: "LIMIT_EXCEEDED" } });
  expect(answering.sandbox.smtp.attempts.filter(({ to }) => to.includes("huge@b.test"))).toEqual([]);
});

async function scheduled(to: Conversation): Promise<string> {
  return (await answering.schedule(to)).body.id;
}

function attempt(scheduledId: string, number: number): Promise<ScheduledOutcome> {
  const metrics = { sent() {}, withdrawn() {}, heldBack() {}, claim() {}, refused() {}, unknown() {} };
  const { sendReply } = singleSendActivities({
    connections,
    keys: answering.world.services.signing,
    abuseContact: null,
    trackUrl: "http://localhost:3000",
    metrics,
    findHosts: async () => ({ hosts: new Map(), asked: 0 }),
  });
  const environment = new MockActivityEnvironment({ attempt: number }, { logger: new DefaultLogger("ERROR") });
  return environment.run(sendReply, {
    v: 1 as const,
    workspaceId: answering.workspaceId,
    scheduledId,
    sendAt: Date.now(),
  });
}

const replyNow = (scheduledId: string) => scoped(answering.workspaceId).ScheduledReply.get(scheduledId);
const sendNow = (scheduledId: string) => scoped(answering.workspaceId).Send.get(scheduledId);
