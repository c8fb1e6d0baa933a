import { OPEN } from "../../domain/states.ts";
import type { Approval } from "../../models/campaigns/approval.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { emit, nudge } from "../outbox.ts";
import { resumeRecipient } from "../recipients/resume.ts";
import { pauseRecipient } from "../recipients/stop.ts";
import { holdAddresses, loadHolds, noteUnderQuestions } from "../suppression/open-questions.ts";
import { findAddressBehind, releaseAddresses } from "../suppression/suppress.ts";

const MOST_WORDS = 2_000;

/** Words that may be an opt-out, and who wrote them. */
export interface OptOutQuestion {
  threadId: string | null;
  messageId: string | null;
  campaignId: string | null;
  stepId: string | null;
  recipient: Pick<Recipient, "_id" | "email" | "leadId">;
  /** The author's address, if it is not the recipient's. */
  from: string | null;
  words: string;
  reason: string;
  confidence: number;
}

/**
 * Asks a person whether the author of a reply opts out (rules/states 5.4). Until that is decided, the author is paused
 * in every campaign of the workspace, and no campaign sends to their addresses. The question never expires. Call it in
 * a transaction. Returns the approval's id.
 */
export async function askWhetherToStop(workspaceId: string, question: OptOutQuestion): Promise<string> {
  const { recipient, from, words, ...about } = question;
  const { _id: recipientId, leadId } = recipient;
  const approvalId = newId("apr");
  const email = await findAddressBehind(workspaceId, recipient.email);
  // If no lead has the address any more, an approval suppresses the hash (operations/sending/approve-question.ts)
  const addresses = [...new Set([email, from ?? email])].filter((one) => one.includes("@"));
  await holdAddresses(workspaceId, addresses, approvalId);
  const pausedRecipients = await pausePerson(workspaceId, addresses);
  await scoped(workspaceId).Approval.insert({
    _id: approvalId,
    kind: "OPT_OUT",
    ...about,
    recipientId,
    addresses,
    pausedRecipients,
    expiresAt: null,
    proposedText: words.slice(0, MOST_WORDS).toWellFormed(),
  });
  const data = { approvalId, kind: "OPT_OUT", expiresAt: null };
  await emit(workspaceId, { type: "APPROVAL_REQUESTED", leadId, campaignId: about.campaignId, recipientId, data });
  return approvalId;
}

/**
 * Pauses all recipients with one of these addresses and returns their ids. A pause that a person or another rule has
 * set does not change.
 */
async function pausePerson(workspaceId: string, addresses: readonly string[]): Promise<string[]> {
  const { Recipient } = scoped(workspaceId);
  const open = await Recipient.find({ email: trusted({ $in: addresses }), status: trusted({ $in: [...OPEN] }) });
  const paused: string[] = [];
  for (const { _id, status, pauseReason } of open) {
    if (status === "PAUSED" && pauseReason !== "OUT_OF_OFFICE") continue;
    if (await pauseRecipient(workspaceId, _id, "APPROVAL_REQUIRED", null)) paused.push(_id);
  }
  return paused;
}

/**
 * Pauses a recipient whose claim was refused because of an open question, and adds the recipient to that question.
 * Returns false when the question was decided meanwhile.
 */
export function pauseForQuestion({ workspaceId, _id: recipientId, email }: Recipient): Promise<boolean> {
  return inTransaction(async () => {
    const ids = (await loadHolds(workspaceId, [email])).get(email) ?? [];
    if (ids.length === 0) return false;
    await noteUnderQuestions(workspaceId, ids, [recipientId]);
    return pauseRecipient(workspaceId, recipientId, "APPROVAL_REQUIRED", null);
  });
}

/**
 * Resumes the recipients that a rejected question has paused, unless another question holds them. Call it in the
 * transaction that rejects the question.
 */
export async function letGoOn(approval: Approval): Promise<void> {
  const { workspaceId, recipientId, pausedRecipients = [] } = approval;
  await releaseAddresses(approval);
  const { Recipient, Sequence } = scoped(workspaceId);
  // A question of an earlier version paused one recipient without recording it
  const ids = approval.addresses?.length ? pausedRecipients : [recipientId ?? ""];
  const paused = await Recipient.find({
    _id: trusted({ $in: ids }),
    status: "PAUSED",
    pauseReason: "APPROVAL_REQUIRED",
  });
  const holds = await loadHolds(
    workspaceId,
    paused.map(({ email }) => email),
  );
  for (const recipient of paused) {
    const others = holds.get(recipient.email);
    if (others !== undefined) {
      await noteUnderQuestions(workspaceId, others, [recipient._id]);
      continue;
    }
    const sequence = await Sequence.findOne({ campaignId: recipient.campaignId });
    if (sequence === null || !(await resumeRecipient(workspaceId, recipient, sequence.steps))) continue;
    await nudge(workspaceId, "CAMPAIGN", { campaignId: recipient.campaignId });
  }
}
