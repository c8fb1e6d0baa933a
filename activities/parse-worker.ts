import { type ParsedMail, parseMail } from "./parse.ts";

/** In a thread of the pool: reads raw mails one after the other; null for one that cannot be read. */
export default async function parseAll(raws: Uint8Array[]): Promise<(ParsedMail | null)[]> {
  const mails: (ParsedMail | null)[] = [];
  for (const raw of raws) mails.push(await parseMail(Buffer.from(raw.buffer, raw.byteOffset, raw.length)).catch(() => null));
  return mails;
}
