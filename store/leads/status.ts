import { type LeadStatus, leadStatusesBelow } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { emit } from "../outbox.ts";

/**
 * Raises a lead to a status from any lower one, or from those listed in `beside` (rules/states 4.1). Call it in a
 * transaction.
 */
export async function raiseLead(
  workspaceId: string,
  leadId: string,
  status: LeadStatus,
  actor: string,
  beside: readonly LeadStatus[] = [],
): Promise<void> {
  const from = [...leadStatusesBelow(status), ...beside].filter((one) => one !== status);
  const changed = await scoped(workspaceId).Lead.updateOne(
    { _id: leadId, status: trusted({ $in: from }) },
    { $set: { status } },
  );
  if (changed > 0) await emit(workspaceId, { type: "STATUS_CHANGED", leadId, actor, data: { to: status } });
}
