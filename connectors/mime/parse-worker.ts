import { type ParsedMail, parseAll } from "./parse.ts";

/** Raw mails, one after the other, and the offset at which each ends. */
export interface Packed {
  octets: Uint8Array<ArrayBuffer>;
  ends: number[];
}

/** Runs in a thread of the pool. */
export default function parse({ octets, ends }: Packed): (ParsedMail | null)[] {
  return parseAll(ends.map((end, index) => Buffer.from(octets.buffer, ends[index - 1] ?? 0, end - (ends[index - 1] ?? 0))));
}
