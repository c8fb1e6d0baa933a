import { z } from "zod";
import { AppError } from "../domain/errors.ts";
import { foldedTerms } from "../domain/fold.ts";
import { oneOf } from "../domain/issue-words.ts";
import type { Collection, Filter } from "../mongo/collection.ts";
import type { FindOptions } from "../mongo/direct.ts";
import type { Owned } from "../mongo/schema.ts";
import { shownAs } from "./shown-as.ts";

/** An instant in a response: RFC 3339, UTC, milliseconds. */
export const time = z.preprocess((value) => (value instanceof Date ? value.toISOString() : value), z.iso.datetime());
export const optionalTime = z.preprocess(
  (value) => (value instanceof Date ? value.toISOString() : (value ?? null)),
  z.iso.datetime().nullable(),
);
/** A response field that may be unset; it is then null. */
export function nullable<T extends z.ZodType>(schema: T) {
  return schema.nullable().default(null);
}

/** An instant in a request: any offset is allowed; a bare date means 00:00 UTC. */
export const instant = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).transform((value) => new Date(value));

/** A blank text is refused. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .meta({ description: "1 to 200 characters, not blank", pattern: "\\S" });
export const longText = z.string().max(2_000);
export const tag = z.string().min(1).max(50).describe("1 to 50 characters");
export const ids = z.array(z.string().max(64)).min(1).max(1_000).describe("1 to 1,000 ids");

/** Keys that could reach a prototype or a database operator (rules/security 3.1). */
const REFUSED = /^(?:__proto__|constructor|prototype|\$.*|.*[.\0].*)$/s;

/** An object with any keys except the refused ones, at every depth. */
export const freeForm = z
  .record(z.string(), z.unknown())
  .superRefine((value, context) => refuseKeys(value, context, []));

function refuseKeys(value: unknown, context: z.core.$RefinementCtx, path: (string | number)[]): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && REFUSED.test(key)) {
      context.addIssue({
        code: "custom",
        path: [...path, key],
        message: "is not an allowed name",
        params: { code: "REFUSED_KEY" },
      });
    } else refuseKeys(inner, context, [...path, key]);
  }
}

/**
 * The schema of a stored document in a response. `_id` becomes `id`, the timestamps of every record are added, and
 * fields that are not named stay internal.
 */
export function record<S extends z.ZodRawShape>(shape: S) {
  const fields = z.object({ ...OF_EVERY_RECORD, ...shape });
  return z.preprocess((document) => (isDocument(document) ? { id: document._id, ...document } : document), fields);
}

const OF_EVERY_RECORD = {
  id: z.string().describe("The id: a prefix for the type, then random-looking characters without a meaning"),
  workspaceId: z.string().describe("The id of the workspace"),
  createdAt: time.describe("When the record was created"),
  updatedAt: time.describe("When the record was last changed"),
};

function isDocument(value: unknown): value is { _id: unknown } {
  return typeof value === "object" && value !== null && "_id" in value;
}

/**
 * A whole number. In a query it must consist of digits only: no sign, space, point or exponent. A tool may pass a JSON
 * number.
 */
export function wholeNumber(least: number, most: number) {
  const number = z.int().min(least).max(most);
  return shownAs(
    z.preprocess((value) => (typeof value === "string" && /^[0-9]+$/.test(value) ? Number(value) : value), number),
    number,
  );
}

/**
 * An object of changes that must contain at least one, because success without a change would mislead (rules/limits
 * 1.8). `path` leads to the field that is missing.
 */
export function changing<T extends z.ZodObject>(
  schema: T,
  isChange: (asked: z.output<T>) => boolean = namesAny,
  path: readonly string[] = [],
): T {
  return schema.superRefine((asked, context) => {
    if (isChange(asked)) return;
    context.addIssue({
      code: "custom",
      path: [...path],
      message: "names nothing to change",
      params: { code: "NOTHING_TO_CHANGE" },
    });
  });
}

/** Returns true when at least one value is set. */
export function namesAny(values: object): boolean {
  return Object.values(values).some((value) => value !== undefined);
}

