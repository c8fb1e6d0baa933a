import type { Response } from "express";
import { type AppError, STATUS_OF } from "../../domain/errors.ts";
import { asAppError, isDatabaseAway } from "../errors.ts";
import { lookOf, lookSource, styleOf } from "./look.ts";
import { STYLE, STYLE_SOURCE } from "./page-style.ts";

/**
 * An application may have opened the consent page in a new window and waits for its result, so the page must keep its
 * opener.
 */
export const OPENER = { "Cross-Origin-Opener-Policy": "unsafe-none" } as const;

/**
 * Sets the headers of a public page: it cannot be framed, loads only its own style and is not cached. Only a page with
 * a form may post, and only to this server. `returns` is the address to which the response may redirect, because
 * browsers apply `form-action` to redirects too.
 */
export function sealPage(res: Response, { hasForm, returns = "" }: { hasForm: boolean; returns?: string }): void {
  const form = `form-action ${hasForm ? `'self' ${returns}`.trim() : "'none'"}`;
  const policy = `default-src 'none'; ${form}; frame-ancestors 'none'; base-uri 'none'; style-src ${STYLE_SOURCE}${lookSource(res)}`;
  res.set({
    "Content-Security-Policy": policy,
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    ...OPENER,
  });
}

/**
 * Sends the page that `make` returns. If `make` fails, sends a page with this title, the reason and `more`, which must
 * be HTML. Null means that the response was already sent, for example as a redirect.
 */
export async function sendPage(
  res: Response,
  titleOfRefusal: string,
  make: () => Promise<string | null>,
  more: () => Promise<string> = async () => "",
): Promise<void> {
  try {
    const page = await make();
    if (page !== null) res.type("html").send(dressPage(res, page));
  } catch (err) {
    const error = asAppError(err);
    res.locals["error"] = error;
    noteWait(res, error);
    const page = awayPage(res, error) ?? pageOf(titleOfRefusal, `${sayFault(error)}.`, await more().catch(() => ""));
    res.status(error.status).type("html").send(dressPage(res, page));
  }
}

/** Responds to a browser with a page that describes the error. */
export function sendFault(res: Response, error: AppError): void {
  sealPage(res, { hasForm: false });
  noteWait(res, error);
  const trace = `<p class="aside">${escapeText(`${error.code} · trace ${res.locals["traceId"] ?? "unknown"}`)}</p>`;
  const page = awayPage(res, error) ?? pageOf("Something went wrong", `${sayFault(error)}.`, `\n${trace}`);
  res.status(error.status).type("html").send(dressPage(res, page));
}

/**
 * The page while the database does not respond; null for every other error. A page requested by GET reloads by itself
 * once the database is back. A form is never submitted twice.
 */
export function awayPage(res: Response, error: AppError): string | null {
  if (!isDatabaseAway(error)) return null;
  const { method, originalUrl } = res.req;
  if (!isRead(method)) {
    const text = "The database is not responding. Nothing was saved. Please try again in a moment.";
    return pageOf(AWAY, text, linkTo(originalUrl.replace(/^\/+/, "/"), "Go back"));
  }
  res.set("Refresh", String(RETRY_SECONDS));
  return pageOf(
    AWAY,
    "The database is not responding. Retrying...",
    '\n<p class="aside">This page opens by itself once the database is back. You can also reload it yourself.</p>',
  );
}

const AWAY = "Outreach is unavailable";
const RETRY_SECONDS = 5;

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** A sentence without its full stop. Details of internal errors stay in the log. */
function sayFault({ status, message }: AppError): string {
  return status === STATUS_OF.INTERNAL_ERROR ? "Something went wrong on our side. Please try again" : message;
}

/** Sets `Retry-After` when the error contains a time, or the service is unavailable for a moment. */
export function noteWait(res: Response, { details, status }: AppError): void {
  const seconds = details?.["retryAfterSeconds"];
  if (typeof seconds === "number") res.set("Retry-After", String(seconds));
  else if (status === STATUS_OF.SERVICE_UNAVAILABLE) res.set("Retry-After", "5");
}

/** `text` is escaped here; `more` must be HTML. `language` is an IETF tag. */
export function pageOf(title: string, text: string, more = "", language = "en"): string {
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeText(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeText(title)}</h1><p>${escapeText(text)}</p>${more}</main></body>
</html>
`;
}

/** Adds the name and colours of a workspace to a page on that workspace's own domain (rules/access 6.4). */
export function dressPage(res: Response, page: string): string {
  const look = lookOf(res);
  if (look === null) return page;
  return page
    .replace("</style></head>", () => `</style><style>${styleOf(look)}</style></head>`)
    .replace("<body><main>", () => `<body><main><p class="brand">${escapeText(look.name)}</p>`);
}

/** A form with one button, which posts to the page's own address unless `address` is given. */
export function buttonOf(text: string, address: string | null = null): string {
  const action = address === null ? "" : ` action="${escapeText(address)}"`;
  return `\n<form method="post"${action}><button type="submit">${escapeText(text)}</button></form>`;
}

/** A paragraph with one link. */
export function linkTo(address: string, text: string): string {
  return `\n<p><a href="${escapeText(address)}">${escapeText(text)}</a></p>`;
}

export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
