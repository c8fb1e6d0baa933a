import { NO_BILLING } from "../../domain/billing/account.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { BillingAccount } from "../../models/billing/billing-account.ts";
import { scoped } from "../../models/scoped.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";

/** The workspace of this Stripe customer; null when there is none or the workspace was deleted. */
export async function findByCustomer(customerId: string): Promise<string | null> {
  const account = await BillingAccount.findOne(
    { customerId },
    { workspaceId: 1 },
    { acrossWorkspaces: true },
  ).lean<BillingAccount>();
  if (account === null) return null;
  const standing = await Workspace.findOne({ _id: account.workspaceId, deletedAt: null }, { _id: 1 }).lean();
  return standing === null ? null : account.workspaceId;
}

/**
 * Stores the customer of a workspace and returns its id. A concurrent second caller gets the id that was stored first.
 */
export async function keepCustomer(workspaceId: string, customerId: string): Promise<string> {
  const { BillingAccount } = scoped(workspaceId);
  try {
    await BillingAccount.insert({
      _id: workspaceId,
      customerId,
      reads: 0,
      storedRead: 0,
      planPages: 0,
      syncedAt: null,
      ...NO_BILLING,
    });
    return customerId;
  } catch (error) {
    const account = isDuplicateKey(error) ? await BillingAccount.get(workspaceId) : null;
    if (account === null) throw error;
    return account.customerId;
  }
}

/**
 * Takes the number for a new checkout page of the plan. The page replaces every page with a lower number (rules/billing
 * 4.4).
 */
export async function beginPlanPage(workspaceId: string): Promise<number> {
  const account = await scoped(workspaceId).BillingAccount.changeOne({ _id: workspaceId }, { $inc: { planPages: 1 } });
  if (account === null) throw new Error("This workspace has no account at Stripe");
  return account.planPages;
}

/** Whether no newer checkout page of the plan was created. */
export async function isLastPlanPage(workspaceId: string, number: number): Promise<boolean> {
  return (await scoped(workspaceId).BillingAccount.get(workspaceId))?.planPages === number;
}

/** Takes the number for a read that begins now. Null when the workspace has no account. */
export async function beginRead(workspaceId: string): Promise<{ customerId: string; read: number } | null> {
  const account = await scoped(workspaceId).BillingAccount.changeOne({ _id: workspaceId }, { $inc: { reads: 1 } });
  return account === null ? null : { customerId: account.customerId, read: account.reads };
}
