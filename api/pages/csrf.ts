import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Request, Response } from "express";
import { AppError } from "../../domain/errors.ts";
import { SESSION_MS } from "../../operations/access/sessions.ts";
import { cookieOf, setCookie } from "../session-cookie.ts";

const TOKEN_BYTES = 24;
/** The field of a form that carries the token. */
export const TOKEN_FIELD = "form";

/** The form token of this browser. Sets its cookie if there is none. */
export function formToken(req: Request, res: Response, publicUrl: string): string {
  const token = cookieOf(req, publicUrl, "form") ?? randomBytes(TOKEN_BYTES).toString("base64url");
  setCookie(res, publicUrl, "form", token, SESSION_MS);
  return token;
}

/**
 * Refuses a form that another site posted through a browser: it has no valid token, or the browser reports another
 * origin.
 * @throws AppError CROSS_SITE_REFUSED
 */
export function refuseForged(req: Request, fields: Record<string, unknown>, publicUrl: string): void {
  const expected = Buffer.from(cookieOf(req, publicUrl, "form") ?? "");
  const submitted = Buffer.from(typeof fields[TOKEN_FIELD] === "string" ? fields[TOKEN_FIELD] : "");
  const isOurs = expected.length > 0 && expected.length === submitted.length && timingSafeEqual(expected, submitted);
  if (!isOurs || isFromElsewhere(req))
    throw new AppError("CROSS_SITE_REFUSED", "This form was not sent from its own page: open it again");
}

/**
 * Returns true when the browser reports that another site sent this request (Fetch Metadata). Older browsers send no
 * such header.
 */
export function isFromElsewhere(req: Request): boolean {
  const site = req.headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin" && site !== "none";
}
