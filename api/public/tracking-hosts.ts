import type { Request, RequestHandler, Response } from "express";
import { AppError, STATUS_OF } from "../../domain/errors.ts";
import type { ServiceSettings } from "../../operations/context.ts";
import { findLook, findPortal } from "../../operations/sign-in/portals.ts";
import { isOwnName } from "../own-name.ts";
import { dressPage, pageOf, sealPage } from "./page.ts";

/**
 * Links, pixels, unsubscribing, conversions and their script (rules/tracking 4.3). The tool server refuses names that
 * are not ours itself.
 */
const SERVED = /^\/(?:(?:t|u|capi)\/|svc\.js$|mcp$)/;
/** Unsubscribing alone shows a page to people, in the colours of whose name it is. */
const SHOWN = /^\/u\//;
/** What a portal answers besides: signing in, and the console with its own interface (rules/access 6.1). */
const PORTAL_SERVED =
  /^\/(?:login(?:\/second-factor)?|logout|sign-in\/[^/]+|w(?:\/.*)?|console\/(?:assets|api\/v1)\/.*)$/;

/**
 * Under the name of a tracking domain only what emails and customers' pages ask for is answered: whoever controls that
 * name's DNS must get neither at sessions nor at forms, and a reader of mail has no business with the interface. A
 * portal lets people sign in besides, by sessions that open nothing but its workspaces.
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

/** Whoever wants to unsubscribe can, in our colours too: while the database is away no one asks whose name it is. */
async function showLook({ hostname }: Request, res: Response): Promise<void> {
  const look = await findLook(hostname).catch(() => null);
  if (look !== null) res.locals["look"] = look;
}

function refuse(req: Request, res: Response): void {
  if (req.accepts(["json", "html"]) !== "html") throw new AppError("ROUTE_NOT_FOUND", WHY);
  sealPage(res, { hasForm: false });
  const page = pageOf("There is nothing here", "Under this name there are only links of emails.");
  res.status(STATUS_OF.ROUTE_NOT_FOUND).type("html").send(dressPage(res, page));
}

const WHY =
  "Under this name only links of emails are answered: the interface is at PUBLIC_URL, and ALLOWED_HOSTS names further hosts of it";
