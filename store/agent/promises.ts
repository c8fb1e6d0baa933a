import type { ModelAnswer } from "../../domain/agent/answer.ts";
import { dueAtOf } from "../../domain/inbox/intent/dates.ts";
import type { ReplyIntent } from "../../domain/inbox/intent/intents.ts";
import { isZone } from "../../domain/time/schedule.ts";
import { ReplyPromise } from "../../models/agent/reply-promise.ts";
import type { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { IS_INSTANT } from "../../mongo/schema.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadWorkspace } from "../campaigns/load.ts";
import { emit, nudge } from "../outbox.ts";
import { loadAgentSettings } from "./settings.ts";

const MOST_PROMISES = 5;

type FoundPromise =
  | { kind: "TIME"; sentence: string; date: string }
  | { kind: "REFERRAL"; sentence: string; address: string };

/**
 * Stores the promises that the words of an email make (rules/agent 5.1). Call it in the transaction that stored the
 * email.
 */
export async function notePromises(message: Message, { clauses }: ReplyIntent): Promise<void> {
  const found = clauses.flatMap(({ intent, words: sentence, date, address }): FoundPromise[] => {
    if (intent === "LATER" && date !== null) return [{ kind: "TIME", sentence, date }];
    return intent === "REFERRAL" && address !== null ? [{ kind: "REFERRAL", sentence, address }] : [];
  });
  if (found.length > 0)
    await storePromises(message, found.slice(0, MOST_PROMISES), await writerZoneOf(message), "RULES");
}

/**
 * Stores the promises that a model has found, unless the rules have found promises of the same kind. Call it in a
 * transaction.
 */
export async function noteModelPromises(message: Message, promises: ModelAnswer["promises"]): Promise<void> {
  const { workspaceId, _id: messageId, from, to } = message;
  if (promises.length === 0) return;
  const before = await scoped(workspaceId).ReplyPromise.find({ messageId }, { select: { kind: 1 } });
  const kinds = new Set(before.map(({ kind }) => kind));
  const addresses = [from ?? "", ...to.map(({ address }) => address)].map((one) => one.toLowerCase());
  const found = promises.flatMap(({ sentence, date, address }): FoundPromise[] => {
    if (address !== null && !addresses.includes(address)) return [{ kind: "REFERRAL", sentence, address }];
    return date === null ? [] : [{ kind: "TIME", sentence, date }];
  });
  await storePromises(
    message,
    found.filter(({ kind }) => !kinds.has(kind)),
    await writerZoneOf(message),
    "MODEL",
  );
}

async function storePromises(
  message: Message,
  found: readonly FoundPromise[],
  timeZone: string,
  foundBy: "RULES" | "MODEL",
): Promise<void> {
  const { workspaceId, _id: messageId, threadId, leadId, campaignId, recipientId, receivedAt, from } = message;
  if (threadId === null || receivedAt === null) return;
  const { ReplyPromise } = scoped(workspaceId);
  const about = { threadId, messageId, leadId, campaignId, recipientId, saidBy: from };
  // Two sentences may contain the same day
  const promised = new Set<string>();
  for (const promise of found) {
    const { kind, sentence } = promise;
    const what = promise.kind === "TIME" ? promise.date : promise.address;
    const dueAt = promise.kind === "TIME" ? dueAtOf(promise.date, receivedAt.getTime(), timeZone) : null;
    if (promised.has(what) || (kind === "TIME" && dueAt === null)) continue;
    promised.add(what);
    const address = promise.kind === "REFERRAL" ? promise.address : null;
    const { _id: promiseId } = await ReplyPromise.insert({
      _id: newId("prm"),
      kind,
      sentence,
      foundBy,
      dueAt,
      address,
      ...about,
    });
    await emit(workspaceId, {
      type: "PROMISE_NOTED",
      leadId,
      campaignId,
      recipientId,
      data: { promiseId, kind, dueAt, messageId },
    });
  }
}

/** The author's time zone if it is known, otherwise the workspace's. */
async function writerZoneOf({ workspaceId, recipientId, leadId }: Message): Promise<string> {
  const { Lead, Recipient } = scoped(workspaceId);
  const recipient = recipientId === null ? null : await Recipient.get(recipientId);
  const lead = leadId === null ? null : await Lead.get(leadId);
  const given = recipient?.timezone ?? lead?.timezone ?? (await loadWorkspace(workspaceId)).timezone;
  return isZone(given) ? given : "UTC";
}

/**
 * Moves threads with a due promise back to the inbox, in all workspaces. Handles at most `most` promises and returns
 * how many there were.
 */
export async function fulfilPromises(most: number, now: Date): Promise<number> {
  const due = {
    status: "PENDING" as const,
    kind: "TIME" as const,
    $and: [{ dueAt: trusted(IS_INSTANT) }, { dueAt: trusted({ $lte: now }) }],
  };
  const rows = await ReplyPromise.find(due, { workspaceId: 1 }, { acrossWorkspaces: true })
    .limit(most)
    .lean<Pick<ReplyPromise, "workspaceId" | "_id">[]>();
  for (const { workspaceId, _id } of rows) await fulfil(workspaceId, _id);
  return rows.length;
}

/**
 * Marks the thread unread and unarchives it, with the promise as the reason. Where the workspace has an agent, the
 * agent drafts a reply once. Nothing happens when someone has cancelled the promise.
 */
function fulfil(workspaceId: string, promiseId: string): Promise<void> {
  return inTransaction(async () => {
    const { AgentTask, ReplyPromise, Thread } = scoped(workspaceId);
    const promise = await ReplyPromise.findOneAndUpdate(
      { _id: promiseId, status: "PENDING" },
      { $set: { status: "DUE" } },
    );
    if (promise === null) return;
    const { threadId, leadId, campaignId, recipientId, messageId } = promise;
    const back = { isRead: false, isArchived: false, unreadCount: { $max: ["$unreadCount", 1] }, updatedAt: "$$NOW" };
    await Thread.updateOne({ _id: threadId }, [{ $set: back }]);
    if ((await loadAgentSettings(workspaceId)).enabled) {
      await AgentTask.insert({ _id: promiseId, threadId });
      await nudge(workspaceId, "AGENT_REPLY", { messageId: promiseId });
    }
    await emit(workspaceId, {
      type: "PROMISE_DUE",
      leadId,
      campaignId,
      recipientId,
      data: { promiseId, threadId, messageId },
    });
  });
}
