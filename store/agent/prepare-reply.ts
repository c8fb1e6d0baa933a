import { randomBytes } from "node:crypto";
import type { DraftGround } from "../../domain/agent/outgoing-rules.ts";
import { type AgentQuestion, type AskedMail, HOUSE_RULES } from "../../domain/agent/question.ts";
import { type AgentSettings, peopleOnlyIn } from "../../domain/agent/settings.ts";
import type { ReplyIntent } from "../../domain/inbox/intent/intents.ts";
import { readIntent } from "../../domain/inbox/intent/read.ts";
import { addresseeOf } from "../../domain/inbox/reply.ts";
import { ownWords } from "../../domain/mail/own-words.ts";
import type { Variant } from "../../domain/sequences/sequence.ts";
import { textOf } from "../../domain/templates/body.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { AgentTask } from "../../models/agent/agent-task.ts";
import type { ReplyPromise } from "../../models/agent/reply-promise.ts";
import type { Approval } from "../../models/campaigns/approval.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Thread } from "../../models/inbox/thread.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isBeingAnswered } from "../inbox/answering.ts";
import { newestAnswerable } from "../inbox/reply-letter.ts";
import { nudge } from "../outbox.ts";
import { findSendable } from "../suppression/sendable.ts";
import { notePromises } from "./promises.ts";
import { loadAgentSettings } from "./settings.ts";

const MOST_MAILS = 10;

/** An email that the agent may handle, with everything that is needed to judge the agent's reply. */
export interface ReplyGround {
  message: Message & { threadId: string };
  thread: Thread;
  mailbox: Mailbox;
  lead: Lead | null;
  settings: AgentSettings;
  task: AgentTask;
  /** The due promise because of which the agent handles the email again; null: the email has just arrived. */
  promise: ReplyPromise | null;
  /** The open question whether the email asks to stop further email. The model's answer to it is only a suggestion. */
  openQuestion: Approval | null;
}

/** `people`: the words of the email put it in a category that only people may answer. */
export type Prepared =
  | { kind: "ask"; ground: ReplyGround; question: Omit<AgentQuestion, "meeting">; draftGround: DraftGround }
  | { kind: "people"; ground: ReplyGround; category: string }
  | { kind: "skip"; why: string };

/**
 * Loads the question that a model must answer about an email or a due promise. Otherwise returns why no model is asked
 * (rules/agent 3.3, 5.3).
 */
export async function prepareReply(workspaceId: string, taskId: string, today: string): Promise<Prepared> {
  const { AgentTask, Approval, Lead, Mailbox, Message, ReplyPromise, Thread } = scoped(workspaceId);
  const task = await AgentTask.get(taskId);
  if (task?.status !== "QUEUED") return skip("SETTLED");
  const settings = await loadAgentSettings(workspaceId);
  if (!settings.enabled) return skip("DISABLED");
  const promise = await ReplyPromise.get(taskId);
  if (promise !== null && promise.status !== "DUE") return skip("CANCELLED");
  const messageId = promise?.messageId ?? taskId;
  const message = await Message.get(messageId);
  const thread = message?.threadId ? await Thread.get(message.threadId) : null;
  const mailbox = message === null ? null : await Mailbox.get(message.mailboxId);
  if (message === null || thread === null || mailbox === null || mailbox.status === "DISCONNECTED") return skip("GONE");
  if (message.category !== null && promise === null) return skip("CATEGORISED");
  if ((await newestAnswerable(workspaceId, thread._id))?._id !== messageId) return skip("NEWER_MAIL");
  if (await isBeingAnswered(message, sinceOf({ task, promise }))) return skip("ANSWERED");
  const openQuestion = await Approval.findOne({ messageId, kind: "OPT_OUT" });
  // No model is asked when a person has already decided about the opt-out, or when the email is handled again because
  // of a promise
  if (openQuestion !== null && (openQuestion.status !== "PENDING" || promise !== null)) return skip("MAY_OPT_OUT");
  const lead = thread.leadId === null ? null : await Lead.get(thread.leadId);
  const people = [addresseeOf(message, mailbox.email)?.address, message.from, lead?.email].flatMap((one) => one ?? []);
  if (people.length === 0) return skip("NO_ADDRESSEE");
  if ((await findSendable(workspaceId, people)).length < new Set(people.map((one) => one.toLowerCase())).size)
    return skip("SUPPRESSED");
  const ground = {
    message: { ...message, threadId: thread._id },
    thread,
    mailbox,
    lead,
    settings,
    task,
    promise,
    openQuestion,
  };
  const category = peopleOnlyIn(readIntent({ words: replyTextOf(message), subject: message.subject }));
  if (category !== null) return { kind: "people", ground, category };
  const mails = await loadMails(workspaceId, thread._id);
  const canary = randomBytes(9).toString("base64url");
  const question = {
    ref: randomBytes(9).toString("base64url"),
    canary,
    settings,
    mails,
    today,
    due: promise?.sentence ?? null,
  };
  const ours = mails.flatMap(({ by, text }) => (by === "us" ? ownWords(text).words : []));
  const signature = mailbox.signatureHtml === null ? [] : [textOf(mailbox.signatureHtml)];
  const ownTexts = [...settings.knowledge, ...ours, ...signature, ...(await sequenceTextsOf(thread))];
  const instructions = [HOUSE_RULES, settings.instructions ?? "", settings.tone ?? ""];
  return {
    kind: "ask",
    ground,
    question,
    draftGround: { ownTexts, ownAddresses: [mailbox.email, ...people], instructions, canary },
  };
}

