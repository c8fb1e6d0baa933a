import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { guardId } from "./guard-id.ts";

/**
 * Holds the addresses of a person with an open opt-out question, so that no campaign sends to them before the question
 * is decided (rules/states 5.4). Claims write the guard too, so a claim at the same time conflicts with this. Call it
 * in a transaction.
 */
export async function holdAddresses(workspaceId: string, emails: readonly string[], approvalId: string): Promise<void> {
  const { AddressGuard } = scoped(workspaceId);
  for (const email of emails) {
    const hold = { $addToSet: { heldBy: approvalId }, $inc: { claims: 1 } };
    await AddressGuard.updateOne({ _id: guardId(workspaceId, email) }, hold, { upsert: true });
  }
}

/** The open questions for each of these addresses. Addresses without a question are absent. At most 1,000. */
export async function loadHolds(workspaceId: string, emails: readonly string[]): Promise<Map<string, string[]>> {
  const byId = new Map(emails.map((email) => [guardId(workspaceId, email), email]));
  const heldGuards = { _id: { $in: [...byId.keys()] }, "heldBy.0": { $exists: true } };
  const guards = await scoped(workspaceId).AddressGuard.read(heldGuards, { select: { heldBy: 1 } });
  return new Map(guards.flatMap(({ _id, heldBy }) => [[byId.get(_id) ?? "", heldBy] as const]));
}

/**
 * Records recipients that wait for these questions. They continue when the last question is rejected. Call it in a
 * transaction.
 */
export async function noteUnderQuestions(
  workspaceId: string,
  approvalIds: readonly string[],
  recipientIds: readonly string[],
): Promise<void> {
  if (approvalIds.length === 0) return;
  const open = { _id: trusted({ $in: approvalIds }), status: "PENDING" };
  await scoped(workspaceId).Approval.updateMany(open, { $addToSet: { pausedRecipients: { $each: recipientIds } } });
}

/**
 * Applies the open questions of a lead's old address to its new one. Call it in the transaction that changes the
 * address.
 */
export async function moveHolds(workspaceId: string, from: string, to: string): Promise<void> {
  for (const approvalId of (await loadHolds(workspaceId, [from])).get(from) ?? []) {
    await holdAddresses(workspaceId, [to], approvalId);
    await scoped(workspaceId).Approval.updateOne({ _id: approvalId }, { $addToSet: { addresses: to } });
  }
}
