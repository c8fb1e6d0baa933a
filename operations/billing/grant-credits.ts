import { Workspace } from "../../models/workspace.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { grantCredits } from "../../store/credits.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { findOwner } from "../access/workspaces.ts";

/** Credits that an operator gives, with an entry in the audit log of the workspace. Returns what is there then. @throws Error */
export async function grantByOperator(
  workspaceId: string,
  { amount, reason }: { amount: number; reason: string },
  perMonth: number,
): Promise<number> {
  const workspace = await Workspace.findOne({ _id: workspaceId, deletedAt: null }, { _id: 1 }).lean<{ _id: string }>();
  const owner = await findOwner(workspaceId);
  if (workspace === null || owner === null) throw new Error(`There is no workspace ${workspaceId}`);
  const actor = { kind: "CONSOLE" as const, id: owner };
  return inTransaction(async () => {
    const balance = await grantCredits(workspaceId, { amount, reason, actor: "operator", key: newId("cre") }, perMonth);
    await appendAuditEntry({ workspaceId, actor, action: "credits.grant", input: { workspaceId, amount, reason } }, "DONE", null);
    return balance;
  });
}
