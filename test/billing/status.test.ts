import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { syncAccount } from "../../activities/billing.ts";
import type { BillingPlans } from "../../domain/billing/plans.ts";
import { keepCustomer } from "../../store/billing/accounts.ts";
import { WEBHOOK_SECRET } from "../fakes/stripe.ts";
import { startWorld, type World } from "../support/world.ts";

const CREDITS = 10;
const plans: BillingPlans = { plans: [], free: { limits: {} }, credits: { price: "price_credits", credits: CREDITS } };
const PURCHASES = 30;

let world: World;
beforeAll(async () => {
  world = await startWorld({ settings: { billing: { plans, webhookSecret: WEBHOOK_SECRET } } });
});
afterAll(() => world.close());

test("during purchases, each billing status shows credits that match the paid invoices", async () => {
  const { rest, workspaceId } = await world.workspace();
  await keepCustomer(workspaceId, "cus_1");
  const invoices = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `in_${index}`,
      status: "paid",
      amountCents: 100,
      currency: "EUR",
      at: new Date(1_700_000_000_000 + index),
      lines: [{ price: "price_credits", quantity: 1 }],
    }));
  let isOver = false;
  const buy = async () => {
    for (let count = 1; count <= PURCHASES; count++) {
      const stripe = { listSubscriptions: async () => [], listInvoices: async () => invoices(count) };
      await syncAccount(stripe, workspaceId, plans, 0);
    }
    isOver = true;
  };
  const looks: { credits: number; invoices: number }[] = [];
  const look = async () => {
    while (!isOver) {
      const { body } = await rest.get("/billing");
      looks.push({ credits: body.creditsRemaining / CREDITS, invoices: body.invoices.length });
    }
  };
  await Promise.all([buy(), ...Array.from({ length: 4 }, look)]);
  expect(new Set(looks.map(({ credits }) => credits)).size).toBeGreaterThan(PURCHASES / 3);
  // An answer names at most the newest 24
  expect(looks.filter(({ credits, invoices }) => Math.min(credits, 24) !== invoices)).toEqual([]);
});
