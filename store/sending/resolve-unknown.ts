import { sendErrorOf } from "../../domain/sending/send-error.ts";
import { stepOf } from "../../domain/sequences/sequence.ts";
import { isOpenStatus } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { loadCampaign, loadSequence } from "../campaigns/load.ts";
import { nudge } from "../outbox.ts";
import { resumeRecipient } from "../recipients/resume.ts";
import { endRecipient, NOTHING_AHEAD } from "../recipients/stop.ts";
import { confirmSent } from "./delivery-evidence.ts";
import { freeSlot } from "./release.ts";

/**
 * The result of an operator's decision about a send with an unknown outcome (rules/sending 9.5). CHANGED: the decision
 * was applied, and the recipient continues or ends. SAME: the send already had that outcome. REFUSED: the outcome of
 * the send is not unknown, or its recipient no longer waits for it.
 */
export type Resolution = "CHANGED" | "SAME" | "REFUSED";

/**
 * Whether the outcome is unknown: UNKNOWN while evidence may arrive, then FAILED with the reason SEND_UNKNOWN
 * (rules/sending 9).
 */
function isUnresolved({ state, failure }: Send): boolean {
  return state === "UNKNOWN" || isGivenUp({ state, failure });
}

function isGivenUp({ state, failure }: Pick<Send, "state" | "failure">): boolean {
  return state === "FAILED" && failure?.reason === "SEND_UNKNOWN";
}

/**
 * Applies the decision that the email was sent. It becomes SENT, with all consequences, as if evidence had been found.
 * A recipient that had ended only because of this email continues with the next step or completes. Call it in a
 * transaction.
 */
export async function resolveSent(send: Send): Promise<Resolution> {
  if (send.state === "SENT" || send.state === "BOUNCED") return "SAME";
  if (!isUnresolved(send)) return "REFUSED";
  await confirmSent(send, "operator");
  const recipient = await loadRecipient(send);
  if (recipient === null || !hasEndedUnknown(recipient) || recipient.currentStepId !== send.stepId) return "CHANGED";
  if (await hasCampaignEnded(recipient)) return "CHANGED";
  const { steps } = await loadSequence(send.workspaceId, recipient.campaignId);
  if (await resumeRecipient(send.workspaceId, recipient, steps)) return "CHANGED";
  const finished = { status: "COMPLETED", stopReason: "SEQUENCE_FINISHED", ...NOTHING_AHEAD } as const;
  await scoped(send.workspaceId).Recipient.updateOne({ _id: recipient._id, status: "FAILED" }, { $set: finished });
  return "CHANGED";
}

/**
 * Applies the decision that the email was not sent. The wait for evidence ends, and so does its recipient, as it would
 * have after a day. Evidence that arrives later still counts. Call it in a transaction.
 */
export async function resolveNotSent(send: Send): Promise<Resolution> {
  if (isGivenUp(send)) return "SAME";
  if (send.state !== "UNKNOWN") return "REFUSED";
  const { workspaceId, _id } = send;
  const failure = { reason: "SEND_UNKNOWN", code: null, text: "An operator says that it was not sent" };
  await scoped(workspaceId).Send.updateOne({ _id, state: "UNKNOWN" }, { $set: { state: "FAILED", failure } });
  const recipient = await loadRecipient(send);
  if (recipient === null || recipient.nextStepId !== send.stepId) return "CHANGED";
  const ended = await endRecipient(workspaceId, recipient._id, { status: "FAILED", stopReason: "SEND_UNKNOWN" });
  if (ended !== null) await nudge(workspaceId, "CAMPAIGN", { campaignId: recipient.campaignId });
  return "CHANGED";
}

/**
 * Sends the email again, with a new generation and therefore a new Message-ID, whatever happened to the first one,
 * which stays counted in its day. This is possible only for a recipient that waits for this step or ended only because
 * of it, never after a stop. The claim makes its usual checks. Call it in a transaction.
 */
