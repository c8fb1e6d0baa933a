/** The kinds of entries in the credit ledger (rules/lead-search 4). New kinds are added at the end. */
export const CREDIT_KINDS = ["MONTHLY", "EXPIRED", "GRANT", "REVEAL", "PURCHASE"] as const;
type CreditKind = (typeof CREDIT_KINDS)[number];

/**
 * The credits of a workspace. Monthly credits expire at the end of their month; granted credits stay until they are
 * spent.
 */
export interface Credits {
  monthly: number;
  granted: number;
  /** Credits that are reserved for reveals that a provider has not answered yet. */
  held: number;
  /** The month of the credits in `monthly`, as `YYYY-MM` in UTC; empty before the first month. */
  month: string;
}

export const NO_CREDITS: Credits = { monthly: 0, granted: 0, held: 0, month: "" };

/** One entry of the ledger before it is stored. */
export interface Posting {
  kind: CreditKind;
  /** How much the balance changes. */
  amount: number;
  /** A key that is always the same for the same cause, so that the entry cannot be stored twice. */
  key: string;
  /** The id of the object that the entry is about, such as a prospect, and which part of that object. */
  subjectId: string | null;
  detail: string | null;
  reason: string | null;
  actor: string | null;
}

/** The whole balance, including held credits. */
export function balanceOf({ monthly, granted }: Credits): number {
  return monthly + granted;
}

/** What may be spent now. */
export function availableOf(credits: Credits): number {
  return balanceOf(credits) - credits.held;
}

export function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/** The beginning and the end of the month that contains an instant. */
export function periodOf(now: Date): { start: Date; end: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month, 1)), end: new Date(Date.UTC(year, month + 1, 1)) };
}

/**
 * The credits after the beginning of a new month: unused credits of the last month expire, and the credits of the new
 * month are added. Within the same month nothing changes.
 */
export function withMonth(credits: Credits, now: Date, perMonth: number): { credits: Credits; postings: Posting[] } {
  const month = monthOf(now);
  if (credits.month >= month) return { credits, postings: [] }; // the month never moves back, whatever a clock says
  const about = { subjectId: null, detail: null, reason: null, actor: null };
  const postings: Posting[] = [];
  if (credits.monthly > 0)
    postings.push({ ...about, kind: "EXPIRED", amount: -credits.monthly, key: `expired:${credits.month}` });
  if (perMonth > 0) postings.push({ ...about, kind: "MONTHLY", amount: perMonth, key: `monthly:${month}` });
  return { credits: { ...credits, monthly: perMonth, month }, postings };
}

/** The credits after some were spent. Monthly credits are spent first, because they expire. */
export function afterSpending(credits: Credits, amount: number): Credits {
  const ofMonth = Math.min(credits.monthly, amount);
  return { ...credits, monthly: credits.monthly - ofMonth, granted: credits.granted - (amount - ofMonth) };
}
