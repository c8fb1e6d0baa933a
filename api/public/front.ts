import { type RequestHandler, Router } from "express";
import { type Ready, readiness } from "../health.ts";
import { isOwnName } from "../own-name.ts";
import { VERSION } from "../version.ts";
import { escapeText, pageOf, sealPage } from "./page.ts";

const ABOUT =
  "An open outreach platform: campaigns of personal email sequences to leads, from the senders' own mailboxes, over REST. MongoDB is the system of record; Temporal owns time, retries and order.";

/**
 * `/`: what this service is, a link to the reference, and what is missing in its setup. Browsers get a page, other
 * clients JSON. A tracking domain has no front page, because only recipients of emails visit it.
 */
export function frontOf(ready: Ready, publicUrl: string, isOpen = true): Router {
  const router = Router();
  const show: RequestHandler = async (req, res, next) => {
    if (!isOwnName(req.hostname, publicUrl)) {
      next();
      return;
    }
    res.locals["route"] = "/";
    sealPage(res, { hasForm: false });
    res.vary("Accept");
    const { status, missing } = (await readiness(ready, isOpen)).body;
    if (req.accepts(["json", "html"]) === "html") res.type("html").send(frontPage(status, missing));
    else res.json({ name: "Outreach", about: ABOUT, version: VERSION, status, missing, ...addressesBelow(publicUrl) });
  };
  router.get("/", show);
  return router;
}

function addressesBelow(publicUrl: string) {
  const at = (path: string) => `${publicUrl.replace(/\/+$/, "")}${path}`;
  return { reference: at("/api/v1/reference/"), openapi: at("/api/v1/openapi.json"), readyz: at("/readyz") };
}

/** Links are relative, because a proxy may serve the page below a path. */
function frontPage(status: string, missing: readonly { message: string }[]): string {
  const list = missing.map(({ message }) => `<li>${escapeText(message)}</li>`).join("");
  const more = `
<ul>
<li><a href="api/v1/reference/">Reference</a>: every request, and a whole campaign shown request by request</li>
<li><a href="api/v1/openapi.json">OpenAPI document</a>: for tools and generated clients</li>
<li><a href="readyz">State</a>: for probes</li>
<li><a href="login">Sign in</a></li>
</ul>
<p><strong>${escapeText(stateOf(status, missing.length))}</strong></p>${list === "" ? "" : `\n<ul>${list}</ul>`}
<p class="aside">Version ${escapeText(VERSION)}. Each request to the API needs an API key.</p>`;
  return pageOf("Outreach", ABOUT, more);
}

function stateOf(status: string, missing: number): string {
  if (status === "ready")
    return missing === 0 ? "Ready: nothing is missing." : "Requests are served, but something is missing:";
  return missing === 0 ? "Not ready yet: the service is starting." : "Not ready:";
}
