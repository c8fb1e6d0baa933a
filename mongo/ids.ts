import { createHash, randomBytes, randomFillSync } from "node:crypto";
import { decodeTime, encodeTime, monotonicFactory } from "ulid";
import type { Prefix } from "../domain/nouns.ts";

/** Random numbers are drawn in bulk, because one draw per character would take a hundred times as long. */
const randomNumbers = new Uint32Array(1_024);
let usedNumbers = randomNumbers.length;
const next = monotonicFactory(() => {
  if (usedNumbers === randomNumbers.length) {
    randomFillSync(randomNumbers);
    usedNumbers = 0;
  }
  return (randomNumbers[usedNumbers++] ?? 0) / 2 ** 32;
});

/** Makes an id such as `cmp_01J…`: a prefix and 26 characters that sort by time. */
export function newId(prefix: Prefix): string {
  return `${prefix}_${next()}`;
}

/**
 * Makes the same ids for the same seed, so that a plan can contain the ids of the documents that its commit will
 * create. `at` is in epoch milliseconds.
 */
export function idsOf(seed: string, at: number): (prefix: Prefix) => string {
  const bytes = createHash("sha256").update(seed).digest();
  let position = 0;
  const draw = monotonicFactory(() => (bytes[position++ % bytes.length] ?? 0) / 256);
  return (prefix) => `${prefix}_${draw(at)}`;
}

/** When an id was made, in epoch milliseconds. */
export function timeOfId(id: string): number {
  return decodeTime(id.slice(id.indexOf("_") + 1));
}

/** A text that sorts after every id with this prefix that was made before `at`, and before every later one. */
export function idBound(prefix: Prefix, at: Date): string {
  return `${prefix}_${encodeTime(at.getTime())}`;
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random characters of `[0-9A-Za-z]` without bias: bytes of 248 and above are drawn again. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

/** Cuts a list into pages of at most this size, for filters and transactions of a bounded size. */
export function pagesOf<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, page) => all.slice(page * size, (page + 1) * size));
}