/**
 * The instant after which a reply counts as an answer. For a due promise, only replies written since it became due
 * count; null: all replies count.
 */
export function sinceOf({ task, promise }: Pick<ReplyGround, "task" | "promise">): Date | null {
  return promise === null ? null : task.createdAt;
}

/** The texts of the sequence that this thread belongs to. The workspace wrote them, so they can be trusted. */
async function sequenceTextsOf({ workspaceId, campaignId }: Thread): Promise<string[]> {
  const sequence = campaignId === null ? null : await scoped(workspaceId).Sequence.findOne({ campaignId });
  return sequence?.steps.flatMap(({ variants }) => variants.flatMap(textsOf)) ?? [];
}

function textsOf({ bodyHtml, bodyText }: Variant): string[] {
  return [bodyHtml === null ? "" : textOf(bodyHtml), bodyText ?? ""];
}

/** The newest emails of a conversation, oldest first, each as its author wrote it, without quoted text. */
async function loadMails(workspaceId: string, threadId: string): Promise<AskedMail[]> {
  const { Message } = scoped(workspaceId);
  const newest = await Message.find({ threadId }, { sort: { receivedAt: -1, _id: -1 }, limit: MOST_MAILS });
  return newest
    .reverse()
    .map((message) => ({ by: message.direction === "OUTBOUND" ? "us" : "them", text: replyTextOf(message) }));
}

function replyTextOf({ replyText, bodyText }: Pick<Message, "replyText" | "bodyText">): string {
  return replyText || bodyText || "";
}

function skip(why: string): Prepared {
  return { kind: "skip", why };
}

/** Longer than one attempt with all its waits, so that work in progress is not started again. */
const FORGOTTEN_MS = 2 * MINUTE_MS;

/**
 * Unfinished tasks of the agent in all workspaces. If the workflow run of a task still waits for its model, starting
 * the task again joins that run.
 */
export function findForgottenTasks(most: number): Promise<Pick<AgentTask, "workspaceId" | "_id">[]> {
  const since = trusted({ $lt: new Date(Date.now() - FORGOTTEN_MS) });
  return AgentTask.find({ status: "QUEUED", updatedAt: since }, { workspaceId: 1 }, { acrossWorkspaces: true })
    .limit(most)
    .lean<Pick<AgentTask, "workspaceId" | "_id">[]>()
    .exec();
}

/**
 * Older emails are ignored. They were in the mailbox before the agent was, for example those from the first
 * synchronisation.
 */
const FRESH_MS = 3 * DAY_MS;

/**
 * Stores the promises of an email and creates a task for the agent where the workspace has one. Call it in the
 * transaction that stored the email, so that either all of this is stored or nothing.
 */
export async function heedReply(message: Message, intent: ReplyIntent): Promise<void> {
  const { workspaceId, _id: messageId, threadId, receivedAt } = message;
  if (threadId === null || receivedAt === null || receivedAt.getTime() < Date.now() - FRESH_MS) return;
  await notePromises(message, intent);
  // An email that is settled, or that only people may answer, already has its category. An email that a machine may
  // have written is not answered automatically (rules/agent 3.3)
  if (message.category !== null || message.isDoubtful) return;
  const { enabled } = await loadAgentSettings(workspaceId);
  if (!enabled) return;
  await scoped(workspaceId).AgentTask.insert({ _id: messageId, threadId });
  await nudge(workspaceId, "AGENT_REPLY", { messageId });
}
