import { type Request, type Response, Router } from "express";
import { STATUS_OF } from "../../domain/errors.ts";
import { findSession } from "../../operations/access/sessions.ts";
import type { Services } from "../../operations/context.ts";
import { completeConsent } from "../../operations/mailboxes/oauth-callback.ts";
import { sessionOf } from "../session-cookie.ts";
import { connectedPage } from "./connect-undo.ts";
import { sealPage, sendPage } from "./page.ts";

const PATHS = { A: "/connect/providerA/callback", B: "/connect/providerB/callback" } as const;

/**
 * The address to which a mail provider redirects the browser of the person who consented (RFC 6749 4.1.2). The `state` is the only
 * authority.
 */
export function connectCallbackOf(services: Services): Router {
  const router = Router();
  for (const provider of ["A", "B"] as const) {
    const route = router.route(PATHS[provider]);
    route.all((_req, res, next) => {
      res.locals["route"] = PATHS[provider];
      sealPage(res, { hasForm: false });
      next();
    });
    // A HEAD request must not use up the consent
    route.head((_req, res) => {
      res.type("html").end();
    });
    route.get(async (req, res) => {
      await complete(services, provider, req, res);
    });
    route.all((_req, res) => {
      res.set("Allow", "GET, HEAD").status(STATUS_OF.METHOD_NOT_ALLOWED).type("text/plain").send("This address takes GET.\n");
    });
  }
  return router;
}

async function complete(services: Services, provider: "A" | "B", req: Request, res: Response): Promise<void> {
  const field = (name: string) => {
    const value = req.query[name];
    return typeof value === "string" ? value : null;
  };
  await sendPage(res, "Mailbox not connected", async () => {
    const returned = { state: field("state"), code: field("code"), error: field("error") };
    const browser = await findSession(sessionOf(req, services.settings.publicUrl) ?? "", new Date());
    const traceId = typeof res.locals["traceId"] === "string" ? res.locals["traceId"] : null;
    const { undo, ...connection } = await completeConsent(services, provider, returned, { browser, ip: req.ip ?? null, traceId });
    sealPage(res, { hasForm: true });
    return connectedPage(connection, `/connect/undo/${undo}`);
  });
}
