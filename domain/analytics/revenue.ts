import { differenceOfDecimals, sumOfDecimals } from "../decimals.ts";

export interface Purchase {
  at: number;
  value: string | null;
  currency: string | null;
}

/**
 * A person's revenue as stored with the recipient. `toldAt` is when the part without a purchase was set, in epoch
 * milliseconds.
 */
export interface Revenue {
  amount: string;
  currency: string;
  /** The sum of the purchases. It differs from `amount` if someone has set `amount` by hand. */
  counted: string | null;
  toldAt: number;
}

/**
 * A part of a person's revenue, with the instant at which it counts; `purchase` is null for a part that someone set by
 * hand.
 */
export interface RevenuePart<P extends Purchase> {
  purchase: P | null;
  at: number;
  amount: string;
}

/**
 * Splits a person's revenue into parts with their instants (rules/analytics 1.4). Purchases, the newest first, count at
 * their own instants until their sum reaches the amount. The rest, or an amount that was set by hand, counts at the
 * instant at which it was set. The parts always sum up to the amount.
 */
export function partsOfRevenue<P extends Purchase>(revenue: Revenue, purchases: readonly P[]): RevenuePart<P>[] {
  const { amount, currency, counted, toldAt } = revenue;
  if (amount !== counted) return [{ purchase: null, at: toldAt, amount }];
  let rest = amount;
  const parts: RevenuePart<P>[] = [];
  for (const purchase of purchases.toSorted((one, other) => other.at - one.at)) {
    const { value, at } = purchase;
    if (value === null || (purchase.currency ?? currency) !== currency) continue;
    const left = differenceOfDecimals(rest, value);
    if (left.startsWith("-")) break;
    parts.push({ purchase, at, amount: value });
    rest = left;
  }
  return sumOfDecimals(rest, "0") === "0" ? parts : [...parts, { purchase: null, at: toldAt, amount: rest }];
}
