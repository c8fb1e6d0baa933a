import { type Request, type Response, Router } from "express";
import { STATUS_OF } from "../../domain/errors.ts";
import type { Bringer, Returned } from "../../operations/consents/end.ts";
import type { Services } from "../../operations/context.ts";
import { credential } from "../../operations/sign-in/attempts.ts";
import { addressOf } from "../limits.ts";
import { findSessionAt } from "../pages/visitor.ts";
import { pageOf, sealPage, sendPage } from "./page.ts";

/**
 * The addresses to which vendors redirect the browser after a consent (RFC 6749 4.1.2). The `state` is the only
 * credential. `failed` is the title of the page when nothing was connected. `end` completes the consent and returns the
 * page that confirms the connection, or null when it has sent the response. `wayOf` is HTML with a link for the page of
 * a failed consent.
 */
export function consentCallbackOf<P extends string>(
  services: Services,
  callbacks: Readonly<Record<P, string>>,
  failed: string,
  end: (provider: P, returned: Returned, by: Bringer, res: Response) => Promise<string | null>,
  wayOf: (returned: Returned, res: Response) => Promise<string> = async () => "",
): Router {
  const router = Router();
  for (const provider in callbacks) {
    const path = callbacks[provider];
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
    route.get((req, res) => {
      const returned = returnedBy(req);
      const make = async () => {
        if (isApproval(req))
          return pageOf("App approved", "The app is approved for your organisation. Its users can now connect.");
        const browser = await findSessionAt(services.settings.publicUrl, req, res);
        const traceId = typeof res.locals["traceId"] === "string" ? res.locals["traceId"] : null;
        const by = { browser, ip: req.ip ?? null, traceId };
        const ended = await credential(addressOf(req), async () => ({ page: await end(provider, returned, by, res) }), [
          "VALIDATION_FAILED",
        ]);
        return ended.page;
      };
      return sendPage(res, failed, make, () => wayOf(returned, res));
    });
    route.all((_req, res) => {
      res
        .set("Allow", "GET, HEAD")
        .status(STATUS_OF.METHOD_NOT_ALLOWED)
        .type("text/plain")
        .send("This URL accepts only GET.\n");
    });
  }
  return router;
}

/** Microsoft sends an admin who has approved the app to the same address, without a `state`. Nothing is connected. */
function isApproval({ query }: Request): boolean {
  return query["state"] === undefined && String(query["admin_consent"]).toLowerCase() === "true";
}

function returnedBy({ query }: Request): Returned {
  const field = (name: string) => (typeof query[name] === "string" ? query[name] : null);
  return { state: field("state"), code: field("code"), error: field("error"), description: field("error_description") };
}
