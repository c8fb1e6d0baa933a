import { Drop, toValue } from "liquidjs";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** HTML that is written without escaping: a signature, or the output of `capture`. */
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
