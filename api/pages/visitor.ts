import type { Request, Response } from "express";
import { findSession } from "../../operations/access/sessions.ts";
import type { AttemptSource } from "../../operations/sign-in/attempts.ts";
import { addressOf } from "../limits.ts";
import { cookieOf, sessionOf } from "../session-cookie.ts";
import { doorOf } from "./door.ts";

/** The source of password attempts, by which wrong passwords are counted. */
export function visitorOf(req: Request, publicUrl: string): AttemptSource {
  return { address: addressOf(req), knownBrowser: cookieOf(req, publicUrl, "known") };
}

/**
 * The session of this browser at this host name; null without one. A wrong cookie counts as no cookie and is not
 * counted as an attempt: a limit by address would lock out everyone who shares that address.
 */
export async function findSessionAt(publicUrl: string, req: Request, res: Response): ReturnType<typeof findSession> {
  const cookie = sessionOf(req, publicUrl);
  return cookie === null ? null : findSession(cookie, doorOf(res, publicUrl).portalId, new Date());
}
