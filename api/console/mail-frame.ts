import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RequestHandler } from "express";
import { routeNotFound } from "../errors.ts";
import { at, doorOf } from "../pages/door.ts";

/** The script of the email frame. The frame has an opaque origin, so this file must be served to other origins. */
export const FRAME_SCRIPT = /^mail-frame-[\w-]+\.js$/;

/**
 * Serves the page that displays emails. The page has an opaque origin, so the content of an email cannot reach cookies,
 * storage or the console. The page runs only its own script and loads nothing, or only https images with `images`
 * (rules/console 1.4).
 */
export function frameHandler(publicUrl: string, files: { folders(): readonly string[] }): RequestHandler {
  return async (req, res) => {
    res.locals["route"] = "/console/mail-frame";
    const [folder] = files.folders();
    const names = folder === undefined ? [] : await readdir(join(folder, "assets"));
    const script = names.find((name) => FRAME_SCRIPT.test(name));
    if (script === undefined) routeNotFound(req);
    res.set({
      "Content-Security-Policy": framePolicyOf(req.query["images"] === "1"),
      "Cache-Control": "private, no-cache",
    });
    res.set({ "Referrer-Policy": "no-referrer", "X-DNS-Prefetch-Control": "off" });
    // The page has an opaque origin, so it cannot ask for its own origin-keyed agent cluster
    res.removeHeader("Origin-Agent-Cluster");
    if (!publicUrl.startsWith("https:")) res.removeHeader("Strict-Transport-Security");
    res.type("html").send(pageOf(`${at(doorOf(res, publicUrl), "")}/console/assets/${script}`));
  };
}

function framePolicyOf(hasImages: boolean): string {
  const images = hasImages ? "https: data:" : "data:";
  return `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src ${images}; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts`;
}

/** The policy sets `base-uri` and `form-action` explicitly, because `default-src` does not cover them. */
function pageOf(script: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="color-scheme" content="light dark" />
    <title>Mail</title>
    <style>
      body { margin: 0; padding: 0.25rem; font: 1rem / 1.5 system-ui, sans-serif; overflow-wrap: anywhere; overflow-x: auto; }
      blockquote { margin-inline: 0; padding-inline-start: 0.75rem; border-inline-start: 0.2rem solid GrayText; }
      img { max-width: 100%; height: auto; }
      td, th { text-align: start; vertical-align: top; }
      pre { white-space: pre-wrap; }
      summary { cursor: pointer; min-height: 2rem; padding-block: 0.25rem; }
      :focus-visible { outline: 3px solid LinkText; outline-offset: 2px; }
    </style>
    <script src="${script}" defer></script>
  </head>
  <body dir="auto"></body>
</html>
`;
}
