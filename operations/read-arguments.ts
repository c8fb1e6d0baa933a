import type { z } from "zod";
import { AppError, type Issue, invalid } from "../domain/errors.ts";
import { listOf } from "../domain/issue-words.ts";
import { readBy } from "../domain/issues.ts";
import { nearestName } from "../domain/nearest-name.ts";

/** The arguments of a call as an object, or as validated by a schema. @throws AppError VALIDATION_FAILED */
export function readArguments(raw: unknown): Record<string, unknown>;
export function readArguments<T extends z.ZodType>(raw: unknown, schema: T): z.output<T>;
export function readArguments(raw: unknown, schema?: z.ZodType): unknown {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    throw invalid("", "must be an object", "INVALID_TYPE");
  if (schema === undefined) return { ...raw };
  const read = readBy(schema, raw);
  if (!read.success) throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues: read.issues });
  return read.data;
}

/** The most unknown names that are reported, because a request may contain thousands. */
const MOST_ISSUES = 100;
/** The most characters of an unknown name in the error. */
const MOST_CHARACTERS = 100;

/**
 * @throws AppError VALIDATION_FAILED with one UNKNOWN_FIELD for each unknown name, and the name that was probably meant
 */
export function refuseUnknownNames(names: readonly string[], known: readonly string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const issues = unknown.slice(0, MOST_ISSUES).map((name): Issue => issueOf(name.slice(0, MOST_CHARACTERS), known));
  throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues });
}

function issueOf(name: string, known: readonly string[]): Issue {
  const meant = nearestName(name, known);
  const allowed = known.length === 0 ? "it has none" : `it has ${listOf(known)}`;
  const hint = meant === null ? allowed : `is ${meant} meant?`;
  return { path: name, code: "UNKNOWN_FIELD", message: `is not a query parameter of this request: ${hint}` };
}
