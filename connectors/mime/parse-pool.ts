import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { ParsedMail } from "./parse.ts";
import type { Packed } from "./parse-worker.ts";

/**
 * Milliseconds of a thread's processor time for one email, or for a whole batch when it is parsed together (rules/mail
 * 11.2).
 */
const LIMIT_MS = 5_000;
/** Milliseconds between two checks of a thread's processor time. */
const LOOK_MS = 250;
/** Milliseconds after which an idle thread ends and frees its memory. */
const IDLE_MS = 30_000;
/** The number of threads. At least one core stays free for the service itself. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1));
/** How many emails are sent to a thread together. */
const BATCH = 100;

type Pool = Piscina<Packed, (ParsedMail | null)[]>;

/**
 * The idle threads of this process. Each is a pool of one thread, so that it is known which thread has which task. The
 * emails of all mailboxes share a few threads, so that no mailbox delays the others or the service.
 */
const idle: Pool[] = [];
const all = new Set<Pool>();

function newPool(): Pool {
  const pool: Pool = new Piscina({
    filename: new URL("./parse-worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    execArgv: ["--no-warnings"],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  all.add(pool);
  return pool;
}

/**
 * Parses raw emails in threads; null for each that cannot be parsed or needs more than 5 s of processor time. When a
 * batch fails, each of its emails is parsed alone; if the thread fails for a reason other than the limit, that email is
 * tried once more.
 */
export async function parseMails(raws: readonly Buffer[]): Promise<(ParsedMail | null)[]> {
  const batches = Array.from({ length: Math.ceil(raws.length / BATCH) }, (_, index) =>
    raws.slice(index * BATCH, (index + 1) * BATCH),
  );
  return (await Promise.all(batches.map((batch) => parseBatch(batch)))).flat();
}

async function parseBatch(raws: readonly Buffer[]): Promise<(ParsedMail | null)[]> {
  const together = await parseInThread(raws);
  if (together !== null) return together;
  const mails: (ParsedMail | null)[] = [];
  for (const raw of raws) {
    const alone = raws.length > 1 ? await parseInThread([raw]) : null;
    mails.push((alone ?? (await parseInThread([raw])))?.[0] ?? null);
  }
  return mails;
}

/**
 * Copies the emails into one block of memory for the thread, because transferring one block is faster than a hundred.
 */
function packedOf(raws: readonly Buffer[]): Packed {
  const octets = new Uint8Array(raws.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  const ends = raws.map((raw) => {
    octets.set(raw, end);
    end += raw.length;
    return end;
  });
  return { octets, ends, begun: new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)) };
}

/**
 * Callers that wait for a free thread. The time limit starts when a thread begins its task, so waiting does not count.
 */
const waiting = new Set<() => void>();

async function parseInThread(raws: readonly Buffer[]): Promise<(ParsedMail | null)[] | null> {
  while (idle.length === 0 && all.size >= THREADS) await new Promise<void>((resolve) => waiting.add(resolve));
  const pool = idle.pop() ?? newPool();
  const packed = packedOf(raws);
  const limit = new AbortController();
  const watch = setInterval(() => {
    void usedBy(pool, packed.begun).then((used) => {
      if (used > LIMIT_MS) limit.abort();
    });
  }, LOOK_MS);
  try {
    return await pool.run(packed, { transferList: [packed.octets.buffer], signal: limit.signal });
  } catch {
    return limit.signal.aborted && raws.length === 1 ? [null] : null;
  } finally {
    clearInterval(watch);
    if (all.has(pool)) idle.push(pool);
    const [next] = waiting;
    if (next !== undefined) waiting.delete(next);
    next?.();
  }
}

/** Milliseconds of processor time that the pool's thread has used since it began its task; 0 before. */
async function usedBy({ threads: [thread] }: Pool, [begun = 0]: Float64Array): Promise<number> {
  if (thread === undefined || begun === 0) return 0;
  const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 })); // the thread has just ended
  return (user + system - begun) / 1_000;
}

/** Ends the threads. The next email starts new ones. */
export async function closeParsers(): Promise<void> {
  const closing = [...all];
  all.clear();
  idle.length = 0;
  await Promise.all(closing.map((pool) => pool.destroy()));
}
