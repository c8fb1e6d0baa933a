import { hadOf } from "../../domain/recipients/had.ts";
import { followerOf } from "../../domain/sequences/graph.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import type { StepOutcome, StepVerb } from "../../domain/workflow-contract.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import type { ActState, StepExecution } from "../../models/recipients/step-execution.ts";
import { scoped } from "../../models/scoped.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { gateId, isEditedSince } from "../campaigns/gates.ts";
import { releaseBooking } from "../sending/release.ts";
import { dueOf } from "./eligibility.ts";
import type { Situation } from "./recipient-state.ts";
import { endRecipient } from "./stop.ts";

/** One recipient at one step. */
export interface Turn {
  campaign: Campaign;
  sequence: Sequence;
  recipient: Recipient;
  step: Step;
}

/** Thrown to roll back the transaction when the step may not be executed now. */
class NotNow extends Error {}

/**
 * Executes a step that writes only to MongoDB, exactly once: its effect, its document and the move of the recipient are
 * one transaction. Like a claim, it writes the recipient first and a gate last, so that every stop conflicts with it.
 * Returns false, and changes nothing, when the recipient no longer waits for the step or the gate was closed.
 */
export function executeStepOnce(turn: Turn, effect: () => Promise<void>): Promise<boolean> {
  return runGuarded(turn, async () => {
    await effect();
    await writeExecution(turn, "DONE");
    await passBy(turn);
  });
}

/**
 * Pauses a recipient at an APPROVAL step until someone resumes it. If the recipient was already approved, it continues.
 * Null when the step may not be executed now.
 */
export async function askApproval(turn: Turn, whenAsked: () => Promise<void>): Promise<"ASKED" | "APPROVED" | null> {
  let answer: "ASKED" | "APPROVED" = "ASKED";
  const acted = await runGuarded(turn, async () => {
    const execution = await loadExecution(turn);
    answer = execution?.state === "APPROVED" ? "APPROVED" : "ASKED";
    if (answer === "APPROVED") {
      await writeExecution(turn, "DONE");
      await passBy(turn);
      return;
    }
    await writeExecution(turn, "WAITING");
    if (execution === null) await whenAsked();
    const { workspaceId, _id } = turn.recipient;
    const pause = { status: "PAUSED", pauseReason: "APPROVAL_REQUIRED", pausedUntil: null, nextSendAt: null } as const;
    await scoped(workspaceId).Recipient.updateOne({ _id }, { $set: pause });
  });
  return acted ? answer : null;
}

/** Ends a recipient at its own step, together with the effect of the step. */
export function endAt(turn: Turn, effect: () => Promise<void>): Promise<boolean> {
  return runGuarded(turn, async () => {
    await writeExecution(turn, "DONE");
    const { workspaceId, _id } = turn.recipient;
    await endRecipient(workspaceId, _id, { status: "COMPLETED", stopReason: "MOVED", bySelf: true });
    await effect();
  });
}

/** Counts one more request of a WEBHOOK step before the request is sent. Null when the step may not be executed now. */
export async function beginPost(turn: Turn): Promise<StepExecution | null> {
  let row: StepExecution | null = null;
  const begun = await runGuarded(turn, async () => {
    row = await writeExecution(turn, "POSTING", { attempts: 1 });
  });
  return begun ? row : null;
}

/**
 * Records the result of a WEBHOOK step and its event. The recipient continues if it still waits for the step. The
 * result of a request in progress is recorded even after a stop.
 */
export function endPost(
  turn: Turn,
  state: "DONE" | "FAILED",
  failure: string | null,
  effect: () => Promise<void>,
): Promise<void> {
  return inTransaction(async () => {
    const execution = await loadExecution(turn);
    if (execution?.state !== "POSTING") return;
    await writeExecution(turn, state, { failure });
    await effect();
    const { workspaceId, _id } = turn.recipient;
    const current = await scoped(workspaceId).Recipient.get(_id);
    if (current?.nextStepId === turn.step.stepId && (current.status === "PENDING" || current.status === "IN_PROGRESS"))
      await passBy(turn);
  });
}

/** Records why the last request of a WEBHOOK step failed, so that the reason is visible during retries. */
export async function notePostFailure({ workspaceId, _id }: StepExecution, failure: string): Promise<void> {
  await scoped(workspaceId).StepExecution.updateOne({ _id, state: "POSTING" }, { $set: { failure } });
}

