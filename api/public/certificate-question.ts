import { type Request, type RequestHandler, Router } from "express";
import type { ServiceSettings } from "../../operations/context.ts";
import { isProxyAddress, isServedName } from "../../operations/mailboxes/served-name.ts";
import { asAppError } from "../errors.ts";
import { limitBy } from "../limits.ts";

const ROUTE = "/internal/tls";
/**
 * Questions a minute from one proxy: each is three look-ups, and a flood of handshakes under made-up names asks as
 * often as it likes.
 */
const QUESTIONS = 600;

/**
 * `GET /internal/tls?domain=`: whether the proxy in front may have a certificate made for a name (rules/tracking 4.2).
 * It answers 200 or 404 without a body, to the proxy alone: for anybody else there is no such address.
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
 * By the address of the connection itself, since a header can be forged. What the proxy passes on for someone else
 * comes from the same address, but says so.
 */
function isFromProxy({ socket, headers }: Request, settings: ServiceSettings): boolean {
  const isPassedOn = PASSED_ON.some((name) => headers[name] !== undefined);
  return !isPassedOn && isProxyAddress(settings, socket.remoteAddress ?? "");
}

const PASSED_ON = ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded", "via", "x-real-ip"];