/** The fields of every paged request. A value out of range is refused, never clamped. */
export const paging = {
  page: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .default(1)
    .describe("Which page, from 1. Default 1; `page` times `pageSize` is at most 100,000"),
  pageSize: wholeNumber(1, 200).default(50).describe("Entries on a page, 1 to 200. Default 50"),
};
/** The start of long texts in a tool result. */
export const textOffset = {
  offset: wholeNumber(0, 10_000_000)
    .default(0)
    .describe("Where each long text begins, in characters; pass the `nextOffset` of a response to read on. Default 0"),
};
/** How much a tool says about each entry of a page. */
export const detail = {
  detail: z
    .enum(["low", "full"])
    .default("full")
    .describe("low: only ids, names, states, numbers and times of each entry. Default full"),
};
export interface Paging {
  page: number;
  pageSize: number;
}

/** The response type `Paginated` of the API. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item).describe("The entries of this page"),
    total: z.number().int().describe("The number of entries on all pages"),
    totalIsExact: z
      .boolean()
      .default(true)
      .describe(
        "Whether `total` was counted. False: too many entries match, so it is an estimate; the next call has the count",
      ),
    page: z.number().int().describe("Which page this is, from 1"),
    pageSize: z.number().int().describe("The most entries on a page"),
  });
}

const DEEPEST = 100_000;

/** One page of a collection, newest first unless `sort` is set. */
export async function pageFrom<T extends Owned>(
  collection: Collection<T>,
  filter: Filter<T>,
  { page, pageSize }: Paging,
  options: Pick<FindOptions, "sort" | "select"> = {},
): Promise<{ items: T[]; total: number; page: number; pageSize: number }> {
  const skip = skipOf({ page, pageSize });
  const [items, total] = await Promise.all([
    collection.find(filter, { sort: { _id: -1 }, ...options, skip, limit: pageSize }),
    collection.count(filter),
  ]);
  return { items, total, page, pageSize };
}

/** How many documents precede a page; throws PAGE_TOO_DEEP past 100,000. */
export function skipOf({ page, pageSize }: Paging): number {
  const skip = (page - 1) * pageSize;
  if (skip > DEEPEST)
    throw new AppError("PAGE_TOO_DEEP", `Only the first ${DEEPEST} entries can be paged through: narrow the filter`, {
      deepest: DEEPEST,
    });
  return skip;
}

/** Enum values in a query: comma-separated, or as a repeated parameter. */
export function commaSeparated<const V extends readonly [string, ...string[]]>(values: V) {
  const all: readonly string[] = values;
  const list = z
    .union([z.string(), z.array(z.string()).transform((several) => several.join(","))])
    .transform((text) => text.split(",").map((value) => value.trim()))
    .superRefine((list, context) => {
      const wrong = list.find((value) => !all.includes(value));
      if (wrong === undefined) return;
      const { code, message } = oneOf(values, wrong);
      context.addIssue({ code: "custom", message, params: { code } });
    });
  return shownAs(list, z.array(z.enum(values)).min(1));
}

/** `true` or `false` in a query. */
export const yesNo = shownAs(
  z.enum(["true", "false"]).transform((value) => value === "true"),
  z.boolean(),
);

/** Like `yesNo`, but a tool may also pass a boolean. */
export const flag = shownAs(z.union([z.boolean(), yesNo]), z.boolean());

/** A JSON value in a form field. */
export function formJson<T extends z.ZodType>(schema: T) {
  const parsed = z.string().transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: "custom", message: "must be JSON", params: { code: "MALFORMED_JSON" } });
      return z.NEVER;
    }
  });
  return shownAs(parsed.pipe(schema), schema);
}

/** Texts in a query: comma-separated, or as a repeated parameter. */
export function several(one: z.ZodString, most: number) {
  const list = z.array(one).min(1).max(most);
  const split = z.string().transform((text) => [...new Set(text.split(",").map((part) => part.trim()))]);
  return shownAs(z.union([list, split.pipe(list)]), list);
}

/** A search text of 1 to 100 characters, matched as literal words. A text of invisible characters alone is refused. */
export const search = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => foldedTerms(text).length > 0, { message: "must not be empty", params: { code: "TOO_SMALL" } })
  .meta({ pattern: "\\S" });
