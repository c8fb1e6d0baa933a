import type { NextFunction, Request, RequestHandler, Response } from "express";
import { ipKeyGenerator, rateLimit } from "express-rate-limit";
import { AppError } from "../domain/errors.ts";
import { principalOf } from "./principal.ts";

/** The most characters of a request's address. */
export const LONGEST_URL = 8_192;

const WINDOW_MS = 60_000;

export interface RateLimits {
  perCredential: number;
  perSession: number;
  badCredentialsPerAddress: number;
}

/** Requests per minute (rules/limits 1.1). */
export const LIMITS: RateLimits = { perCredential: 600, perSession: 1_200, badCredentialsPerAddress: 300 };

/** Limits requests per credential, and reports the count in `RateLimit-*` headers. */
export function limitRate(limit: number): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    limit,
    standardHeaders: "draft-6",
    legacyHeaders: false,
    keyGenerator: (_req, res) => principalOf(res).credentialId,
    handler: refuse,
  });
}

export type BadCredentialLimit = (req: Request, res: Response, next: NextFunction) => unknown;

export function limitBadCredentials(limit: number): BadCredentialLimit {
  return limitBy(limit, addressOf);
}

/** Limits requests a minute for each name that `keyOf` gives them. */
export function limitBy(limit: number, keyOf: (req: Request, res: Response) => string): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    limit,
    standardHeaders: false,
    legacyHeaders: false,
    keyGenerator: keyOf,
    handler: refuse,
  });
}

/** The address of a client as limits count it: of IPv6 the network, since a host has as many addresses as it likes. */
export function addressOf(req: Request): string {
  return ipKeyGenerator(req.ip ?? "unknown");
}

function refuse(req: Request, _res: Response, next: NextFunction): void {
  const resetTime = "rateLimit" in req && hasReset(req.rateLimit) ? req.rateLimit.resetTime.getTime() : Date.now() + WINDOW_MS;
  const retryAfterSeconds = Math.max(1, Math.ceil((resetTime - Date.now()) / 1_000));
  next(new AppError("RATE_LIMITED", "Too many requests: wait", { retryAfterSeconds }));
}

function hasReset(value: unknown): value is { resetTime: Date } {
  return typeof value === "object" && value !== null && "resetTime" in value && value.resetTime instanceof Date;
}
