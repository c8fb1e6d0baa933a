import {
  afterSpending,
  availableOf,
  balanceOf,
  type Credits,
  NO_CREDITS,
  type Posting,
  periodOf,
  withMonth,
} from "../domain/credits.ts";
import type { CreditBalance } from "../models/billing/credit-balance.ts";
import { scoped } from "../models/scoped.ts";
import { newId } from "../mongo/ids.ts";
import { inTransaction } from "../mongo/transaction.ts";

/**
 * The credits of a workspace in the running transaction. Opening them writes the balance, so when two transactions open
 * them, one conflicts and is repeated. `close` writes the new balance and one ledger entry per change
 * (rules/lead-search 4).
 */
export class OpenCredits {
  readonly workspaceId: string;
  #credits: Credits;
  #entries: number;
  readonly #lines: (Posting & { seq: number; balance: number })[] = [];

  private constructor(workspaceId: string, stored: CreditBalance, now: Date, perMonth: number) {
    this.workspaceId = workspaceId;
    this.#entries = stored.entries;
    const { monthly, granted, held, month } = stored;
    const { credits, postings } = withMonth({ monthly, granted, held, month }, now, perMonth);
    let balance = monthly + granted;
    for (const posting of postings) {
      balance += posting.amount;
      this.#write(posting, balance);
    }
    this.#credits = credits;
  }

  /** Call it in a transaction, and `close` at its end. */
  static async open(workspaceId: string, now: Date, perMonth: number): Promise<OpenCredits> {
    const $setOnInsert = { ...NO_CREDITS, entries: 0, createdAt: now };
    const change = { $set: { updatedAt: now }, $inc: { touches: 1 }, $setOnInsert };
    const stored = await scoped(workspaceId).CreditBalance.changeOne({ _id: workspaceId }, change, { upsert: true });
    if (stored === null) throw new Error("The credits of a workspace have no balance");
    return new OpenCredits(workspaceId, stored, now, perMonth);
  }

  get available(): number {
    return availableOf(this.#credits);
  }

  get balance(): number {
    return balanceOf(this.#credits);
  }

  grant(posting: Posting): void {
    this.#credits = { ...this.#credits, granted: this.#credits.granted + posting.amount };
    this.#write(posting, this.balance);
  }

  /** Spends the amount of `posting`. The caller has checked `available` or reserved the credits. */
  spend(posting: Posting): void {
    if (-posting.amount > this.available) throw new Error("More credits are spent than are available");
    this.#credits = afterSpending(this.#credits, -posting.amount);
    this.#write(posting, this.balance);
  }

  /** Reserves credits, or releases them when `change` is negative. */
  hold(change: number): void {
    if (change > this.available) throw new Error("More credits are reserved than are available");
    this.#credits = { ...this.#credits, held: Math.max(0, this.#credits.held + change) };
  }

  async close(): Promise<void> {
    const { CreditBalance, CreditEntry } = scoped(this.workspaceId);
    await CreditEntry.storeAll(this.#lines.map((line) => ({ _id: newId("cre"), ...line })));
    await CreditBalance.wrote({ _id: this.workspaceId }, { $set: { ...this.#credits, entries: this.#entries } });
  }

  #write(posting: Posting, balance: number): void {
    this.#entries += 1;
    this.#lines.push({ ...posting, seq: this.#entries, balance });
  }
}

/** Adds credits that do not expire. A second call with the same key adds nothing. */
export function grantCredits(
  workspaceId: string,
  { amount, reason, actor, key }: { amount: number; reason: string; actor: string; key: string },
  perMonth: number,
  now = new Date(),
): Promise<{ balance: number; isNew: boolean }> {
  return inTransaction(async () => {
    const credits = await OpenCredits.open(workspaceId, now, perMonth);
    const earlierGrant = await scoped(workspaceId).CreditEntry.findOne({ key: `grant:${key}` }, { select: { _id: 1 } });
    if (earlierGrant === null)
      credits.grant({ kind: "GRANT", amount, key: `grant:${key}`, subjectId: null, detail: null, reason, actor });
    await credits.close();
    return { balance: credits.balance, isNew: earlierGrant === null };
  });
}

/**
 * The present credits of a workspace, without writing. They include the credits of a new month that is not booked yet.
 */
export async function readCredits(workspaceId: string, perMonth: number, now = new Date()): Promise<Credits> {
  const stored = await scoped(workspaceId).CreditBalance.get(workspaceId);
  const { monthly, granted, held, month } = stored ?? NO_CREDITS;
  return withMonth({ monthly, granted, held, month }, now, perMonth).credits;
}

/** Whether this workspace counts credits: some are granted each month, or were ever granted. */
export async function hasCredits(workspaceId: string, perMonth: number): Promise<boolean> {
  return perMonth > 0 || (await scoped(workspaceId).CreditBalance.get(workspaceId)) !== null;
}

/** The credits spent in the month of `now`, by day. */
export async function readUsage(workspaceId: string, now = new Date()): Promise<{ date: string; used: number }[]> {
  const { start, end } = periodOf(now);
  const days = await scoped(workspaceId).CreditEntry.aggregate<{ _id: string; used: number }>(
    { kind: "REVEAL", createdAt: { $gte: start, $lt: end } },
    {
      $group: {
        _id: { $dateToString: { format: "%Y-%m-%d", date: "$createdAt" } },
        used: { $sum: { $multiply: ["$amount", -1] } },
      },
    },
    { $sort: { _id: 1 } },
  );
  return days.map(({ _id: date, used }) => ({ date, used }));
}
