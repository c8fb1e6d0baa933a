import type { Request } from "express";
import { invalid } from "../domain/errors.ts";
import type { WriteKey } from "../operations/idempotency.ts";

/**
 * The idempotency key of this write; null without the header, or for a read. The key applies to the method and path,
 * whatever the query (rules/security 7.1).
 */
export function idempotencyKeyOf(req: Request): WriteKey | null {
  const key = req.method === "GET" || req.method === "HEAD" ? undefined : req.get("Idempotency-Key");
  if (key === undefined) return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw invalid("Idempotency-Key", "must have 1 to 255 printable characters", "INVALID_HEADER");
  return { key, place: [req.method, req.originalUrl.split("?")[0] ?? ""] };
}
