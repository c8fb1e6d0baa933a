import { parseCookie, type SerializeOptions } from "cookie";
import type { Request, Response } from "express";

/**
 * session: the person is signed in. waiting: the password was correct, the second factor is missing. known: the
 * password was correct in this browser before. form: proves that a form is ours.
 */
const NAMES = {
  session: "outreach",
  waiting: "outreach-waiting",
  known: "outreach-known",
  form: "outreach-form",
} as const;
type Kind = keyof typeof NAMES;

/** The session cookie of the request; null without one. */
export function sessionOf(req: Request, publicUrl: string): string | null {
  return cookieOf(req, publicUrl, "session");
}

export function cookieOf(req: Request, publicUrl: string, kind: Kind): string | null {
  return parseCookie(req.headers.cookie ?? "")[nameOf(publicUrl, kind)] ?? null;
}

/**
 * SameSite is Lax, because a browser returns from a consent on another site. No script can read the cookie, and over
 * TLS no other host of the domain can set it.
 */
export function setCookie(res: Response, publicUrl: string, kind: Kind, value: string, maxAge: number): void {
  res.cookie(nameOf(publicUrl, kind), value, { ...optionsOf(publicUrl), maxAge });
}

export function clearCookie(res: Response, publicUrl: string, kind: Kind): void {
  res.clearCookie(nameOf(publicUrl, kind), optionsOf(publicUrl));
}

function optionsOf(publicUrl: string): SerializeOptions & { sameSite: "lax" } {
  return { httpOnly: true, sameSite: "lax", secure: isSecure(publicUrl), path: "/" };
}

/** Browsers accept a cookie with this prefix only over TLS, for this exact host and all its paths. */
function nameOf(publicUrl: string, kind: Kind): string {
  return `${isSecure(publicUrl) ? "__Host-" : ""}${NAMES[kind]}`;
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith("https:");
}
