import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { ParsedMail } from "./parse.ts";
import type { Packed } from "./parse-worker.ts";

/** Milliseconds allowed for one mail, or for a whole batch when it is parsed at once (rules/mail 11.2). */
const LIMIT_MS = 5_000;
/** Milliseconds after which an idle thread ends and frees its memory. */
const IDLE_MS = 30_000;
/** The number of threads. One core is left to the service itself. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Mails that are sent to a thread at once. */
const BATCH = 100;

/**
 * One pool for the process. The mails of all mailboxes are parsed in a few threads, so that none of them delays the others or the service.
 */
let pool: Piscina<Packed, (ParsedMail | null)[]> | null = null;

function poolOf(): Piscina<Packed, (ParsedMail | null)[]> {
  pool ??= new Piscina({
    filename: new URL("./parse-worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    execArgv: ["--no-warnings"],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  return pool;
}

/**
 * Parses raw mails in threads; null for each that cannot be parsed or takes longer than 5 s. When a batch fails, each of its mails is
 * parsed alone, and once more after that fails, because a busy machine is not the fault of a mail.
 */
export async function parseMails(raws: readonly Buffer[]): Promise<(ParsedMail | null)[]> {
  const batches = Array.from({ length: Math.ceil(raws.length / BATCH) }, (_, index) => raws.slice(index * BATCH, (index + 1) * BATCH));
  return (await Promise.all(batches.map((batch) => batched(batch)))).flat();
}

async function batched(raws: readonly Buffer[]): Promise<(ParsedMail | null)[]> {
  const together = await within(raws);
  if (together !== null) return together;
  const mails: (ParsedMail | null)[] = [];
  for (const raw of raws) {
    const alone = raws.length > 1 ? await within([raw]) : null;
    mails.push((alone ?? (await within([raw])))?.[0] ?? null);
  }
  return mails;
}

/**
 * Copies the mails into one block of memory that is handed over to the thread, because a thread receives one block faster than a hundred.
 */
function packedOf(raws: readonly Buffer[]): Packed {
  const octets = new Uint8Array(raws.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  const ends = raws.map((raw) => {
    octets.set(raw, end);
    end += raw.length;
    return end;
  });
  return { octets, ends };
}

/** Callers that wait for a free thread. The time limit runs only once a thread is free, so that waiting does not use it up. */
const starts = new Set<() => void>();
let busy = 0;

async function within(raws: readonly Buffer[]): Promise<(ParsedMail | null)[] | null> {
  while (busy >= THREADS) await new Promise<void>((resolve) => starts.add(resolve));
  busy++;
  const packed = packedOf(raws);
  try {
    return await poolOf().run(packed, { transferList: [packed.octets.buffer], signal: AbortSignal.timeout(LIMIT_MS) });
  } catch {
    return null;
  } finally {
    busy--;
    const [next] = starts;
    if (next !== undefined) starts.delete(next);
    next?.();
  }
}

/** Ends the threads. The next mail starts new ones. */
export async function closeParsers(): Promise<void> {
  const closing = pool;
  pool = null;
  await closing?.destroy();
}
