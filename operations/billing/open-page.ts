import {
  STRIPE_ORDER,
  type StripeOrderIds,
  type StripeOrderOutcome,
  type StripeRefusal,
} from "../../domain/billing/contract.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../mongo/ids.ts";
import { dropOrder, loadPage, type NewOrder, type StripePage, storeOrder } from "../../store/billing/orders.ts";
import { stripeOrderRun } from "../../temporal/runs.ts";
import type { Context } from "../context.ts";

export const PAGE_ERRORS = ["PROVIDER_NOT_CONFIGURED", "INVALID_STATE_TRANSITION"] as const;

/**
 * Lets a worker open a page at Stripe, and waits for it. @throws AppError SERVICE_UNAVAILABLE, PROVIDER_NOT_CONFIGURED,
 * INVALID_STATE_TRANSITION
 */
export async function openPage({ workspaceId, services }: Context, order: NewOrder): Promise<StripePage> {
  const { engine, keyRing } = services;
  // Checks Temporal before anything is stored, because this may run in the transaction of an idempotency key
  if (!(await engine.isReachable())) throw unavailable("The workflow engine cannot be reached: try again");
  const ids: StripeOrderIds = { v: 1, workspaceId, orderId: newId("ord") };
  try {
    await storeOrder(ids, order, new Date());
    const outcome = await engine.execute<StripeOrderOutcome>(stripeOrderRun(ids), STRIPE_ORDER.callerMs);
    if (outcome.kind === "refused") throw refusalOf(outcome.code);
    const page = await loadPage(keyRing, ids);
    if (page === null) throw unavailable("Stripe did not answer: try again");
    return page;
  } finally {
    await dropOrder(ids);
  }
}

/** The refusal in our own words: messages of Stripe are not passed on. */
function refusalOf(code: StripeRefusal): AppError {
  switch (code) {
    case "NO_PLAN":
      return new AppError(
        "INVALID_STATE_TRANSITION",
        "This workspace has no plan whose seats could change: buy a plan first",
        {
          from: "NONE",
          action: "SEATS",
        },
      );
    case "OVERTAKEN":
      return new AppError(
        "INVALID_STATE_TRANSITION",
        "Another checkout of the plan began at the same moment: pay on its page",
        {
          from: "CHECKOUT",
          action: "PLAN",
        },
      );
    case "KEY_REFUSED":
      return new AppError("PROVIDER_NOT_CONFIGURED", "Stripe refuses the key of this deployment", {
        setting: "STRIPE_SECRET_KEY",
      });
    case "REFUSED":
      return unavailable(
        "Stripe refuses the request: ask your operator to check BILLING_PLANS and the Stripe portal",
        60,
      );
    case "AWAY":
      return unavailable("Stripe did not answer: try again");
  }
}

function unavailable(message: string, retryAfterSeconds = 5): AppError {
  return new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds });
}
