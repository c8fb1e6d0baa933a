import { createHash } from "node:crypto";
import { invalid } from "../domain/errors.ts";
import type { Rows } from "../operations/leads/import-rows.ts";
import { type JsonLimits, readItems, readJson, refuseDeep } from "./json.ts";

/**
 * Parses a body that may have many `rows`. The rows stay bytes and are parsed page by page, each page within the
 * limits.
 * @throws AppError as `readJson` does; errors inside rows appear only when their page is read
 */
export function readRows(bytes: Buffer, limits: JsonLimits): unknown {
  refuseDeep(bytes);
  const found = rowsIn(bytes);
  if (found === null) return readJson(bytes, limits);
  const { starts, from, to } = found;
  if (starts.length > limits.items) throw invalid("rows", `must have at most ${limits.items} items`, "TOO_BIG");
  const body = readJson(Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]), limits);
  // If `rows` is not the empty array, the body contained the name twice, once with escapes
  const isIt =
    typeof body === "object" && body !== null && "rows" in body && Array.isArray(body.rows) && body.rows.length === 0;
  return isIt ? { ...body, rows: new JsonRows(bytes, found, limits) } : readJson(bytes, limits);
}

interface Found {
  /** Where each item begins. */
  starts: number[];
  /** The bytes between the brackets. */
  from: number;
  to: number;
}

class JsonRows implements Rows {
  readonly length: number;
  readonly #bytes: Buffer;
  readonly #found: Found;
  readonly #limits: JsonLimits;

  constructor(bytes: Buffer, found: Found, limits: JsonLimits) {
    this.length = found.starts.length;
    this.#bytes = bytes;
    this.#found = found;
    this.#limits = limits;
  }

  page(start: number, count: number): unknown[] {
    return readItems(this.#slice(start, count), ["rows", start], this.#limits);
  }

  json(start: number, count: number): string {
    return this.#slice(start, count).toString("utf8");
  }

  /** A digest, to compare two requests. */
  toJSON(): string {
    const { from, to } = this.#found;
    return createHash("sha256").update(this.#bytes.subarray(from, to)).digest("base64url");
  }

  /**
   * A page of rows as a JSON array. The comma before the next page is dropped; a comma at the very end stays, so that
   * parsing refuses it.
   */
  #slice(start: number, count: number): Buffer {
    const { starts, from, to } = this.#found;
    const begin = start === 0 ? from : (starts[start] ?? to);
    const next = starts[start + count];
    const end = next === undefined ? to : this.#bytes.lastIndexOf(COMMA, next - 1);
    return Buffer.concat([OPEN, this.#bytes.subarray(begin, Math.max(begin, end)), CLOSE]);
  }
}

const [QUOTE = 0, BACKSLASH = 0, BRACKET = 0, BRACKET_END = 0, BRACE = 0, BRACE_END = 0, COMMA = 0, COLON = 0] =
  Buffer.from('"\\[]{},:');
const OPEN = Buffer.from("[");
const CLOSE = Buffer.from("]");
const ROWS = Buffer.from('"rows"');

/**
 * Finds the only array named `rows` at the top level; null when there is none or more than one. Does not check the
 * syntax, because parsing does.
 */
function rowsIn(bytes: Buffer): Found | null {
  let found: Found | null = null;
  let depth = 0;
  let textAt = -1;
  let isNamed = false;
  let isInside = false;
  let isExpecting = false;
  const starts: number[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (textAt >= 0) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) {
        isNamed = depth === 1 && bytes.subarray(textAt, at + 1).equals(ROWS);
        textAt = -1;
      }
      continue;
    }
    if (byte <= 32) continue;
    if (isExpecting && byte === COMMA) return null; // refused as a whole
    if (isExpecting && byte !== BRACKET_END) {
      starts.push(at);
      isExpecting = false;
    }
    if (byte === QUOTE) textAt = at;
    else if (byte === BRACE || byte === BRACKET) {
      depth++;
      if (depth === 2 && byte === BRACKET && isNamed) {
        if (found !== null) return null;
        isInside = true;
        isExpecting = true;
        from = at + 1;
      }
      isNamed = false;
    } else if (byte === BRACE_END || byte === BRACKET_END) {
      depth--;
      if (isInside && depth === 1) {
        found = { starts, from, to: at };
        isInside = false;
        isExpecting = false;
      }
    } else if (byte === COMMA && isInside && depth === 2) isExpecting = true;
    else if (byte !== COLON) isNamed = false;
  }
  return found;
}
