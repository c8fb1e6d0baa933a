import { type ParsedMail, parseAll } from "./parse.ts";

// The MIME parser ends streams that have ended; Node makes an error of each that nobody reads, and a stack takes longer than a header
Error.stackTraceLimit = 0;

/** In a thread of the pool: raw mails as they were sent over. */
export default function parse(raws: Uint8Array[]): Promise<(ParsedMail | null)[]> {
  return parseAll(raws.map((raw) => Buffer.from(raw.buffer, raw.byteOffset, raw.length)));
}
