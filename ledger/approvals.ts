import { newId } from "../models/ids.ts";
import type { Message } from "../models/message.ts";
import { scoped } from "../models/scoped.ts";
import type { Asks } from "./ingest.ts";

/** How long a person has to decide (behaviours 2). */
const OPEN_MS = 7 * 86_400_000;
const MOST_WORDS = 2_000;

/**
 * What waits for a decision about a recipient ends with each newer mail of theirs; where that mail may ask us to stop, a new question
 * takes its place (B9). Call it in the transaction that stored the message, after it was filed.
 */
export async function raiseApproval(message: Message, asks: Asks | null): Promise<void> {
  const { workspaceId, recipientId, campaignId, kind, _id: messageId } = message;
  if (recipientId === null || kind !== "REPLY") return;
  const { Approval, Message } = scoped(workspaceId);
  await Approval.updateMany({ recipientId, status: "PENDING" }, { $set: { status: "EXPIRED" } });
  if (asks === null) return;
  const threadId = (await Message.get(messageId))?.threadId ?? null;
  const reason = asks.isForged
    ? "The words ask us to stop, but the sender's address could not be authenticated"
    : "The words may ask us to stop writing";
  await Approval.insert({
    _id: newId("apr"),
    kind: "OPT_OUT",
    ...{ threadId, messageId, campaignId, recipientId, stepId: asks.stepId, reason },
    proposedText: asks.words.slice(0, MOST_WORDS),
    confidence: 0.5,
    expiresAt: new Date(Date.now() + OPEN_MS),
  });
}
