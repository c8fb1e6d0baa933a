import { Router } from "express";
import { AppError } from "../../domain/errors.ts";
import { takeStripeEvent } from "../../operations/billing/take-event.ts";
import type { Services } from "../../operations/context.ts";
import { credential } from "../../operations/sign-in/attempts.ts";
import { collect } from "../body.ts";
import { parseJson, refuseDeep } from "../json.ts";
import { addressOf, limitBy } from "../limits.ts";

const PATH = "/hooks/stripe";
const MOST_BYTES = 1_048_576;
/** Stripe sends many renewal events at the same time from few addresses, and retries refused events. */
const PER_MINUTE = 6_000;

/** Receives events from Stripe (rules/billing 1). Stripe's signature over the exact bytes is the only authority. */
export function stripeHookOf(services: Services): Router {
  const router = Router();
  const route = router.route(PATH);
  route.all((_req, res, next) => {
    res.locals["route"] = PATH;
    res.set("Cache-Control", "no-store");
    next();
  });
  route.post(limitBy(PER_MINUTE, addressOf), async (req, res) => {
    const body = await collect(req, MOST_BYTES);
    const read = (bytes: Buffer) => {
      refuseDeep(bytes);
      return parseJson(bytes);
    };
    await credential(addressOf(req), () => takeStripeEvent(services, body, req.get("Stripe-Signature") ?? "", read));
    res.json({ received: true });
  });
  route.all((_req, res) => {
    res.set("Allow", "POST");
    throw new AppError("METHOD_NOT_ALLOWED", "This URL accepts only POST");
  });
  return router;
}
