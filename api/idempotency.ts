import type { Request } from "express";
import { invalid } from "../domain/errors.ts";

/** The caller's idempotency key of this write (behaviours.md 9); null when it gives none. */
export function idempotencyKeyOf(req: Request): string | null {
  const key = req.get("Idempotency-Key");
  if (key === undefined) return null;
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalid("Idempotency-Key", "must have 1 to 255 printable characters", "INVALID_HEADER");
  return key;
}
