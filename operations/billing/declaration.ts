import type { Declaration } from "../declaration.ts";
import { checkout } from "./checkout.ts";
import { entries as creditEntries } from "./credit-entries.ts";
import { get as getCredits } from "./credits.ts";
import { portal } from "./portal.ts";
import { status as billingStatus } from "./status.ts";

export const billingDeclaration = {
  verbs: {
    "billing.get": billingStatus,
    "billing.checkout": checkout,
    "billing.portal": portal,
  },
  routes: [
    ["get", "/billing", billingStatus],
    ["post", "/billing/checkout", checkout, 201],
    ["post", "/billing/portal", portal, 201],
  ],
  tools: {
    billing: {
      billing_status: {
        operation: billingStatus,
        title: "Billing status",
        readOnly: true,
        when: "Plan, seats, credits and invoices. They change when Stripe reports it, a moment after a payment. Without billing here: PROVIDER_NOT_CONFIGURED.",
      },
      billing_checkout: {
        operation: checkout,
        title: "Start a checkout",
        openWorld: true,
        when: "Give checkoutUrl to a person: nothing is charged until that person pays there. PLAN takes planId, SEATS and CREDITS a quantity.",
      },
    },
  },
  examples: {
    afterwards: [
      {
        at: "post /billing/checkout",
        title: "Buy a plan with three seats",
        body: { item: "PLAN", planId: "team", quantity: 3 },
      },
      { at: "post /billing/portal", title: "Open invoices and plan cancellation", body: {} },
    ],
  },
} as const satisfies Declaration;

export const creditsDeclaration = {
  verbs: {
    "credits.get": getCredits,
    "credits.listEntries": creditEntries,
  },
  routes: [
    ["get", "/credits", getCredits],
    ["get", "/credits/entries", creditEntries],
  ],
} as const satisfies Declaration;
