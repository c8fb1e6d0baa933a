import { randomUUID } from "node:crypto";
import { HOUR_MS } from "../../domain/time/durations.ts";
import type { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { newKey } from "../inbox/replying-world.ts";
import type { Rest, RestAnswer } from "../support/rest.ts";
import type { PolicyAsked, World } from "../support/world.ts";

export const refusal = (status: number, code: string, details?: object) => ({
  status,
  body: { code, ...(details && { details }) },
});
export const tokenOf = ({ body }: RestAnswer): string => body.planToken;

/** A message in a thread, as reading mail leaves it. */
export async function writtenBy(
  workspaceId: string,
  threadId: string,
  mailboxId: string,
  from: string,
  more: Partial<Message> = {},
) {
  const emailDomain = from.slice(from.indexOf("@") + 1);
  return scoped(workspaceId).Message.insert({
    _id: newId("msg"),
    mailboxId,
    threadId,
    from,
    contentKey: randomUUID(),
    rfcMessageId: `<${randomUUID()}@${emailDomain}>`,
    kind: "REPLY",
    subject: "Re: Widgets",
    receivedAt: new Date(),
    bodyText: "Tell me more",
    ...more,
  });
}

/** A workspace with a mailbox and threads in which people wrote, and agents that answer them. */
export async function inboxOf(world: World) {
  const made = await world.workspace();
  const { workspaceId } = made;
  const mailbox = await storedMailbox(workspaceId);
  const thread = async (from: string) => {
    const { _id: threadId } = await scoped(workspaceId).Thread.insert({
      _id: newId("thr"),
      mailboxId: mailbox._id,
      subject: "Widgets",
      lastMessageAt: new Date(),
      messageCount: 1,
    });
    await writtenBy(workspaceId, threadId, mailbox._id, from);
    return threadId;
  };
  const reply = (by: Rest, threadId: string, fields: object = {}) =>
    by.post(`/inbox/threads/${threadId}/reply`, { text: "Gladly.", idempotencyKey: newKey(), ...fields });
  const schedule = (by: Rest, threadId: string, fields: object = {}) =>
    by.post(`/inbox/threads/${threadId}/schedule`, {
      text: "As promised.",
      sendAt: LATER,
      idempotencyKey: newKey(),
      ...fields,
    });
  const waiting = () => scoped(workspaceId).ScheduledReply.count({ status: "PENDING" });
  return {
    ...made,
    mailbox,
    thread,
    reply,
    schedule,
    waiting,
    agent: (policy: PolicyAsked) => made.withPolicy(policy),
  };
}

export const LATER = new Date(Date.now() + 10 * HOUR_MS).toISOString();
