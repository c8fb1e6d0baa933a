import type { NextFunction, Request, Response } from "express";
import { invalidKey, verifyApiKey } from "../operations/access/api-keys.ts";
import { credential } from "../operations/sign-in/attempts.ts";
import { addressOf } from "./limits.ts";

/**
 * Finds the principal of the single `Authorization: Bearer` header. An address that tries many wrong credentials is
 * slowed down.
 */
export async function authenticate(req: Request, res: Response, next: NextFunction): Promise<void> {
  const [, key = ""] = /^Bearer +([^\s,]+) *$/i.exec(req.headers.authorization ?? "") ?? [];
  if (req.headers.authorization === undefined) throw invalidKey();
  res.locals["principal"] = await credential(addressOf(req), () => verifyApiKey(key, new Date(), req.ip ?? null));
  next();
}
