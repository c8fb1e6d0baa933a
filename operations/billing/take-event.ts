import { z } from "zod";
import { isSignedByStripe } from "../../domain/billing/stripe-signature.ts";
import { AppError } from "../../domain/errors.ts";
import { readBy } from "../../domain/issues.ts";
import { findByCustomer } from "../../store/billing/accounts.ts";
import { billingSyncRun } from "../../temporal/runs.ts";
import type { Services } from "../context.ts";
import { billingOf } from "./configured.ts";

/**
 * The part of an event that names its customer. The state itself is read from Stripe, because events can arrive out of
 * order.
 */
const Event = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  data: z.looseObject({
    object: z.looseObject({
      object: z.string().max(100),
      id: z.string().max(255).nullish(),
      customer: z.unknown().optional(),
    }),
  }),
});
const ABOUT = ["checkout.session.", "customer.", "invoice.", "payment_method."];

/**
 * Accepts an event from Stripe. Ignores events of unknown customers, of deleted workspaces and of kinds that change
 * nothing. While no workflow can start, it accepts nothing, and Stripe retries.
 * @throws AppError PROVIDER_NOT_CONFIGURED, UNAUTHENTICATED, VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export async function takeStripeEvent(
  services: Services,
  body: Buffer,
  signature: string,
  read: (body: Buffer) => unknown,
): Promise<void> {
  const { webhookSecret } = billingOf(services);
  if (!isSignedByStripe(webhookSecret, signature, body, Date.now())) {
    throw new AppError("UNAUTHENTICATED", "The signature is not Stripe's, or older than five minutes");
  }
  const event = readBy(Event, read(body));
  if (!event.success)
    throw new AppError("VALIDATION_FAILED", "The body is not a Stripe event", { issues: event.issues });
  const { id: eventId, type, data } = event.data;
  const customerId = ABOUT.some((kind) => type.startsWith(kind)) ? customerIn(data.object) : null;
  const workspaceId = customerId === null ? null : await findByCustomer(customerId);
  if (workspaceId !== null) await services.engine.start(billingSyncRun({ v: 1, workspaceId, eventId }));
}

function customerIn({ object, id, customer }: z.output<typeof Event>["data"]["object"]): string | null {
  if (object === "customer") return id ?? null;
  if (typeof customer === "string") return customer;
  // Stripe may send the whole object in place of its id
  return typeof customer === "object" && customer !== null && "id" in customer && typeof customer.id === "string"
    ? customer.id
    : null;
}
