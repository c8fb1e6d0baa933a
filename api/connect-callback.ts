import { type Request, type Response, Router } from "express";
import { AppError, STATUS_OF } from "../domain/errors.ts";
import type { Services } from "../operations/context.ts";
import { completeConsent } from "../operations/mailboxes/oauth-callback.ts";
import { asAppError } from "./errors.ts";

const PATHS = { A: "/connect/providerA/callback", B: "/connect/providerB/callback" } as const;

/** Where a mail provider sends the browser of who consented (RFC 6749 4.1.2). The `state` is all the authority there is. */
export function connectCallbackOf(services: Services): Router {
  const router = Router();
  for (const provider of ["A", "B"] as const) {
    const route = router.route(PATHS[provider]);
    route.all((_req, res, next) => {
      res.locals["route"] = PATHS[provider];
      res.set({ "Content-Security-Policy": POLICY, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
      next();
    });
    // HEAD would use the consent up for a look
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
  try {
    const returned = { state: field("state"), code: field("code"), error: field("error") };
    const traceId = typeof res.locals["traceId"] === "string" ? res.locals["traceId"] : null;
    const { email } = await completeConsent(services, provider, returned, { ip: req.ip ?? null, traceId });
    res.type("html").send(page("Mailbox connected", `${email} is connected. You can close this page.`));
  } catch (err) {
    const error = asAppError(err);
    res.locals["error"] = error;
    if (error.status === STATUS_OF.SERVICE_UNAVAILABLE) res.set("Retry-After", "5");
    const told = error instanceof AppError && error.status !== STATUS_OF.INTERNAL_ERROR ? error.message : "That did not work";
    res
      .status(error.status)
      .type("html")
      .send(page("Mailbox not connected", `${told}.`));
  }
}

const POLICY = "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

function page(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escaped(title)}</title></head>
<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p></main></body>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
