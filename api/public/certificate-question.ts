import { type Request, type RequestHandler, Router } from "express";
import type { ServiceSettings } from "../../operations/context.ts";
import { isProxyAddress, isServedName } from "../../operations/mailboxes/served-name.ts";
import { asAppError } from "../errors.ts";
import { limitBy } from "../limits.ts";

const ROUTE = "/internal/tls";
/**
 * The most questions per minute from one proxy. Each takes three database reads, and a flood of TLS handshakes with
 * invented names could cause any number of them.
 */
const QUESTIONS = 600;

/**
 * `GET /internal/tls?domain=`: tells the proxy whether it may get a certificate for a domain (rules/tracking 4.2). It
 * responds to the proxy only, with 200 or 404 and no body; for everyone else the address does not exist.
 */
export function certificateQuestionOf(settings: ServiceSettings): Router {
  const router = Router();
  const answer: RequestHandler = async (req, res) => {
    const { domain } = req.query;
    try {
      res.status(typeof domain === "string" && (await isServedName(settings, domain)) ? 200 : 404).end();
    } catch (err) {
      const error = asAppError(err);
      res.locals["error"] = error;
      res.status(error.status).end();
    }
  };
  const limit = limitBy(QUESTIONS, (req) => req.socket.remoteAddress ?? "unknown");
  router.get(ROUTE, refuseOthers(settings), limit, answer);
  return router;
}

function refuseOthers(settings: ServiceSettings): RequestHandler {
  return (req, res, next) => {
    if (!isFromProxy(req, settings)) {
      next("router");
      return;
    }
    res.locals["route"] = ROUTE;
    res.set("Cache-Control", "no-store");
    next();
  };
}

/**
 * Checks the address of the connection itself, because a header can be forged. A request that the proxy forwards has
 * the same address, but also a forwarding header.
 */
function isFromProxy({ socket, headers }: Request, settings: ServiceSettings): boolean {
  const isPassedOn = PASSED_ON.some((name) => headers[name] !== undefined);
  return !isPassedOn && isProxyAddress(settings, socket.remoteAddress ?? "");
}

const PASSED_ON = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "via", "x-real-ip"];
