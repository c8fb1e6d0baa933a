import type { z } from "zod";
import { AppError, invalid } from "../domain/errors.ts";
import { readBy } from "../domain/issues.ts";

/** The arguments of a call as an object, or what a schema reads in them. @throws AppError VALIDATION_FAILED */
export function readArguments(raw: unknown): Record<string, unknown>;
export function readArguments<T extends z.ZodType>(raw: unknown, schema: T): z.output<T>;
export function readArguments(raw: unknown, schema?: z.ZodType): unknown {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw invalid("", "must be an object", "INVALID_TYPE");
  if (schema === undefined) return { ...raw };
  const read = readBy(schema, raw);
  if (!read.success) throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues: read.issues });
  return read.data;
}
