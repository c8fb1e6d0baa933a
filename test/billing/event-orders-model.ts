import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { syncAccount } from "../../activities/billing.ts";
import type { PaidInvoice, PaidSubscription } from "../../domain/billing/account.ts";
import type { BillingPlans } from "../../domain/billing/plans.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { keepCustomer } from "../../store/billing/accounts.ts";
import { startWorld, type World } from "../support/world.ts";

const plans: BillingPlans = {
  plans: [{ id: "team", name: "Team", price: "price_team", formerPrices: [], limits: {} }],
  free: { limits: {} },
  credits: { price: "price_credits", credits: 10 },
};
/**
 * This many orders run in parallel, each in its own workspace, because the database waits for the disk and not for us.
 */
const ROWS = 8;

let world: World;

const at = (n: number) => new Date(1_700_000_000_000 + n * 1_000);
const paid = (id: string, status: string, n: number): PaidInvoice => {
  return {
    id,
    status,
    amountCents: 100,
    currency: "EUR",
    at: at(n),
    lines: [{ price: "price_credits", quantity: n + 1 }],
  };
};
const subscribed = (id: string, status: string, quantity: number): PaidSubscription => {
  const rest = { renewsAt: at(9), isEnding: false, paymentMethodLast4: null, createdAt: at(Number(id)) };
  return { id, itemId: `si_${id}`, status, price: "price_team", quantity, ...rest };
};

/** What happens at Stripe, step by step. Stripe sends an event after each step. */
const HISTORY: ((there: { subscriptions: PaidSubscription[]; invoices: PaidInvoice[] }) => void)[] = [
  ({ subscriptions }) => subscriptions.push(subscribed("1", "incomplete", 2)),
  ({ invoices }) => invoices.push(paid("in_1", "open", 0)),
  ({ invoices }) => invoices.splice(0, 1, paid("in_1", "paid", 0)),
  ({ subscriptions }) => subscriptions.splice(0, 1, subscribed("1", "active", 2)),
  ({ subscriptions }) => subscriptions.splice(0, 1, subscribed("1", "active", 5)),
  ({ invoices }) => invoices.push(paid("in_2", "paid", 1)),
  ({ subscriptions }) => subscriptions.splice(0, 1, subscribed("1", "canceled", 5)),
  ({ subscriptions }) => subscriptions.push(subscribed("2", "active", 7)),
];

/** Whether each event is delivered twice, and which of the waiting continuations runs next, turn by turn. */
const schedule = fc.record({
  twice: fc.array(fc.boolean(), { minLength: HISTORY.length, maxLength: HISTORY.length }),
  picks: fc.array(fc.nat({ max: 1_000 }), { minLength: 80, maxLength: 80 }),
});

/** Tries so many random orders of the same events. */
export function tryOrders(runs: number): void {
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  test("in any order of repeated and concurrent events, plan, seats and credits end as in Stripe", async () => {
    let tried = 0;
    const property = fc.asyncProperty(schedule, async ({ twice, picks }) => {
      const workspaceId = newId("wsp");
      await keepCustomer(workspaceId, `cus_${workspaceId}`);
      await play(workspaceId, twice, picks);
      const { BillingAccount, CreditBalance, CreditEntry } = scoped(workspaceId);
      expect(await BillingAccount.get(workspaceId)).toMatchObject({
        status: "ACTIVE",
        planId: "team",
        seats: 7,
        subscriptionId: "2",
      });
      const entries = (await CreditEntry.find({ kind: "PURCHASE" })).map(({ subjectId, amount }) => [
        subjectId,
        amount,
      ]);
      expect(entries.sort()).toEqual([
        ["in_1", 10],
        ["in_2", 20],
      ]);
      expect((await CreditBalance.get(workspaceId))?.granted).toBe(30);
      tried += 1;
    });
    await Promise.all(Array.from({ length: ROWS }, () => fc.assert(property, { numRuns: runs / ROWS })));
    expect(tried).toBe(runs);
  }, 600_000);
}

/**
 * Lets everything happen at Stripe. An event is delivered at any time after its step. Its handler may rest before
 * either question, and before it stores the answers, while anything else happens.
 */
async function play(workspaceId: string, twice: readonly boolean[], picks: readonly number[]): Promise<void> {
  const there: { subscriptions: PaidSubscription[]; invoices: PaidInvoice[] } = { subscriptions: [], invoices: [] };
  const waiting: (() => void)[] = [];
  const faults: unknown[] = [];
  let active = 0;
  const rest = () =>
    new Promise<void>((resolve) => {
      active -= 1;
      waiting.push(() => {
        active += 1;
        resolve();
      });
    });
  const slow = {
    async listSubscriptions() {
      await rest();
      return structuredClone(there.subscriptions);
    },
    async listInvoices() {
      await rest();
      const seen = structuredClone(there.invoices);
      await rest();
      return seen;
    },
  };
  const tell = () => {
    active += 1;
    const ended = () => {
      active -= 1;
    };
    syncAccount(slow, workspaceId, plans, 0).then(ended, (fault: unknown) => {
      faults.push(fault);
      ended();
    });
  };
  const happen = (step: number) => () => {
    HISTORY[step]?.(there);
    waiting.push(tell, ...(twice[step] === true ? [tell] : []));
    if (step + 1 < HISTORY.length) waiting.push(happen(step + 1));
  };
  waiting.push(happen(0));
  for (let turn = 0; waiting.length > 0; turn++) {
    const [next] = waiting.splice((picks[turn % picks.length] ?? 0) % waiting.length, 1);
    next?.();
    while (active > 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(faults).toEqual([]);
}
