import libmime from "libmime";
import { decode } from "libmime/lib/charset";

// Names of charsets that were tried before. There are a few hundred, and trying one takes longer than reading a header
const known = new Map<string, boolean>();
const MOST_NAMES = 500;

/**
 * Decodes octets to text. An unknown charset is read as latin1, because its name says only that the octets are text. Declared ASCII that
 * contains other octets is read as UTF-8.
 */
export function textIn(charset: string, octets: Buffer): string {
  const name = charset.trim().toLowerCase();
  if (/^(?:|utf-?8|(?:us-?)?ascii|ansi.*)$/.test(name)) return octets.toString();
  let isKnown = known.get(name);
  if (isKnown === undefined) {
    isKnown = libmime.createDecodeStream(name).supported;
    if (known.size < MOST_NAMES) known.set(name, isKnown);
  }
  return isKnown ? decode(octets, name) : octets.toString("latin1");
}
