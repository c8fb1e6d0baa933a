import { z } from "zod";
import { NO_BILLING } from "../../domain/billing/account.ts";
import { availableOf } from "../../domain/credits.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { readCredits } from "../../store/credits.ts";
import { nullable, optionalTime, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { billingOf } from "./configured.ts";

export const status = operation({
  summary: "Show the workspace's plan, seats, credits and invoices, as Stripe last reported them",
  scope: "billing:read",
  errors: ["PROVIDER_NOT_CONFIGURED"],
  input: z.strictObject({}),
  output: z
    .object({
      plan: nullable(z.string()).describe("The current plan; null without one"),
      status: z
        .string()
        .describe(
          "NONE, or Stripe's word for the subscription: ACTIVE, TRIALING, PAST_DUE, UNPAID, CANCELED and so on",
        ),
      seats: z.number().int().describe("How many members it pays for"),
      subscriptions: z
        .number()
        .int()
        .describe("Paid subscriptions: if there are several, the newest counts, so end the others at Stripe"),
      creditsRemaining: z.number().int().describe("Credits that may be spent"),
      renewsAt: optionalTime.describe("When the plan renews, or ends"),
      paymentMethodLast4: nullable(z.string()).describe("The last digits of the card; null where Stripe shows none"),
      invoices: z
        .array(
          z.object({
            id: z.string().describe("Stripe's id of the invoice"),
            amountCents: z.number().int().describe("The amount, in the currency's smallest unit"),
            currency: z.string().describe("ISO 4217 code"),
            status: z.string().describe("DRAFT, OPEN, PAID, VOID or UNCOLLECTIBLE"),
            at: time.describe("When it was made"),
          }),
        )
        .describe("The newest 24, newest first"),
    })
    .meta({ id: "Billing", description: "What a workspace pays for" }),
  async run({ workspaceId, services }) {
    billingOf(services);
    // Reads one snapshot of the database, so that credits never appear without their invoice
    const [account, credits] = await inTransaction(async () => [
      await scoped(workspaceId).BillingAccount.get(workspaceId),
      await readCredits(workspaceId, services.settings.creditsPerMonth),
    ]);
    const {
      planId: plan,
      status,
      seats,
      subscriptions = 0,
      renewsAt,
      paymentMethodLast4,
      invoices,
    } = account ?? NO_BILLING;
    const creditsRemaining = availableOf(credits);
    return { plan, status, seats, subscriptions, creditsRemaining, renewsAt, paymentMethodLast4, invoices };
  },
});
