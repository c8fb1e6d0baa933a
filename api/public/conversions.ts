import { type NextFunction, type Request, type Response, Router } from "express";
import { AppError } from "../../domain/errors.ts";
import { takeConversions } from "../../operations/tracking/conversions.ts";
import { collect } from "../body.ts";
import { asAppError } from "../errors.ts";
import { parseJson, refuseDeep } from "../json.ts";
import { addressOf, limitBy } from "../limits.ts";
import { PIXEL_GIF } from "./pixel-gif.ts";

/** The most events in one request, and bytes in its body (rules/tracking 5.6). */
const MOST_EVENTS = 1_000;
const MOST_BYTES = 1_048_576;
const PER_MINUTE = 600;
const CORS_SECONDS = 86_400;

/**
 * `/capi/v1/events` for servers and scripts of customers, `/capi/p` as a pixel on their pages (rules/tracking 5.6).
 * Neither needs a credential: the cid in each event identifies the recipient, and responses reveal only whether that
 * cid is known.
 */
export function conversionsOf(perMinute = PER_MINUTE): Router {
  const router = Router();
  const limit = limitBy(perMinute, addressOf);
  router.use("/capi", (_req, res, next) => {
    res.set({
      "Cache-Control": "no-store",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Access-Control-Allow-Origin": "*",
    });
    next();
  });
  const events = router.route("/capi/v1/events");
  events.all(named("/capi/v1/events"));
  events.options((_req, res) => {
    const allowed = { "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "Content-Type" };
    res
      .set({ ...allowed, "Access-Control-Max-Age": String(CORS_SECONDS) })
      .status(204)
      .end();
  });
  events.post(limit, async (req, res) => {
    const answers = await takeConversions(await readEvents(req), "SERVER");
    // The API promises a string: it is empty when the event had no readable id
    res.json({
      received: answers.length,
      results: answers.map(({ eventId, status, reason }) => ({ event_id: eventId ?? "", status, reason })),
    });
  });
  events.all((_req, res) => {
    res.set("Allow", "POST, OPTIONS");
    throw new AppError("METHOD_NOT_ALLOWED", "This URL accepts only POST");
  });
  const pixel = router.route("/capi/p");
  pixel.all(named("/capi/p"));
  // The image is returned even when the event fails, because no one would read an error there
  pixel.get(limit, answerPixel, sendPixel, (_err: unknown, req: Request, res: Response, _next: NextFunction) =>
    sendPixel(req, res),
  );
  pixel.all((_req, res) => {
    res.set("Allow", "GET, HEAD");
    throw new AppError("METHOD_NOT_ALLOWED", "This URL accepts only GET");
  });
  return router;
}

function named(route: string) {
  return (_req: Request, res: Response, next: NextFunction) => {
    res.locals["route"] = route;
    next();
  };
}

/** Accepts any content type, because a page that is being closed can only send text/plain. */
async function readEvents(req: Request): Promise<unknown[]> {
  const bytes = await collect(req, MOST_BYTES);
  refuseDeep(bytes);
  const body = parseJson(bytes);
  const events: unknown =
    typeof body === "object" && body !== null && Object.hasOwn(body, "events") ? Reflect.get(body, "events") : null;
  if (!Array.isArray(events)) {
    const issues = [{ path: "events", code: "REQUIRED", message: "must be an array of events" }];
    throw new AppError("VALIDATION_FAILED", "The body must have an array `events`", { issues });
  }
  if (events.length > MOST_EVENTS)
    throw new AppError("PAYLOAD_TOO_LARGE", `A request has at most ${MOST_EVENTS} events`, { limit: MOST_EVENTS });
  return events;
}

async function answerPixel(req: Request, res: Response, next: NextFunction): Promise<void> {
  try {
    // A HEAD request displays no image, so it reports no event
    if (req.method === "GET") await takeConversions([eventIn(req.query)], "PIXEL");
  } catch (err) {
    res.locals["error"] = asAppError(err);
  }
  next();
}

function sendPixel(_req: Request, res: Response): void {
  res.status(200).type("gif").send(PIXEL_GIF);
}

function eventIn({ ev, eid, cid, value, currency, em }: Request["query"]): object {
  const amount = typeof value === "string" && value !== "" ? numberIn(value) : null;
  return {
    event_name: ev,
    ...(eid !== undefined && eid !== "" && { event_id: eid }),
    action_source: "website",
    user_data: { cid, ...(em !== undefined && em !== "" && { em }) },
    custom_data: { value: amount, ...(currency !== undefined && currency !== "" && { currency }) },
  };
}

/** Returns NaN for a text that is not a number, so that the event is refused. */
function numberIn(value: string): number {
  return /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
}
