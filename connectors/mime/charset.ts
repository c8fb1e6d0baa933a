import { isUtf8 } from "node:buffer";
import { detect } from "chardet";
import libmime from "libmime";
import { decode } from "libmime/lib/charset";

// Whether each charset name is supported. There are a few hundred names, and trying one takes longer than reading a
// header
const charsets = new Map<string, boolean>();
const MOST_NAMES = 500;

/** How many octets are examined to detect a charset. */
const SAMPLE = 64 * 1024;
const AS_UTF8 = /^(?:|utf-?8|(?:us-?)?ascii|ansi.*)$/;

/** A charset is detected only from at least this many octets beyond ASCII. */
const LEAST_TELLING = 4;

/**
 * Decodes octets to text. If the charset's name is unknown, the charset is detected from the octets; if that fails,
 * they are read as latin1. Text declared as ASCII that contains other octets is read as UTF-8.
 */
export function textIn(charset: string, octets: Buffer): string {
  const name = charset.trim().toLowerCase();
  if (AS_UTF8.test(name)) return octets.toString();
  if (isKnownName(name)) return decode(octets, name);
  const sample = octets.subarray(0, SAMPLE);
  const found = isUtf8(sample)
    ? "utf-8"
    : sample.filter((octet) => octet > 0x7f).length < LEAST_TELLING
      ? ""
      : (detect(sample)?.toLowerCase() ?? "");
  if (/^(?:utf-8|ascii)$/.test(found)) return octets.toString();
  return found !== "" && isKnownName(found) ? decode(octets, found) : octets.toString("latin1");
}

/** Whether a charset name is supported. */
export function isCharset(charset: string): boolean {
  const name = charset.trim().toLowerCase();
  return AS_UTF8.test(name) || isKnownName(name);
}

function isKnownName(name: string): boolean {
  if (name === "binary") return false; // the library accepts it, but here it is a misplaced encoding
  // place
  let isKnown = charsets.get(name);
  if (isKnown === undefined) {
    isKnown = libmime.createDecodeStream(name).supported;
    if (charsets.size < MOST_NAMES) charsets.set(name, isKnown);
  }
  return isKnown;
}
