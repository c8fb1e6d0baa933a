import { differenceOfDecimals, sumOfDecimals } from "../decimals.ts";

export interface Purchase {
  at: number;
  value: string | null;
  currency: string | null;
}

/** A person's revenue as the recipient has it, and when the part of it that no purchase tells was told (epoch ms). */
export interface Revenue {
  amount: string;
  currency: string;
  /** What purchases have summed up to; differs from `amount` where someone has set that by hand. */
  counted: string | null;
  toldAt: number;
}

/** A part of a person's revenue at its instant; `purchase` is null for what someone said by hand. */
export interface RevenuePart<P extends Purchase> {
  purchase: P | null;
  at: number;
  amount: string;
}

/**
 * When a person's revenue came in (rules/analytics 1.4): each purchase at its own instant, the newest first as far as
 * they sum up to the amount; an amount that was set by hand, or the rest of it, when that was told. The parts always
 * sum up to the amount.
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
