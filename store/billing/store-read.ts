import type { BillingState, CreditPurchase } from "../../domain/billing/account.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { OpenCredits } from "../credits.ts";

export interface BillingRead {
  /** The number of the read, from `beginRead`. */
  read: number;
  state: BillingState;
  purchases: readonly CreditPurchase[];
}

/**
 * Stores what was read from Stripe. A read that began before the stored one changes neither plan nor seats, since it
 * may be outdated. Every read grants the credits of paid invoices, once per invoice, because a paid invoice stays paid
 * (rules/billing 2.1, 2.2).
 */
export function storeRead(
  workspaceId: string,
  { read, state, purchases }: BillingRead,
  perMonth: number,
  now: Date,
): Promise<void> {
  return inTransaction(async () => {
    const { BillingAccount } = scoped(workspaceId);
    const change = { $set: { ...state, storedRead: read, syncedAt: now } };
    const isNewest = await BillingAccount.updateOne({ _id: workspaceId, storedRead: trusted({ $lt: read }) }, change);
    if (isNewest > 0) {
      const { planId: id, seats, isEnding } = state;
      const plan = id === null ? null : { id, seats, isEnding };
      await Workspace.updateOne({ _id: workspaceId }, { $set: { plan } }, sessionOption());
    }
    await addPurchases(workspaceId, purchases, perMonth, now);
  });
}

async function addPurchases(
  workspaceId: string,
  purchases: readonly CreditPurchase[],
  perMonth: number,
  now: Date,
): Promise<void> {
  const keys = purchases.map(({ invoiceId }) => invoiceKeyOf(invoiceId));
  const { CreditEntry } = scoped(workspaceId);
  const countStored = async () =>
    (await CreditEntry.find({ key: trusted({ $in: keys }) }, { select: { key: 1 } })).length;
  if (keys.length === 0 || (await countStored()) === keys.length) return;
  const credits = await OpenCredits.open(workspaceId, now, perMonth);
  const there = new Set(
    (await CreditEntry.find({ key: trusted({ $in: keys }) }, { select: { key: 1 } })).map(({ key }) => key),
  );
  for (const { invoiceId, credits: amount } of purchases) {
    const key = invoiceKeyOf(invoiceId);
    if (there.has(key)) continue;
    credits.grant({ kind: "PURCHASE", amount, key, subjectId: invoiceId, detail: null, reason: null, actor: null });
  }
  await credits.close();
}

function invoiceKeyOf(invoiceId: string): string {
  return `invoice:${invoiceId}`;
}
