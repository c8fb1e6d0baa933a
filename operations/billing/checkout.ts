import { z } from "zod";
import type { BillingSettings } from "../../domain/billing/plans.ts";
import { AppError } from "../../domain/errors.ts";
import type { NewOrder } from "../../store/billing/orders.ts";
import { time } from "../fields.ts";
import { operation } from "../operation.ts";
import { billingOf, namedPlan } from "./configured.ts";
import { openPage, PAGE_ERRORS } from "./open-page.ts";

const ITEMS = ["PLAN", "CREDITS", "SEATS"] as const;
const backUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" }).max(2_000);

export const checkout = operation({
  summary: "Open a Stripe page where a person can buy a plan, seats or credits. The call charges nothing",
  scope: "billing:write",
  errors: PAGE_ERRORS,
  audits: "billing.checkout",
  input: z.strictObject({
    item: z
      .enum(ITEMS)
      .describe(
        "PLAN buys or changes the plan, SEATS sets how many members it pays for, CREDITS buys packs of credits",
      ),
    planId: z.string().max(64).optional().describe("The plan; only for PLAN"),
    quantity: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe("The new number of seats, or of credit packs; by default the present seats, or 1 pack"),
    successUrl: backUrl
      .optional()
      .describe("The URL that Stripe opens after the purchase. Default: the public URL of this service"),
    cancelUrl: backUrl
      .optional()
      .describe(
        "The URL that Stripe opens if the person leaves without buying. Default: the public URL of this service",
      ),
  }),
  output: z.object({
    checkoutUrl: z.string().describe("The URL of the Stripe page. Share it only with members of the workspace"),
    sessionId: z.string().describe("The id of the checkout session at Stripe"),
    expiresAt: time.describe("When the Stripe page expires"),
  }),
  async run(ctx, { item, planId, quantity = null, successUrl, cancelUrl }) {
    const billing = billingOf(ctx.services);
    const { publicUrl } = ctx.services.settings;
    const order: NewOrder = {
      item,
      price: null,
      quantity,
      successUrl: successUrl ?? publicUrl,
      cancelUrl: cancelUrl ?? publicUrl,
    };
    const price =
      item === "PLAN" ? namedPlan(billing, planId).price : item === "CREDITS" ? creditsPrice(billing) : null;
    const { url: checkoutUrl, id: sessionId, expiresAt } = await openPage(ctx, { ...order, price });
    return { checkoutUrl, sessionId, expiresAt: new Date(expiresAt) };
  },
});

/** @throws AppError PROVIDER_NOT_CONFIGURED */
function creditsPrice({ plans: { credits } }: BillingSettings): string {
  if (credits !== null) return credits.price;
  throw new AppError(
    "PROVIDER_NOT_CONFIGURED",
    "This deployment sells no credits: BILLING_PLANS has no price for them",
    {
      setting: "BILLING_PLANS",
    },
  );
}
