import { AppError, invalid } from "../domain/errors.ts";

export interface JsonLimits {
  bytes: number;
  items: number;
}

/** The limits of an ordinary JSON body and of an import (rules/limits 1.2). */
export const ORDINARY: JsonLimits = { bytes: 1_048_576, items: 10_000 };
export const IMPORT: JsonLimits = { bytes: 10_485_760, items: 50_000 };

const DEEPEST = 32;
const MOST_KEYS = 1_000;
const LONGEST_BYTES = 65_536;
/** The most UTF-8 bytes of one UTF-16 code unit. */
const WIDEST = 3;

/**
 * Parses a JSON body within the limits.
 * @throws AppError MALFORMED_JSON, or VALIDATION_FAILED naming the place that is too large or cannot be stored
 */
export function readJson(bytes: Buffer, limits: JsonLimits): unknown {
  refuseDeep(bytes);
  const value = parseJson(bytes);
  refuse(value, [], limits);
  return value;
}

/**
 * Parses an array within the limits; its first item has the given index in the request. @throws AppError as `readJson`
 * does
 */
export function readItems(bytes: Buffer, [name, first]: [name: string, first: number], limits: JsonLimits): unknown[] {
  const items = parseJson(bytes);
  if (!Array.isArray(items)) throw new AppError("MALFORMED_JSON", "The body is not JSON in UTF-8");
  const path: Path = [name];
  for (const [index, item] of items.entries()) refuseAt(first + index, item, path, limits);
  return items;
}

/** Parses without any limit. @throws AppError MALFORMED_JSON */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError("MALFORMED_JSON", "The body is not JSON in UTF-8", undefined, { cause });
  }
}

/** Limits the nesting before parsing, because a megabyte of brackets would become a hundred megabytes of objects. */
export function refuseDeep(bytes: Buffer): void {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === BRACKET || byte === BRACE) {
      if (++depth > DEEPEST) throw invalid("", `must be nested at most ${DEEPEST} deep`, "TOO_DEEP");
    } else if (byte === BRACKET_END || byte === BRACE_END) depth--;
  }
}

const [QUOTE, BACKSLASH, BRACKET, BRACKET_END, BRACE, BRACE_END] = Buffer.from('"\\[]{}');

type Path = (string | number)[];

function refuse(value: unknown, path: Path, limits: JsonLimits): void {
  if (typeof value === "string") refuseText(value, path);
  else if (typeof value === "number") refuseNumber(value, path);
  else if (Array.isArray(value)) {
    if (value.length > limits.items)
      throw invalid(path.join("."), `must have at most ${limits.items} items`, "TOO_BIG");
    for (let index = 0; index < value.length; index++) refuseAt(index, value[index], path, limits);
  } else if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    if (keys.length > MOST_KEYS) throw invalid(path.join("."), `must have at most ${MOST_KEYS} fields`, "TOO_BIG");
    for (const key of keys) {
      // Schemas and copies drop this key silently
      if (key === "__proto__") throw invalid([...path, key].join("."), "is not an allowed name", "REFUSED_KEY");
      refuseText(key, path);
      refuseAt(key, Reflect.get(value, key), path, limits);
    }
  }
}

/** Uses one path array for the whole walk, because an import has half a million cells. */
function refuseAt(step: string | number, value: unknown, path: Path, limits: JsonLimits): void {
  path.push(step);
  refuse(value, path, limits);
  path.pop();
}

function refuseText(text: string, path: Path): void {
  if (text.includes("\0")) throw invalid(path.join("."), "must not contain NUL", "INVALID_TEXT");
  if (!text.isWellFormed()) throw invalid(path.join("."), "must be well-formed Unicode", "INVALID_TEXT");
  if (text.length * WIDEST > LONGEST_BYTES && Buffer.byteLength(text) > LONGEST_BYTES) {
    throw invalid(path.join("."), `must have at most ${LONGEST_BYTES} bytes`, "TOO_BIG");
  }
}

function refuseNumber(value: number, path: Path): void {
  const isUnsafe = Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
  if (isUnsafe) throw invalid(path.join("."), "must be an integer between -(2^53 - 1) and 2^53 - 1", "UNSAFE_NUMBER");
}
