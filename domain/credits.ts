/** What an entry of the credit ledger is about (rules/lead-search 4). Further kinds are added at the end. */
export const CREDIT_KINDS = ["MONTHLY", "EXPIRED", "GRANT", "REVEAL", "PURCHASE"] as const;
type CreditKind = (typeof CREDIT_KINDS)[number];

/** What a workspace has to spend. Monthly credits end with their month; granted ones stay until they are spent. */
export interface Credits {
  monthly: number;
  granted: number;
  /** Set aside for reveals that a provider has not answered yet. */
  held: number;
  /** The month of `monthly`, `YYYY-MM` in UTC; empty before the first. */
  month: string;
}

export const NO_CREDITS: Credits = { monthly: 0, granted: 0, held: 0, month: "" };

/** One line of the ledger before it is written. */
export interface Posting {
  kind: CreditKind;
  /** How much the balance changes. */
  amount: number;
  /** The same for the same cause, so that a second line with it cannot be written. */
  key: string;
  /** The id of what it is about, such as a prospect, and which part of it. */
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

/** Where the month of an instant begins and ends. */
export function periodOf(now: Date): { start: Date; end: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month, 1)), end: new Date(Date.UTC(year, month + 1, 1)) };
}

/**
 * The credits of a new month: the rest of the last month's credits ends, and the month's own are added. In the same
 * month nothing changes.
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

/** The credits after some were spent: those of the month first, since they end. */
export function afterSpending(credits: Credits, amount: number): Credits {
  const ofMonth = Math.min(credits.monthly, amount);
  return { ...credits, monthly: credits.monthly - ofMonth, granted: credits.granted - (amount - ofMonth) };
}
