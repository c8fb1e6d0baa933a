import type { Request, Response } from "express";
import { findSession } from "../../operations/access/sessions.ts";
import type { AttemptSource } from "../../operations/sign-in/attempts.ts";
import { addressOf } from "../limits.ts";
import { cookieOf, sessionOf } from "../session-cookie.ts";
import { doorOf } from "./door.ts";

/** Who tries a password here, as wrong ones are counted. */
export function visitorOf(req: Request, publicUrl: string): AttemptSource {
  return { address: addressOf(req), knownBrowser: cookieOf(req, publicUrl, "known") };
}

/**
 * The session of this browser at this door; null without one. On pages a wrong cookie is the same as none and is not
 * counted: a limit by address would keep everybody who shares it from signing in again.
 */
export async function findSessionAt(publicUrl: string, req: Request, res: Response): ReturnType<typeof findSession> {
  const cookie = sessionOf(req, publicUrl);
  return cookie === null ? null : findSession(cookie, doorOf(res, publicUrl).portalId, new Date());
}
