import { Workspace } from "../../models/access/workspace.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { grantCredits } from "../../store/credits.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { findOwner } from "../access/workspaces.ts";

/**
 * Grants credits for the operator, with an entry in the workspace's audit log. A grant with `once` is made only once
 * for that word. Returns the new balance, and whether credits were granted. @throws Error
 */
export async function grantByOperator(
  workspaceId: string,
  { amount, reason, once }: { amount: number; reason: string; once?: string },
  perMonth: number,
): Promise<{ balance: number; isNew: boolean }> {
  const workspace = await Workspace.findOne({ _id: workspaceId, deletedAt: null }, { _id: 1 }).lean<{ _id: string }>();
  const owner = await findOwner(workspaceId);
  if (workspace === null || owner === null) throw new Error(`There is no workspace ${workspaceId}`);
  const actor = { kind: "CONSOLE" as const, id: owner };
  return inTransaction(async () => {
    const key = once === undefined ? newId("cre") : `once:${once}`;
    const granted = await grantCredits(workspaceId, { amount, reason, actor: "operator", key }, perMonth);
    if (granted.isNew)
      await appendAuditEntry(
        { workspaceId, actor, action: "credits.grant", input: { workspaceId, amount, reason } },
        "DONE",
        null,
      );
    return granted;
  });
}
