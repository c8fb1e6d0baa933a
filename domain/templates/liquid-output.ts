import { Drop, toValue } from "liquidjs";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** HTML that goes out as it is: a signature, or what `capture` rendered. */
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

/** Text that means itself inside HTML, attribute values included. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

/** What a value looks like in text: lists with commas, nothing for what has no text. */
export function printable(raw: unknown): string {
  const value: unknown = toValue(raw);
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  if (Array.isArray(value)) return value.map(printable).join(", ");
  return typeof value === "boolean" || typeof value === "bigint" ? String(value) : "";
}
