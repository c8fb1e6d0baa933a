import { type Request, type Response, Router } from "express";
import { STATUS_OF } from "../../domain/errors.ts";
import type { Services } from "../../operations/context.ts";
import { unsubscribeByToken } from "../../operations/suppression/unsubscribe.ts";
import { asAppError } from "../errors.ts";
import { buttonOf, pageOf, sealPage } from "./page.ts";

/**
 * `/u/:token` (rules/mail 3.3, RFC 8058): for POST the token alone decides, whatever the body is; GET and HEAD change nothing, because
 * scanners
 * fetch links.
 */
export function unsubscribeOf(services: Services): Router {
  const router = Router();
  const route = router.route("/u/:token");
  route.all((_req, res, next) => {
    res.locals["route"] = "/u/:token";
    sealPage(res, { hasForm: true });
    next();
  });
  route.get((_req, res) => {
    res.type("html").send(PAGE);
  });
  route.post((req, res) => unsubscribe(services, req, res));
  route.all((_req, res) => {
    res.set("Allow", "GET, HEAD, POST").status(STATUS_OF.METHOD_NOT_ALLOWED).type("text/plain").send("This address takes GET and POST.\n");
  });
  return router;
}

async function unsubscribe(services: Services, req: Request<{ token: string }>, res: Response): Promise<void> {
  req.resume(); // the token alone decides, so the body is ignored
  try {
    const isKnown = await unsubscribeByToken(services, req.params.token);
    if (isKnown) res.type("text/plain").send("You are unsubscribed.\n");
    else res.status(404).type("text/plain").send("This unsubscribe link is not valid.\n");
  } catch (err) {
    const error = asAppError(err);
    res.locals["error"] = error;
    if (error.status === STATUS_OF.SERVICE_UNAVAILABLE) res.set("Retry-After", "5");
    res.status(error.status).type("text/plain").send("That did not work. Please try again in a moment.\n");
  }
}

/** The form posts to its own address, so no part of the request appears in the page. */
const PAGE = pageOf("Unsubscribe", "You will receive no more emails from this sender.", buttonOf("Unsubscribe"));
