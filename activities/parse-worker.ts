import { type ParsedMail, parseAll } from "./parse.ts";

export interface ParseOrder {
  raws: Uint8Array[];
  isQuick: boolean;
}

/** In a thread of the pool: raw mails as they were sent over. */
export default function parse({ raws, isQuick }: ParseOrder): Promise<(ParsedMail | null)[]> {
  return parseAll(
    raws.map((raw) => Buffer.from(raw.buffer, raw.byteOffset, raw.length)),
    isQuick,
  );
}
