import { type ParsedMail, parseAll } from "./parse.ts";

/** In a thread of the pool: raw mails as they were sent over. */
export default function parse(raws: Uint8Array[]): Promise<(ParsedMail | null)[]> {
  return parseAll(raws.map((raw) => Buffer.from(raw.buffer, raw.byteOffset, raw.length)));
}
