import { type KeyRing, open, seal } from "../../domain/access/seal.ts";
import type { StripeOrderIds } from "../../domain/billing/contract.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { BillingOrder } from "../../models/billing/billing-order.ts";
import { scoped } from "../../models/scoped.ts";

export type NewOrder = Pick<BillingOrder, "item" | "price" | "quantity" | "successUrl" | "cancelUrl">;

/** A page at Stripe. */
export interface StripePage {
  id: string;
  url: string;
  /** Milliseconds. */
  expiresAt: number;
}

export async function storeOrder(
  { workspaceId, orderId: _id }: StripeOrderIds,
  order: NewOrder,
  now: Date,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + DAY_MS);
  await scoped(workspaceId).BillingOrder.insert({ _id, ...order, sealedPage: null, expiresAt });
}

export function loadOrder({ workspaceId, orderId }: StripeOrderIds): Promise<BillingOrder | null> {
  return scoped(workspaceId).BillingOrder.get(orderId);
}

export async function storePage(
  ring: KeyRing,
  { workspaceId, orderId: _id }: StripeOrderIds,
  page: StripePage,
): Promise<void> {
  const sealedPage = seal(ring, orderPagePlace(workspaceId, _id), JSON.stringify(page));
  await scoped(workspaceId).BillingOrder.updateOne({ _id }, { $set: { sealedPage } });
}

/** Null when there is none. */
export async function loadPage(ring: KeyRing, ids: StripeOrderIds): Promise<StripePage | null> {
  const order = await loadOrder(ids);
  if (order === null || order.sealedPage === null) return null;
  return JSON.parse(open(ring, orderPagePlace(ids.workspaceId, order._id), order.sealedPage)); // only `storePage` writes it
}

export async function dropOrder({ workspaceId, orderId: _id }: StripeOrderIds): Promise<void> {
  await scoped(workspaceId).BillingOrder.deleteOne({ _id });
}

function orderPagePlace(workspaceId: string, documentId: string) {
  return { workspaceId, collection: "billing_orders", documentId, field: "page" };
}
