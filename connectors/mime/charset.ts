import libmime from "libmime";
import { decode } from "libmime/lib/charset";

// There are a few hundred; what asks for one takes longer than to read a header
const known = new Map<string, boolean>();
const MOST_NAMES = 500;

/** Octets as text. A name nobody knows says no more than that they are some text: latin1. An ASCII that is none is read as UTF-8. */
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
