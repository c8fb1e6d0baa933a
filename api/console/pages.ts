import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { type RequestHandler, type Response, Router } from "express";
import { routeNotFound } from "../errors.ts";
import { at, doorOf } from "../pages/door.ts";
import { pathOf } from "../pages/page.ts";
import { findSessionAt } from "../pages/visitor.ts";
import { pageOf, sealPage } from "../public/page.ts";
import { sessionOf } from "../session-cookie.ts";
import { FRAME_SCRIPT, frameHandler } from "./mail-frame.ts";

/** The built console: the process found it or builds it. */
export interface ConsoleFiles {
  /** Folders of builds, the served build first. The older ones stay available for tabs that were opened before. */
  folders(): readonly string[];
  /** BUILDING: the page shows that the build is running. ABSENT: this process cannot build the console. */
  state(): "READY" | "BUILDING" | "ABSENT";
}

const RELOAD_SECONDS = 2;
const TYPES: Record<string, string> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
/** Compressed variants that may exist beside a file, smallest first. */
const ENCODINGS = [
  { name: "br", end: ".br" },
  { name: "gzip", end: ".gz" },
] as const;

/** The pages of the console: one HTML file for all pages, and the assets it names (rules/console 1). */
export function consolePagesOf(publicUrl: string, files: ConsoleFiles): Router {
  const router = Router();
  const show = pageHandler(publicUrl, files);
  router.get("/console/assets/:name", assetHandler(files));
  router.get("/console/mail-frame", frameHandler(publicUrl, files));
  router.get("/", forBrowsersWithSession(publicUrl, show));
  router.get(["/w", "/w/*path"], show);
  // A person who is signed in does not need the login page. At a portal, `/` redirects here
  router.get(
    "/login",
    forBrowsersWithSession(publicUrl, async (req, res, next) => {
      if ((await findSessionAt(publicUrl, req, res)) === null) {
        next();
        return;
      }
      res.locals["route"] = "/login";
      const door = doorOf(res, publicUrl);
      res.redirect(303, at(door, pathOf(req.query["returnTo"], door.portalId === null ? "/" : "/w")));
    }),
  );
  return router;
}

/**
 * Handles requests of browsers that send a session cookie, and passes all others to the next route of this path. It
 * does not check that the session is still open, so the page needs no database: the page's API calls check it.
 */
function forBrowsersWithSession(publicUrl: string, then: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (req.accepts(["json", "html"]) === "html" && sessionOf(req, publicUrl) !== null) return then(req, res, next);
    next();
  };
}

/**
 * Serves one file for all pages, the same for everyone, without reading the session or the database. The API calls of
 * the page read both, and redirect a person who is not signed in to the sign-in page.
 */
function pageHandler(publicUrl: string, files: ConsoleFiles): RequestHandler {
  const policy = policyOf(publicUrl);
  return async (_req, res) => {
    res.locals["route"] = "/w";
    const [folder] = files.folders();
    if (folder === undefined) {
      showMissing(res, files.state() === "BUILDING");
      return;
    }
    const prefix = at(doorOf(res, publicUrl), "");
    const page = await readFile(join(folder, "index.html"), "utf8");
    const html = page.replace("__PREFIX__", prefix).replaceAll('"./assets/', `"${prefix}/console/assets/`);
    res.set({
      "Content-Security-Policy": policy,
      "Cache-Control": "private, no-cache",
      "Referrer-Policy": "same-origin",
    });
    if (!publicUrl.startsWith("https:")) res.removeHeader("Strict-Transport-Security");
    res.set("ETag", `"${createHash("sha256").update(html).digest("base64url").slice(0, 20)}"`);
    res.type("html").send(html);
  };
}

/** The page loads only its own scripts and styles, and no text can become a script (rules/console 1.2). */
function policyOf(publicUrl: string): string {
  const parts = [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-src 'self'",
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    ...(publicUrl.startsWith("https:") ? ["upgrade-insecure-requests"] : []),
  ];
  return parts.join("; ");
}

function showMissing(res: Response, isBuilding: boolean): void {
  sealPage(res, { hasForm: false });
  res.status(503).set("Retry-After", String(RELOAD_SECONDS));
  if (isBuilding) res.set("Refresh", String(RELOAD_SECONDS));
  const [title, text] = isBuilding
    ? [
        "Nearly there",
        "The console is being built. This takes a few seconds after an update. This page then opens by itself.",
      ]
    : [
        "No console here",
        "The console was not built, and it cannot be built on this machine. Run npm ci && npm run console:build. The API works.",
      ];
  res.type("html").send(pageOf(title, text));
}

/** Asset names contain a hash of the content, so browsers cache them permanently. */
function assetHandler(files: ConsoleFiles): RequestHandler {
  return async (req, res) => {
    res.locals["route"] = "/console/assets";
    const name = String(req.params["name"]);
    const type = TYPES[extname(name)];
    // Only a plain file name: no folder and no hidden file
    if (type === undefined || !/^\w[\w.-]*$/.test(name)) routeNotFound(req);
    const accepted = ENCODINGS.filter((encoding) => req.acceptsEncodings(encoding.name) === encoding.name);
    for (const folder of files.folders()) {
      for (const { name: encoding, end } of [...accepted, { name: "identity", end: "" }]) {
        const body = await readFile(join(folder, "assets", `${name}${end}`)).catch(() => null);
        if (body === null) continue;
        if (encoding !== "identity") res.set("Content-Encoding", encoding);
        res.set({ "Cache-Control": "public, max-age=31536000, immutable", "Content-Type": `${type}; charset=utf-8` });
        if (FRAME_SCRIPT.test(name)) res.set("Cross-Origin-Resource-Policy", "cross-origin");
        res.vary("Accept-Encoding");
        res.send(body);
        return;
      }
    }
    routeNotFound(req);
  };
}
