import type { Request, RequestHandler, Response } from "express";
import { AppError, STATUS_OF } from "../../domain/errors.ts";
import type { ServiceSettings } from "../../operations/context.ts";
import { findLook, findPortal } from "../../operations/sign-in/portals.ts";
import { isOwnName } from "../own-name.ts";
import { dressPage, pageOf, sealPage } from "./page.ts";

/**
 * Paths that a tracking domain serves: links, pixels, unsubscribe pages, conversions and their script (rules/tracking
 * 4.3). The tool server refuses foreign host names itself.
 */
const SERVED = /^\/(?:(?:t|u|capi)\/|svc\.js$|mcp$)/;
/** The only pages that people see on a tracking domain. They get the branding of the workspace that owns the domain. */
const SHOWN = /^\/u\//;
/** The pages that a portal also serves: sign-in, and the console with its own API (rules/access 6.1). */
const PORTAL_SERVED =
  /^\/(?:login(?:\/second-factor)?|logout|sign-in\/[^/]+|w(?:\/.*)?|console\/(?:assets|api\/v1)\/.*)$/;

/**
 * Restricts a tracking domain to requests of emails and of customers' pages. Customers control the DNS of such a domain
 * and must not reach sessions or forms, and recipients do not need the API. A portal also lets people sign in, with
 * sessions that open only the workspaces of that portal.
 */
export function limitTrackingHosts({
  publicUrl,
  ownHosts,
}: Pick<ServiceSettings, "publicUrl" | "ownHosts">): RequestHandler {
  return async (req, res, next) => {
    const isOwn = isOwnName(req.hostname, publicUrl) || ownHosts.includes(req.hostname.toLowerCase());
    if (isOwn || SERVED.test(req.path)) {
      if (!isOwn && SHOWN.test(req.path)) await showLook(req, res);
      next();
      return;
    }
    const portal = await findPortal(req.hostname);
    if (portal !== null) Object.assign(res.locals, { portal, look: portal.look });
    if (portal !== null && PORTAL_SERVED.test(req.path)) next();
    else if (portal !== null && req.path === "/") res.redirect(303, "/login");
    else refuse(req, res);
  };
}

/**
 * Sets the workspace's branding. If the database is unreachable, the page has the default colours, because a recipient
 * can always unsubscribe.
 */
async function showLook({ hostname }: Request, res: Response): Promise<void> {
  const look = await findLook(hostname).catch(() => null);
  if (look !== null) res.locals["look"] = look;
}

function refuse(req: Request, res: Response): void {
  if (req.accepts(["json", "html"]) !== "html") throw new AppError("ROUTE_NOT_FOUND", WHY);
  sealPage(res, { hasForm: false });
  const page = pageOf("There is nothing here", "This address only serves links in emails.");
  res.status(STATUS_OF.ROUTE_NOT_FOUND).type("html").send(dressPage(res, page));
}

const WHY =
  "This host only serves links in emails: the API is at PUBLIC_URL, and ALLOWED_HOSTS names further hosts for it";
