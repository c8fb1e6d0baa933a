import type { ModelAnswer } from "../../domain/agent/answer.ts";
import type { DraftFault } from "../../domain/agent/outgoing-rules.ts";
import { ASKS_TO_STOP, PEOPLE_ONLY } from "../../domain/agent/settings.ts";
import { argumentHash } from "../../domain/inbox/reply.ts";
import { cleanHeader, replySubject } from "../../domain/mail/message.ts";
import type { AgentTask } from "../../models/agent/agent-task.ts";
import type { ReplyPromise } from "../../models/agent/reply-promise.ts";
import type { Approval } from "../../models/campaigns/approval.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { BY_AGENT, expireDraft, OPEN_MS } from "../campaigns/approvals.ts";
import { isBeingAnswered } from "../inbox/answering.ts";
import { categorise } from "../inbox/categorise.ts";
import { askWhetherToStop } from "../inbox/opt-out-question.ts";
import { reserveReply } from "../inbox/reply.ts";
import { draftLetter, type Letter, newestAnswerable } from "../inbox/reply-letter.ts";
import { emit } from "../outbox.ts";
import { doubtsOf, whyAskFirst } from "./automatic.ts";
import { type ReplyGround, sinceOf } from "./prepare-reply.ts";
import { noteModelPromises } from "./promises.ts";
import { holdAgentSettings } from "./settings.ts";
import { takeAutomaticSend, type UsageDay } from "./usage.ts";

/** How many characters of the other side's subject are kept, which leaves room for "Re: ". */
const MOST_OF_SUBJECT = 250;

/** The outcome for an email that the agent handled. */
export type Settlement = Pick<AgentTask, "status" | "result"> & { approvalId?: string | null };

/**
 * Ends the agent's task for an email without a draft. Returns false when the task had already ended, and then changes
 * nothing.
 */
export async function endTask(
  workspaceId: string,
  taskId: string,
  { status, result, approvalId = null }: Settlement,
): Promise<boolean> {
  const change = { $set: { status, result, approvalId } };
  return (await scoped(workspaceId).AgentTask.updateOne({ _id: taskId, status: "QUEUED" }, change)) > 0;
}

/** Leaves an email to people and sets the category that its words suggest. */
export function leaveToPeople({ message, task }: ReplyGround, category: string): Promise<void> {
  return inTransaction(async () => {
    if (!(await endTask(task.workspaceId, task._id, { status: "SKIPPED", result: category }))) return;
    await giveCategory(message, category);
  });
}

/**
 * Stores what a model said about an email and handles its draft as the workspace's mode requires, in one transaction.
 * If a process dies before the commit, nothing is stored. A second run finds the task ended and stores nothing
 * (rules/agent 4.3).
 */
export function settleReply(
  ground: ReplyGround,
  answer: ModelAnswer,
  fault: DraftFault | null,
  usage: UsageDay,
): Promise<void> {
  const { workspaceId, _id: taskId } = ground.task;
  return inTransaction(async () => {
    const settlement = await storeOutcome(ground, answer, fault, usage);
    if (!(await endTask(workspaceId, taskId, settlement))) throw new IsSettled();
  }).catch((err) => (err instanceof IsSettled ? undefined : Promise.reject(err)));
}

/** Thrown when another run was faster. It rolls back this run's writes. */
class IsSettled extends Error {}

async function storeOutcome(
  before: ReplyGround,
  answer: ModelAnswer,
  fault: DraftFault | null,
  usage: UsageDay,
): Promise<Settlement> {
  const { message } = before;
  const { workspaceId, _id: messageId, threadId } = message;
  // The workspace may have changed or removed the agent's permissions while the model worked
  const settings = await holdAgentSettings(workspaceId);
  const ground = { ...before, settings };
  if (!settings.enabled) return { status: "SKIPPED", result: "DISABLED" };
  if ((await scoped(workspaceId).Thread.get(threadId)) === null) return { status: "SKIPPED", result: "GONE" };
  // Written in every case, so that a newer email or a person's answer at the same moment conflicts with the draft
  await scoped(workspaceId).Thread.touch(threadId);
  if ((await newestAnswerable(workspaceId, threadId))?._id !== messageId)
    return { status: "SKIPPED", result: "NEWER_MAIL" };
  if (await isBeingAnswered(message, sinceOf(ground))) return { status: "SKIPPED", result: "ANSWERED" };
  if (ground.openQuestion !== null) return suggestAnswer(ground.openQuestion, answer);
  const { draft } = answer;
  // The category of an email that is handled again was already set when it arrived
  const category = ground.promise === null ? answer.category : null;
  if (ground.promise === null) await noteModelPromises(message, answer.promises);
  if (category === ASKS_TO_STOP)
    return { status: "DONE", result: "OPT_OUT", approvalId: await askAboutOptOut(ground, answer) };
  if (category !== null) await giveCategory(message, category);
  if (PEOPLE_ONLY.some((one) => one === category)) return { status: "SKIPPED", result: category };
  if (fault !== null) return { status: "DONE", result: `REFUSED_${fault}` };
  if (draft === null) return { status: "DONE", result: "NO_DRAFT" };
  return propose(ground, answer, draft, usage);
}

