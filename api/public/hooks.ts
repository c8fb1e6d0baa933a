import { type Request, type RequestHandler, Router } from "express";
import { AppError } from "../../domain/errors.ts";
import { takeStripeEvent } from "../../operations/billing/take-event.ts";
import type { Services } from "../../operations/context.ts";
import { takeGraphNotices } from "../../operations/mailboxes/take-notices.ts";
import { credential } from "../../operations/sign-in/attempts.ts";
import { collect } from "../body.ts";
import { routeNotFound } from "../errors.ts";
import { parseJson, refuseDeep } from "../json.ts";
import { addressOf, limitBy } from "../limits.ts";

const MOST_BYTES = 1_048_576;
/** Each service sends many events at the same time from few addresses, and retries refused ones. */
const PER_MINUTE = 6_000;
/** The longest text that Microsoft is believed to check a URL with. */
const MOST_VALIDATION = 1_024;

/** Receives what other services report: events of Stripe (rules/billing 1) and notices of Microsoft (rules/mail 5.10). */
export function hooksOf(services: Services): Router {
  const router = Router();
  const add = (path: string, take: RequestHandler) => {
    const route = router.route(path);
    route.all((_req, res, next) => {
      res.locals["route"] = path;
      res.set("Cache-Control", "no-store");
      next();
    });
    route.post(limitBy(PER_MINUTE, addressOf), take);
    route.all((_req, res) => {
      res.set("Allow", "POST");
      throw new AppError("METHOD_NOT_ALLOWED", "This URL accepts only POST");
    });
  };

  // Stripe's signature over the exact bytes is the only authority
  add("/hooks/stripe", async (req, res) => {
    const body = await collect(req, MOST_BYTES);
    const signature = req.get("Stripe-Signature") ?? "";
    await credential(addressOf(req), () => takeStripeEvent(services, body, signature, read));
    res.json({ received: true });
  });

  add("/hooks/microsoft", async (req, res) => {
    if (!Object.values(services.settings.providers).some(({ api }) => api?.notices?.by === "HTTP")) routeNotFound(req);
    const question = validationOf(req);
    // Microsoft accepts a URL that repeats its text
    if (question !== null) return void res.type("text/plain").send(question);
    await takeGraphNotices(read(await collect(req, MOST_BYTES)));
    res.status(202).end();
  });
  return router;
}

function read(bytes: Buffer): unknown {
  refuseDeep(bytes);
  return parseJson(bytes);
}

function validationOf({ query }: Request): string | null {
  const { validationToken: text } = query;
  return typeof text === "string" && text.length <= MOST_VALIDATION ? text : null;
}
