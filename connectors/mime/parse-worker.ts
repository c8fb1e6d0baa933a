import { type ParsedMail, parseAll } from "./parse.ts";

/** Raw emails in one block, with the offset at which each ends. */
export interface Packed {
  octets: Uint8Array<ArrayBuffer>;
  ends: number[];
  /** Microseconds of processor time that the thread had used when it began; 0 before. */
  begun: Float64Array;
}

/** Runs in a thread of the pool. */
export default function parse({ octets, ends, begun }: Packed): (ParsedMail | null)[] {
  const { user, system } = process.threadCpuUsage();
  begun[0] = user + system;
  return parseAll(
    ends.map((end, index) => Buffer.from(octets.buffer, ends[index - 1] ?? 0, end - (ends[index - 1] ?? 0))),
  );
}
