import { type Context, filters } from "liquidjs";
import { AppError } from "../errors.ts";

/**
 * Liquid's `date` filter as a pure function of its inputs: `now` and `today` are the recipient's day (the variable `today`), and a time
 * without a zone is read as UTC instead of the server's zone.
 */
export function dateFilter(this: FilterThis, value: unknown, ...args: unknown[]): unknown {
  const original = filters["date"];
  if (typeof original !== "function") throw new AppError("INTERNAL_ERROR", "The date filter is gone");
  return original.call(this, fixed(value, this.context), ...args);
}

type FilterThis = ThisParameterType<Extract<(typeof filters)[string], (...args: never) => unknown>>;

function fixed(value: unknown, context: Context): unknown {
  if (value === "now" || value === "today") return context.getSync(["today"]);
  if (typeof value !== "string" || /^\s*\d*\s*$/.test(value)) return value;
  if (/^\d{4}(-\d\d){0,2}$/.test(value) || /(?:z|utc|gmt|:\d\d[^:]*[+-]\d\d:?\d\d)$/i.test(value)) return value;
  return /^\d{4}-\d\d-\d\dT/.test(value) ? `${value}Z` : `${value} UTC`;
}
