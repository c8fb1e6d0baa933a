import type { NextFunction, Request, RequestHandler, Response } from "express";
import { ipKeyGenerator, rateLimit, type Store } from "express-rate-limit";
import { AppError } from "../domain/errors.ts";
import type { CountRequest } from "../operations/access/call-rate.ts";
import { principalOf } from "./principal.ts";

/** The most characters of a request's address. */
export const LONGEST_URL = 8_192;

const WINDOW_MS = 60_000;

export interface RateLimits {
  perCredential: number;
  perSession: number;
}

/** Requests per minute (rules/limits 1.1). Wrong credentials are counted in `operations/sign-in/attempts.ts`. */
export const LIMITS: RateLimits = { perCredential: 600, perSession: 1_200 };

/** Limits requests per credential by a counter that all processes share, and reports it in `RateLimit-*` headers. */
export function limitRate(count: CountRequest, limit: number): RequestHandler {
  return rateLimit({
    store: storeOf(count, limit),
    windowMs: WINDOW_MS,
    limit,
    standardHeaders: "draft-6",
    legacyHeaders: false,
    keyGenerator: (_req, res) => principalOf(res).credentialId,
    handler: refuse,
  });
}

function storeOf(count: CountRequest, limit: number): Store {
  return {
    async increment(key) {
      const { isAllowed, remaining, resetMs } = await count(key);
      return { totalHits: isAllowed ? limit - remaining : limit + 1, resetTime: new Date(Date.now() + resetMs) };
    },
    decrement() {}, // every request counts
    resetKey() {},
  };
}

/**
 * Limits requests per minute for each key that `keyOf` returns. Each process counts separately, so this stops floods
 * but not password guessing.
 */
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

/** Limits requests by a counter that all processes share. */
export function limitTogether(count: CountRequest, keyOf: (req: Request, res: Response) => string): RequestHandler {
  return async (req, res, next) => {
    const { isAllowed, resetMs } = await count(keyOf(req, res));
    next(isAllowed ? undefined : tooMany(resetMs));
  };
}

/** The client address that limits count. For IPv6 this is the network, because one host can use many addresses. */
export function addressOf(req: Request): string {
  return ipKeyGenerator(req.ip ?? "unknown");
}

function refuse(req: Request, _res: Response, next: NextFunction): void {
  const resetTime =
    "rateLimit" in req && hasReset(req.rateLimit) ? req.rateLimit.resetTime.getTime() : Date.now() + WINDOW_MS;
  next(tooMany(resetTime - Date.now()));
}

function tooMany(resetMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1_000));
  const wait = retryAfterSeconds === 1 ? "a second" : `${retryAfterSeconds} seconds`;
  return new AppError("RATE_LIMITED", `Too many requests: try again in ${wait}`, { retryAfterSeconds });
}

function hasReset(value: unknown): value is { resetTime: Date } {
  return typeof value === "object" && value !== null && "resetTime" in value && value.resetTime instanceof Date;
}