export async function resendUnknown(send: Send): Promise<Resolution> {
  const recipient = await loadRecipient(send);
  if (recipient === null || send.stepId === null || !isUnresolved(send)) return "REFUSED";
  const waits = isOpenStatus(recipient.status) && recipient.nextStepId === send.stepId;
  if (!waits && !(hasEndedUnknown(recipient) && isGivenUp(send))) return "REFUSED";
  if (await hasCampaignEnded(recipient)) return "REFUSED";
  const { workspaceId, _id: recipientId, campaignId } = recipient;
  const { Recipient } = scoped(workspaceId);
  const { steps } = await loadSequence(workspaceId, campaignId);
  if (stepOf(steps, send.stepId)?.type !== "EMAIL") return "REFUSED";
  await releaseUnsent(send);
  const now = new Date();
  const back = {
    status: "IN_PROGRESS",
    stopReason: null,
    nextStepId: send.stepId,
    nextSendAt: now,
    admittedAt: now,
  } as const;
  const looks = recipient.status === "PAUSED" ? {} : { nextSendAt: now };
  await Recipient.updateOne(
    { _id: recipientId, status: recipient.status },
    { $set: waits ? { ...looks, updatedAt: now } : back },
  );
  await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
  return "CHANGED";
}

/**
 * Records that the provider's draft of an email was certainly not sent and is deleted next, or takes that back. If the
 * process dies before it records the outcome, the missing draft then shows that the email was not sent.
 */
export async function noteWithdrawn(
  { workspaceId, _id }: Pick<Send, "workspaceId" | "_id">,
  draftId: string,
  isWithdrawn: boolean,
): Promise<void> {
  await scoped(workspaceId).Send.updateOne(
    { _id, state: trusted({ $in: ["SENDING", "UNKNOWN"] }), "draft.draftId": draftId },
    { $set: { "draft.isWithdrawn": isWithdrawn } },
  );
}

/**
 * Records that an email that is not sent again was certainly not sent. A step's email gives its slot back, because its
 * recipient has ended or waits for another step. Others have failed; a person may send a reply again. Call it in a
 * transaction.
 */
export async function recordUnsent(send: Send): Promise<void> {
  const { workspaceId, _id, kind } = send;
  if (kind === "CAMPAIGN") return releaseUnsent(send);
  const { ScheduledReply, Send } = scoped(workspaceId);
  const failure = { reason: "CONNECT_FAILED", code: null, text: null };
  await Send.updateOne({ _id, state: "UNKNOWN" }, { $set: { state: "FAILED", failure, draft: null } });
  if (kind !== "SCHEDULED") return;
  const { code, message } = sendErrorOf(failure);
  await ScheduledReply.updateOne({ _id, "error.code": "SEND_UNKNOWN" }, { $set: { error: { code, message } } });
}

/** Gives the slot of an unsent email back. Its next attempt has a new Message-ID. */
async function releaseUnsent(send: Send): Promise<void> {
  await freeSlot({ ...send, sentAt: send.claimedAt ?? new Date() });
  await scoped(send.workspaceId).Send.updateOne(
    { _id: send._id, state: send.state },
    { $set: AGAIN, $inc: { generation: 1 } },
  );
}

const AGAIN = {
  ...({ state: "RELEASED", phase: null, attemptId: null, leaseUntil: null, failure: null, evidence: null } as const),
  ...({ slotAt: null, day: null, campaignDay: null, countsAsNew: false, throttled: null } as const),
  ...({ draft: null, claimedAt: null, dataAt: null, sentAt: null, unknownAt: null, attempts: 0 } as const),
};

/** Whether the recipient ended only because the outcome of an email was unknown. */
function hasEndedUnknown({ status, stopReason }: Recipient): boolean {
  return status === "FAILED" && stopReason === "SEND_UNKNOWN";
}

/**
 * Whether the campaign was ended by hand or by its end date. A campaign that has merely finished becomes active again
 * when one of its recipients continues (rules/states 2.2).
 */
async function hasCampaignEnded({ workspaceId, campaignId }: Recipient): Promise<boolean> {
  const { status, completedReason } = await loadCampaign(workspaceId, campaignId);
  return status === "COMPLETED" && completedReason !== "FINISHED";
}

async function loadRecipient({ workspaceId, recipientId }: Send): Promise<Recipient | null> {
  return recipientId === null ? null : scoped(workspaceId).Recipient.get(recipientId);
}
