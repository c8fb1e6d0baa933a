import type { RequestHandler } from "express";
import { AppError, STATUS_OF } from "../../domain/errors.ts";
import type { ServiceSettings } from "../../operations/context.ts";
import { isOwnName } from "../own-name.ts";
import { pageOf, sealPage } from "./page.ts";

/** Links, pixels, unsubscribing, conversions and their script (rules/tracking 4.3). The tool server refuses names that are not ours itself. */
const SERVED = /^\/(?:(?:t|u|capi)\/|svc\.js$|mcp$)/;

/**
 * Under the name of a tracking domain only what mails and customers' pages ask for is answered: whoever controls that name's DNS must get
 * neither at sessions nor at forms, and a reader of mail has no business with the interface.
 */
export function limitTrackingHosts({ publicUrl, ownHosts }: Pick<ServiceSettings, "publicUrl" | "ownHosts">): RequestHandler {
  return (req, res, next) => {
    const isOwn = isOwnName(req.hostname, publicUrl) || ownHosts.includes(req.hostname.toLowerCase());
    if (isOwn || SERVED.test(req.path)) {
      next();
      return;
    }
    if (req.accepts(["json", "html"]) !== "html") throw new AppError("ROUTE_NOT_FOUND", WHY);
    sealPage(res, { hasForm: false });
    res
      .status(STATUS_OF.ROUTE_NOT_FOUND)
      .type("html")
      .send(pageOf("There is nothing here", "Under this name there are only links of mails."));
  };
}

const WHY = "Under this name only links of mails are answered: the interface is at PUBLIC_URL, and ALLOWED_HOSTS names further hosts of it";