/**
 * Runs `work` if the recipient waits for the step and its gate is open with the fence that was read. Otherwise returns
 * false and changes nothing.
 */
export async function runGuarded({ campaign, recipient, step }: Turn, work: () => Promise<void>): Promise<boolean> {
  const { workspaceId, _id, shard } = recipient;
  const { Gate, Recipient } = scoped(workspaceId);
  const waits = { _id, status: { $in: ["PENDING", "IN_PROGRESS"] }, nextStepId: step.stepId };
  const gate = { _id: gateId(campaign._id, shard), isOpen: true, fence: campaign.fence };
  try {
    await inTransaction(async () => {
      if (!(await Recipient.wrote(waits, { $inc: { claims: 1 } }))) throw new NotNow();
      await work();
      if (!(await Gate.wrote(gate, { $inc: { claims: 1 } }))) throw new NotNow();
    });
    return true;
  } catch (error) {
    if (error instanceof NotNow) return false;
    throw error;
  }
}

function loadExecution({ recipient, step }: Turn): Promise<StepExecution | null> {
  return scoped(recipient.workspaceId).StepExecution.findOne({ recipientId: recipient._id, stepId: step.stepId });
}

/** Writes the execution of this recipient and step. */
async function writeExecution(
  turn: Turn,
  state: ActState,
  { attempts = 0, failure = null }: { attempts?: number; failure?: string | null } = {},
): Promise<StepExecution> {
  const { workspaceId, _id: recipientId, campaignId, leadId } = turn.recipient;
  const { stepId, type } = turn.step;
  const { Recipient, StepExecution } = scoped(workspaceId);
  const doneAt = state === "DONE" || state === "FAILED" ? new Date() : null;
  const execution = await loadExecution(turn);
  const set = { state, doneAt, failure };
  if (doneAt !== null)
    await Recipient.updateOne({ _id: recipientId }, { $push: { had: { stepId, at: doneAt.getTime() } } });
  if (execution === null)
    return StepExecution.insert({ _id: newId("act"), campaignId, recipientId, leadId, stepId, type, attempts, ...set });
  const after = await StepExecution.findOneAndUpdate(
    { _id: execution._id },
    { $set: { type, ...set }, $inc: { attempts } },
  );
  return after ?? execution;
}

/** Records the step as passed. Its conditions and the next check determine the recipient's next step. */
async function passBy({ sequence, recipient, step }: Turn): Promise<void> {
  const { workspaceId, _id } = recipient;
  const now = new Date();
  const next = followerOf(sequence.steps, [...hadOf(recipient), { stepId: step.stepId, at: now.getTime() }]);
  const set = { nextStepId: next?.stepId ?? null, nextSendAt: now };
  await scoped(workspaceId).Recipient.updateOne({ _id }, { $set: set });
  if (next === null && !(await isEditedSince(sequence, recipient)))
    await endRecipient(workspaceId, _id, { status: "COMPLETED", stopReason: "SEQUENCE_FINISHED", bySelf: true });
}

/** Whether a step that is no email is due. It waits only for its delay and not for sending hours. */
export async function scheduleNonMailStep(situation: Situation, step: Step): Promise<StepOutcome> {
  const { recipient, send } = situation;
  // If the step was an email before an edit, a booking of that email may be left
  if (send?.state === "RESERVED") await inTransaction(() => releaseBooking(send));
  const by = verbOf(step);
  const at = await dueOf(situation, step);
  if (at <= Date.now()) return { kind: "over", to: by };
  await scoped(recipient.workspaceId).Recipient.updateOne(
    { _id: recipient._id, nextStepId: step.stepId },
    { $set: { nextSendAt: new Date(at) } },
  );
  return { kind: "replan", at, why: dueText(situation), by };
}

/** Which activity executes a step of this type. */
export function verbOf({ type }: Step): StepVerb {
  if (type === "EMAIL") return "mail";
  return type === "WEBHOOK" ? "post" : "act";
}

/** The text for the workflow's timer, which operators read. */
export function dueText({ step }: Situation): string {
  return step === null ? "the end" : `step ${step.order} due`;
}
