import { z } from "zod";
import { time } from "../fields.ts";
import { operation } from "../operation.ts";
import { billingOf } from "./configured.ts";
import { openPage, PAGE_ERRORS } from "./open-page.ts";

export const portal = operation({
  summary: "Open Stripe's page for payment methods, invoices and plan cancellation",
  scope: "billing:write",
  errors: PAGE_ERRORS,
  audits: "billing.portal",
  input: z.strictObject({
    returnUrl: z
      .url({ protocol: /^https?$/, error: "must be an http or https address" })
      .max(2_000)
      .optional()
      .describe("The URL to which the Stripe page links back. Default: the public URL of this service"),
  }),
  output: z.object({
    portalUrl: z.string().describe("The URL of the Stripe page. Share it only with members of the workspace"),
    expiresAt: time.describe("When the Stripe page expires unless someone opens it"),
  }),
  async run(ctx, { returnUrl = ctx.services.settings.publicUrl }) {
    billingOf(ctx.services);
    const order = { item: "PORTAL" as const, price: null, quantity: null, successUrl: returnUrl, cancelUrl: returnUrl };
    const { url: portalUrl, expiresAt } = await openPage(ctx, order);
    return { portalUrl, expiresAt: new Date(expiresAt) };
  },
});
