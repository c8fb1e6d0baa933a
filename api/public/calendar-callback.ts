import { type Request, type Response, Router } from "express";
import { STATUS_OF } from "../../domain/errors.ts";
import { findSession } from "../../operations/access/sessions.ts";
import { completeCalendarConsent } from "../../operations/agent/calendar-consent-callback.ts";
import { CALENDAR_CALLBACKS } from "../../operations/agent/calendar-consent-start.ts";
import type { Services } from "../../operations/context.ts";
import { sessionOf } from "../session-cookie.ts";
import { pageOf, sealPage, sendPage } from "./page.ts";

/** The addresses to which a provider redirects the browser of whoever let us read busy times. The `state` is the only authority. */
export function calendarCallbackOf(services: Services): Router {
  const router = Router();
  for (const provider of ["A", "B"] as const) {
    const path = CALENDAR_CALLBACKS[provider];
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

async function complete(services: Services, provider: "A" | "B", req: Request, res: Response): Promise<void> {
  const field = (name: string) => {
    const value = req.query[name];
    return typeof value === "string" ? value : null;
  };
  await sendPage(res, "Calendar not connected", async () => {
    const returned = { state: field("state"), code: field("code"), error: field("error") };
    const browser = await findSession(sessionOf(req, services.settings.publicUrl) ?? "", new Date());
    const traceId = typeof res.locals["traceId"] === "string" ? res.locals["traceId"] : null;
    const { address, workspace } = await completeCalendarConsent(services, provider, returned, { browser, ip: req.ip ?? null, traceId });
    return pageOf(
      "Calendar connected",
      `The workspace “${workspace}” sees now when ${address} is busy, and nothing else of that calendar.`,
    );
  });
}
