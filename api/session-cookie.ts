import { parseCookie, type SerializeOptions } from "cookie";
import type { Request, Response } from "express";

/**
 * session: who is signed in. waiting: the password was right. known: the password was once right here. form: proves a
 * form is ours.
 */
const NAMES = {
  session: "outreach",
  waiting: "outreach-waiting",
  known: "outreach-known",
  form: "outreach-form",
} as const;
type Kind = keyof typeof NAMES;

/** The value of the session cookie of a browser; null when it sent none. */
export function sessionOf(req: Request, publicUrl: string): string | null {
  return cookieOf(req, publicUrl, "session");
}

export function cookieOf(req: Request, publicUrl: string, kind: Kind): string | null {
  return parseCookie(req.headers.cookie ?? "")[nameOf(publicUrl, kind)] ?? null;
}

/**
 * Lax, because a consent comes from another site; no script reads it, and over TLS no other host of the domain can set
 * it.
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

/** A browser takes a cookie with this prefix only over TLS, for this very host and all its paths. */
function nameOf(publicUrl: string, kind: Kind): string {
  return `${isSecure(publicUrl) ? "__Host-" : ""}${NAMES[kind]}`;
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith("https:");
}
