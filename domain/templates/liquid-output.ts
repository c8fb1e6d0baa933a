import { type Context, Drop, filters, toValue } from "liquidjs";
import { AppError } from "../errors.ts";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** HTML that is not escaped in the output: a signature, or the output of `capture`. */
export class Markup extends Drop {
  readonly html: string;
  constructor(html: string) {
    super();
    this.html = html;
  }
  override valueOf(): string {
    return this.html;
  }
}

/** Escapes text for HTML, also inside attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

/** A value as text: lists are joined with commas; a value without a text form becomes empty. */
export function printable(raw: unknown): string {
  const value: unknown = toValue(raw);
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  if (Array.isArray(value)) return value.map(printable).join(", ");
  return typeof value === "boolean" || typeof value === "bigint" ? String(value) : "";
}

/**
 * Liquid's `date` filter as a pure function of its inputs: `now` and `today` are the recipient's day (the variable
 * `today`), and a time without a zone is in UTC instead of the server's zone.
 */
export function dateFilter(this: FilterThis, value: unknown, ...args: unknown[]): unknown {
  const original = filters["date"];
  if (typeof original !== "function") throw new AppError("INTERNAL_ERROR", "The date filter is gone");
  return original.call(this, fixDateInput(value, this.context), ...args);
}

type FilterThis = ThisParameterType<Extract<(typeof filters)[string], (...args: never) => unknown>>;

function fixDateInput(value: unknown, context: Context): unknown {
  if (value === "now" || value === "today") return context.getSync(["today"]);
  if (typeof value !== "string" || /^\s*\d*\s*$/.test(value)) return value;
  if (/^\d{4}(-\d\d){0,2}$/.test(value) || /(?:z|utc|gmt|:\d\d[^:]*[+-]\d\d:?\d\d)$/i.test(value)) return value;
  return /^\d{4}-\d\d-\d\dT/.test(value) ? `${value}Z` : `${value} UTC`;
}
