import { type Request, type Response, Router } from "express";
import { STATUS_OF } from "../../domain/errors.ts";
import { findSession } from "../../operations/access/sessions.ts";
import type { Services } from "../../operations/context.ts";
import { completeCrmConsent } from "../../operations/crm/consent-callback.ts";
import { CRM_CALLBACKS } from "../../operations/crm/consent-start.ts";
import { sessionOf } from "../session-cookie.ts";
import { pageOf, sealPage, sendPage } from "./page.ts";

type Crm = keyof typeof CRM_CALLBACKS;

/** The addresses to which a CRM redirects the browser of the person who consented (RFC 6749 4.1.2). The `state` is the only authority. */
export function crmCallbackOf(services: Services): Router {
  const router = Router();
  for (const provider of ["HUBSPOT", "SALESFORCE", "PIPEDRIVE"] as const) {
    const path = CRM_CALLBACKS[provider];
    const route = router.route(path);
    route.all((_req, res, next) => {
      res.locals["route"] = path;
      sealPage(res, { hasForm: false });
      next();
    });
    // A HEAD request must not use up the consent
    route.head((_req, res) => {
      res.type("html").end();
    });
    route.get((req, res) => complete(services, provider, req, res));
    route.all((_req, res) => {
      res.set("Allow", "GET, HEAD").status(STATUS_OF.METHOD_NOT_ALLOWED).type("text/plain").send("This address takes GET.\n");
    });
  }
  return router;
}

async function complete(services: Services, provider: Crm, req: Request, res: Response): Promise<void> {
  const field = (name: string) => {
    const value = req.query[name];
    return typeof value === "string" ? value : null;
  };
  await sendPage(res, "CRM not connected", async () => {
    const returned = { state: field("state"), code: field("code"), error: field("error") };
    const browser = await findSession(sessionOf(req, services.settings.publicUrl) ?? "", new Date());
    const traceId = typeof res.locals["traceId"] === "string" ? res.locals["traceId"] : null;
    const { account, workspace } = await completeCrmConsent(services, provider, returned, { browser, ip: req.ip ?? null, traceId });
    return pageOf("CRM connected", `${account} is connected to the workspace “${workspace}”, which can import its contacts now.`);
  });
}
