import type { NextFunction, Request, Response } from "express";
import { AppError } from "../domain/errors.ts";
import { invalidKey, verifyApiKey } from "../operations/access/api-keys.ts";
import type { BadCredentialLimit } from "./limits.ts";

/** Finds the principal of the single `Authorization: Bearer` header. An address that tries many wrong credentials is slowed down. */
export function authenticate(limitBad: BadCredentialLimit) {
  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    const [, credential] = /^Bearer +([^\s,]+) *$/i.exec(req.headers.authorization ?? "") ?? [];
    if (req.headers.authorization === undefined) throw invalidKey();
    try {
      res.locals["principal"] = await verifyApiKey(credential ?? "", new Date(), req.ip ?? null);
    } catch (err) {
      if (!(err instanceof AppError) || err.code !== "UNAUTHENTICATED") throw err;
      await limitBad(req, res, (excess?: unknown) => next(excess ?? err));
      return;
    }
    next();
  };
}
