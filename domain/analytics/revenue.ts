import { differenceOfDecimals, sumOfDecimals } from "../decimals.ts";

export interface Purchase {
  at: number;
  value: string | null;
  currency: string | null;
}

/** A person's revenue as the recipient stores it, and when the part that no purchase explains was set (epoch ms). */
export interface Revenue {
  amount: string;
  currency: string;
  /** The sum of the purchases. It differs from `amount` if someone has set that by hand. */
  counted: string | null;
  toldAt: number;
}

/** A part of a person's revenue at its instant; `purchase` is null for a part that someone set by hand. */
export interface RevenuePart<P extends Purchase> {
  purchase: P | null;
  at: number;
  amount: string;
}

/**
 * When a person's revenue came in (rules/analytics 1.4). Each purchase counts at its own instant, the newest first, as
 * far as they sum up to the amount. The rest, or an amount that was set by hand, counts when it was set. The parts
 * always sum up to the amount.
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
