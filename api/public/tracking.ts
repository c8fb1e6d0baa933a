import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type Request, type Response, Router } from "express";
import proxyAddress from "proxy-addr";
import { AppError, STATUS_OF } from "../../domain/errors.ts";
import type { ServiceSettings } from "../../operations/context.ts";
import type { Followed, Tracker, Visitor } from "../../operations/tracking/tracker.ts";
import type { Answered } from "../app.ts";
import { LONGEST_URL } from "../limits.ts";
import { pageOf, sealPage } from "./page.ts";
import { languageOf, sendIn } from "./page-language.ts";
import { PIXEL_GIF } from "./pixel-gif.ts";
import { TRACKING_TEXTS } from "./tracking-texts.ts";

/** The start of each address in an email. */
const PIXEL = "/t/o/";
const LINK = "/t/c/";
const RETRY_SECONDS = 5;

/** The header that helmet sets on every other response of the service. */
const TRANSPORT = { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" };
const ALWAYS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  ...TRANSPORT,
};
/** Webmail shows an email on its own domain, so any page may embed the image. */
const PIXEL_HEADERS = {
  ...ALWAYS,
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Content-Type": "image/gif",
  "Content-Length": PIXEL_GIF.length,
};

/** Node sends a text body in one write with the headers; bytes would need a second write. */
const PIXEL_TEXT = PIXEL_GIF.toString("latin1");

export interface TrackingDoor {
  /**
   * Handles the tracking addresses in emails before `app`, which handles all other requests and links without a target.
   */
  before(app: RequestListener): RequestListener;
  /** The pages of links that have no target. */
  pages: Router;
}

export interface TrackingDoorOptions {
  trustProxy: ServiceSettings["trustProxy"];
  /** Called for each response, like the callback of the application. */
  onAnswered?: ((request: Answered) => void) | undefined;
}

/**
 * `/t/o/:token` and `/t/c/:token` (rules/tracking 2), on every host name of the service. Pixels and redirects bypass
 * the Express application, because they outnumber all other requests.
 */
export function trackingDoorOf(tracker: Tracker, { trustProxy, onAnswered }: TrackingDoorOptions): TrackingDoor {
  const trust = trustOf(trustProxy);
  const followed = new WeakMap<IncomingMessage, Followed>();

  function visitorOf(req: IncomingMessage): Visitor {
    const address = trustProxy === false ? (req.socket.remoteAddress ?? null) : (proxyAddress(req, trust) ?? null);
    return { method: req.method ?? "", agent: req.headers["user-agent"] ?? "", address, at: new Date() };
  }

  function tell(req: IncomingMessage, route: string, status: number, started: number): void {
    onAnswered?.({ method: req.method ?? "", route, status, ms: performance.now() - started });
  }

  function follow(req: IncomingMessage, res: ServerResponse, app: RequestListener): void {
    const started = performance.now();
    const conclude = (found: Followed) => {
      if (found.kind === "LEADS") {
        res.writeHead(302, { Location: found.location, ...ALWAYS, "Content-Length": 0 }).end();
        return tell(req, `${LINK}:token`, 302, started);
      }
      followed.set(req, found);
      app(req, res);
    };
    const found = tracker.follow(tokenIn(req.url, LINK), visitorOf(req));
    if (found instanceof Promise) void found.then(conclude, (cause: unknown) => conclude({ kind: "AWAY", cause }));
    else conclude(found);
  }

  function open(req: IncomingMessage, res: ServerResponse): void {
    const started = performance.now();
    tracker.open(tokenIn(req.url, PIXEL), visitorOf(req));
    res.writeHead(200, PIXEL_HEADERS).end(PIXEL_TEXT, "latin1");
    tell(req, `${PIXEL}:token`, 200, started);
  }

  return {
    before: (app) => (req, res) => {
      const { url = "", method } = req;
      const isRead = method === "GET" || method === "HEAD";
      if (!isRead || !url.startsWith("/t/") || url.length > LONGEST_URL) return app(req, res);
      if (url.startsWith(LINK)) return follow(req, res, app);
      if (url.startsWith(PIXEL)) return open(req, res);
      app(req, res);
    },
    pages: pagesOf(tracker, visitorOf, (req) => followed.get(req)),
  };
}

/** Removes anything after the token, because some programs add a query to each address. */
function tokenIn(url = "", prefix: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url.slice(prefix.length) : url.slice(prefix.length, end);
}

type Trust = (address: string, distance: number) => boolean;

/** The proxies whose X-Forwarded-For header is trusted, as Express interprets the same setting. */
function trustOf(trustProxy: ServiceSettings["trustProxy"]): Trust {
  if (trustProxy === false) return () => false;
  return typeof trustProxy === "number"
    ? (_address, distance) => distance < trustProxy
    : proxyAddress.compile(trustProxy);
}

function pagesOf(
  tracker: Tracker,
  visitorOf: (req: Request) => Visitor,
  followedBy: (req: Request) => Followed | undefined,
): Router {
  const router = Router();
  router.use(["/t/o", "/t/c"], (req, res, next) => {
    const found = followedBy(req);
    if (found === undefined && (req.method === "GET" || req.method === "HEAD")) return next();
    const isPixel = req.baseUrl.toLowerCase() === "/t/o";
    res.locals["route"] = isPixel ? `${PIXEL}:token` : `${LINK}:token`;
    sealPage(res, { hasForm: false });
    if (found !== undefined) return answerPage(req, res, found);
    if (isPixel) tracker.open(tokenIn(req.originalUrl, PIXEL), visitorOf(req));
    else tracker.note(tokenIn(req.originalUrl, LINK), visitorOf(req));
    res
      .set("Allow", "GET, HEAD")
      .status(STATUS_OF.METHOD_NOT_ALLOWED)
      .type("text/plain")
      .send("This URL accepts only GET and HEAD.\n");
  });
  return router;
}

/** The page of a link that has no target. */
function answerPage(req: Request, res: Response, found: Followed): void {
  const language = languageOf(req);
  const { hiddenTitle, hidden, invalidTitle, invalid, awayTitle, away } = TRACKING_TEXTS[language];
  if (found.kind === "HIDDEN") {
    sendIn(res, language, pageOf(hiddenTitle, hidden, "", language));
    return;
  }
  if (found.kind !== "AWAY") {
    sendIn(res.status(404), language, pageOf(invalidTitle, invalid, "", language));
    return;
  }
  res.locals["error"] = new AppError("SERVICE_UNAVAILABLE", away, undefined, { cause: found.cause });
  res.set("Retry-After", String(RETRY_SECONDS)).status(STATUS_OF.SERVICE_UNAVAILABLE);
  sendIn(res, language, pageOf(awayTitle, away, "", language));
}
