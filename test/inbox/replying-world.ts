import { randomUUID } from "node:crypto";
import { HOUR_MS } from "../../domain/time/durations.ts";
import type { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import type { SentMail } from "../fakes/sent-mail.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest, RestAnswer } from "../support/rest.ts";
import { type PolicyAsked, startWorld, type World } from "../support/world.ts";
import { mailboxIn } from "./mailbox-in.ts";

const MAILBOXES = ["ann@a.test", "bob@a.test", "cid@a.test", "dan@a.test", "eve@a.test"];

/** A thread as reading mail leaves it: a person wrote to one of our mailboxes. */
export interface Conversation {
  threadId: string;
  messageId: string;
  mailboxId: string;
  leadId: string | null;
  from: string;
  rfcMessageId: string;
}

/** A world with the real worker, mailboxes of a sandbox, and people who have written to them. */
export interface AnsweringWorld {
  world: World;
  rest: Rest;
  /** Another key of the workspace, which may send as this policy says. */
  withPolicy(policy: PolicyAsked): Promise<Rest>;
  /** Its owner, signed in in their own browser. */
  person(): Promise<Rest>;
  workspaceId: string;
  sandbox: Sandbox;
  mailboxIds: Map<string, string>;
  conversation(
    from: string,
    more?: { at?: string; message?: Partial<Message>; isLead?: boolean },
  ): Promise<Conversation>;
  /** Replies under a new key unless one is given. */
  answer(to: Conversation, fields?: object): Promise<RestAnswer>;
  schedule(to: Conversation, fields?: object): Promise<RestAnswer>;
  mailsTo(email: string): SentMail[];
  close(): Promise<void>;
}

export const newKey = () => `key-${randomUUID()}`;

/** `isWorked` false: no worker sends what the API stores. */
export async function startAnsweringWorld({ isWorked = true } = {}): Promise<AnsweringWorld> {
  const certificate = await makeCertificate();
  const sandbox = await startSandbox({ mailboxes: MAILBOXES, certificate, reactionMs: { min: 20, max: 60 } });
  const world = await startWorld({
    temporal: true,
    ...(isWorked && { worker: realWorker({ extraCa: certificate.cert }) }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*" },
  });
  const { rest, workspaceId, withPolicy, person } = await world.workspace();
  const mailboxIds = new Map<string, string>();
  for (const email of MAILBOXES) mailboxIds.set(email, await mailboxIn(world, workspaceId, email, sandbox));

  async function conversation(
    from: string,
    { at = "ann@a.test", message = {}, isLead = true } = {},
  ): Promise<Conversation> {
    const { Lead, Message, Thread } = scoped(workspaceId);
    const mailboxId = mailboxIds.get(at) ?? "";
    const emailDomain = from.slice(from.indexOf("@") + 1);
    const leadId = isLead ? newId("led") : null;
    if (leadId !== null) await Lead.insert({ _id: leadId, email: from, emailDomain });
    const threadId = newId("thr");
    const rfcMessageId = `<${randomUUID()}@${emailDomain}>`;
    await Thread.insert({
      _id: threadId,
      mailboxId,
      leadId,
      subject: "Widgets",
      lastMessageAt: new Date(),
      messageCount: 1,
    });
    const { _id: messageId } = await Message.insert({
      _id: newId("msg"),
      mailboxId,
      threadId,
      leadId,
      from,
      rfcMessageId,
      contentKey: randomUUID(),
      kind: "REPLY",
      subject: "Re: Widgets",
      receivedAt: new Date(),
      bodyText: "Tell me more",
      ...message,
    });
    return { threadId, messageId, mailboxId, leadId, from, rfcMessageId };
  }

  return {
    world,
    rest,
    withPolicy,
    person,
    workspaceId,
    sandbox,
    mailboxIds,
    conversation,
    answer: ({ threadId }, fields = {}) =>
      rest.post(`/inbox/threads/${threadId}/reply`, { text: "Gladly.", idempotencyKey: newKey(), ...fields }),
    schedule: ({ threadId }, fields = {}) =>
      rest.post(`/inbox/threads/${threadId}/schedule`, {
        text: "As promised.",
        sendAt: new Date(Date.now() + HOUR_MS).toISOString(),
        idempotencyKey: newKey(),
        ...fields,
      }),
    mailsTo: (email) => sandbox.ledger.filter(({ to }) => to.includes(email)),
    async close() {
      await world.close();
      await sandbox.close();
    },
  };
}