async function propose(ground: ReplyGround, answer: ModelAnswer, draft: string, usage: UsageDay): Promise<Settlement> {
  const { message, settings } = ground;
  const { workspaceId, _id: messageId, threadId } = message;
  if (settings.mode === "SUGGEST") return suggest(ground, draft);
  const letter = await letterOf(ground, draft);
  if (letter === null) return { status: "SKIPPED", result: "NO_ADDRESSEE" };
  // A thread has at most one waiting draft, the newest
  await expireDraft(workspaceId, threadId);
  const why =
    (await whyAskFirst(ground, letter)) ??
    ((await takeAutomaticSend(usage, settings.dailyLimit)) ? null : "DAILY_LIMIT");
  const { _id: approvalId } = await raiseDraft(ground, answer, letter, why === null);
  if (why !== null) return { status: "DONE", result: why === "APPROVE" ? "APPROVAL" : `APPROVAL_${why}`, approvalId };
  const text = settings.disclosure === null ? draft : `${draft}\n\n${settings.disclosure}`;
  const key = {
    idempotencyKey: `approval/${approvalId}`,
    argumentHash: argumentHash([threadId, text, messageId]),
    approvalId,
  };
  if ((await reserveReply(workspaceId, key, { ...letter, text })) === null)
    throw new Error("The key of a new approval is taken");
  return { status: "DONE", result: "SENT", approvalId };
}

/** Fills the draft of a thread, unless a person has begun one. */
async function suggest({ message }: ReplyGround, text: string): Promise<Settlement> {
  const { workspaceId, threadId } = message;
  const { SavedDraft } = scoped(workspaceId);
  if ((await SavedDraft.get(threadId))?.source === "USER") return { status: "DONE", result: "DRAFT_OF_A_PERSON" };
  const change = { $set: { text, html: null, subject: null, cc: [], source: "AGENT" as const, savedBy: BY_AGENT } };
  await SavedDraft.updateOne({ _id: threadId, source: trusted({ $ne: "USER" }) }, change, { upsert: true });
  return { status: "DONE", result: "DRAFT" };
}

/**
 * The reply to this email. The same rules as for every reply decide its addressee. It has no copies, no attachments,
 * and plain text only.
 */
function letterOf({ message, thread, mailbox }: ReplyGround, text: string): Promise<Letter | null> {
  const subject = replySubject(cleanHeader(message.subject || thread.subject, MOST_OF_SUBJECT));
  return draftLetter(thread, message, mailbox, { text, html: null, subject, cc: [], bcc: [], attachments: [] });
}

async function raiseDraft(ground: ReplyGround, { confidence, reasons }: ModelAnswer, letter: Letter, isSent: boolean) {
  const { message, thread } = ground;
  const { workspaceId, _id: messageId, threadId, campaignId, recipientId } = message;
  const now = new Date();
  const about = {
    threadId,
    messageId,
    campaignId: campaignId ?? thread.campaignId,
    recipientId: recipientId ?? thread.recipientId,
  };
  const approval = await scoped(workspaceId).Approval.insert({
    _id: newId("apr"),
    kind: "REPLY",
    ...about,
    confidence,
    proposedText: letter.text,
    addresses: [letter.to, ...letter.persons],
    reason: [approvalReasonOf(reasons, ground.promise), ...doubtsOf(ground, letter)].join(". "),
    expiresAt: new Date(now.getTime() + OPEN_MS),
    ...(isSent && { status: "APPROVED", decidedBy: BY_AGENT, decidedAt: now }),
  });
  const { _id: approvalId, expiresAt } = approval;
  const type = isSent ? "AGENT_REPLIED" : "APPROVAL_REQUESTED";
  const { leadId } = thread;
  const data = { approvalId, kind: "REPLY", expiresAt };
  await emit(workspaceId, {
    type,
    leadId,
    campaignId: about.campaignId,
    recipientId: about.recipientId,
    actor: BY_AGENT,
    data,
  });
  return approval;
}

/** The sentences of the email that the draft relies on. */
function approvalReasonOf(reasons: readonly string[], promise: ReplyPromise | null): string {
  if (promise !== null) return `The agent drafted this reply because this promise is due: "${promise.sentence}"`;
  if (reasons.length === 0) return "The agent drafted this reply without quoting a sentence of the email";
  return `The agent drafted this reply because of: ${reasons.map((sentence) => `"${sentence}"`).join(" ")}`;
}

/** When a model reads an email as an opt-out, a person is asked, because a model never suppresses an address. */
async function askAboutOptOut(
  { message, thread }: ReplyGround,
  { confidence, reasons }: ModelAnswer,
): Promise<string | null> {
  const { workspaceId, _id: messageId, threadId, campaignId, from, replyText } = message;
  const recipientId = message.recipientId ?? thread.recipientId;
  const recipient = recipientId === null ? null : await scoped(workspaceId).Recipient.get(recipientId);
  if (recipient === null) return null;
  const reason = "The agent reads this email as a request to stop further email";
  const words = reasons.join(" ") || replyText || "";
  return askWhetherToStop(workspaceId, {
    threadId,
    messageId,
    campaignId,
    stepId: null,
    recipient,
    from,
    words,
    reason,
    confidence,
  });
}

/**
 * Stores a model's opinion about an email for which a person has already been asked. It is shown with the question and
 * decides nothing.
 */
async function suggestAnswer(question: Approval, { category, confidence, reasons }: ModelAnswer): Promise<Settlement> {
  const { workspaceId, _id: approvalId } = question;
  const suggestion = { optsOut: category === ASKS_TO_STOP, confidence, reasons };
  await scoped(workspaceId).Approval.updateOne({ _id: approvalId, status: "PENDING" }, { $set: { suggestion } });
  return { status: "DONE", result: "MAY_OPT_OUT", approvalId };
}

async function giveCategory(message: ReplyGround["message"], category: string): Promise<void> {
  const now = await scoped(message.workspaceId).Message.get(message._id);
  // A person may have set a category meanwhile
  if (now !== null && now.category === null)
    await categorise({ ...now, threadId: message.threadId }, category, BY_AGENT);
}
