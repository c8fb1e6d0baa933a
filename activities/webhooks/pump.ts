import { type Admission, type FeedTurn, nextWindow } from "../../domain/webhook.ts";

/** Where items come from, how each is handled, and where the results go. */
export interface Line<T, R extends { ok: boolean }> {
  /** Takes at most `limit` items, oldest first. `isDry` is true when no further items are waiting. */
  take(limit: number): Promise<{ items: T[]; isDry: boolean }>;
  /** Handles one item. Returns null when handling was cancelled and has no result. */
  handle(item: T): Promise<R | null>;
  /**
   * Calls `onWaiting` when items are waiting. Returns a function that ends this. Without `listen`, `pump` only checks
   * for items from time to time.
   */
  listen?(onWaiting: () => void): () => void;
  /** Records results in the order in which they arrived. Returns the concurrency window after recording. */
  record(results: R[]): Promise<Admission>;
}

export interface PumpLimits {
  /** The time in milliseconds and the number of items after which no more items are taken. */
  ms: number;
  rows: number;
  /** Milliseconds without an item after which `pump` returns. */
  lingerMs: number;
  /** After this fires, no further item is taken; items that are being handled are finished. */
  signal: AbortSignal;
}

const RECORD_AT = 100;
/** Milliseconds that a result waits for others to be recorded with it. */
const RECORD_AFTER_MS = 150;
/** Milliseconds between two takes, so that single items are collected and taken together. */
const TAKE_APART_MS = 20;
/**
 * Milliseconds until the next check after a check that found no further items; doubled each time from `first` to
 * `longest`.
 */
const LOOK_MS = { first: 200, longest: 1_000 };
/** Milliseconds after closing for which results that could not be recorded are kept and recording is retried. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 1_000;

/**
 * Handles as many items at the same time as the window allows; the window grows and shrinks with their results. Returns
 * when a limit is reached or no item has come for a while. Items are taken only when they can be handled immediately.
 * @throws Error of `take` or `record`, after running items have ended and, if possible, been recorded
 */
export async function pump<T, R extends { ok: boolean }>(
  line: Line<T, R>,
  limits: PumpLimits,
  admission: Admission,
): Promise<FeedTurn> {
  const startedAt = performance.now();
  const closesAt = startedAt + limits.ms;
  let { window, failuresInRow } = admission;
  let underWay = 0;
  let [posted, delivered, taken] = [0, 0, 0];
  let ended: R[] = [];
  let endedAt = 0;
  let busyAt = startedAt;
  let look = { at: startedAt, pauseMs: LOOK_MS.first, isVain: false };
  let recordsFrom = 0;
  const faults: unknown[] = [];
  let wake = () => {};

  limits.signal.addEventListener("abort", () => wake(), { once: true });
  const unlisten = line.listen?.(() => {
    if (!look.isVain) return;
    look = { ...look, at: 0 };
    wake();
  });

  const isClosed = (now: number) =>
    now >= closesAt || taken >= limits.rows || limits.signal.aborted || faults.length > 0;
  const roomOf = () => Math.min(window - underWay, limits.rows - taken);

  function takesAt(now: number): number {
    const room = roomOf();
    if (isClosed(now) || room <= 0) return Number.POSITIVE_INFINITY;
    return !look.isVain && room * 2 >= window ? now : look.at;
  }

  function recordsAt(now: number): number {
    if (ended.length === 0) return Number.POSITIVE_INFINITY;
    return Math.max(recordsFrom, ended.length >= RECORD_AT || underWay === 0 ? now : endedAt + RECORD_AFTER_MS);
  }

  async function take(): Promise<void> {
    try {
      const { items, isDry } = await line.take(roomOf());
      const isVain = isDry || items.length === 0;
      const pauseMs = items.length > 0 ? LOOK_MS.first : Math.min(look.pauseMs * 2, LOOK_MS.longest);
      look = { at: performance.now() + (isVain ? pauseMs : TAKE_APART_MS), pauseMs, isVain };
      if (!isDry || items.length > 0) busyAt = performance.now();
      taken += items.length;
      for (const item of items) void handle(item);
    } catch (error) {
      faults.push(error);
    }
  }

  async function handle(item: T): Promise<void> {
    underWay++;
    try {
      const result = await line.handle(item);
      if (result !== null) noteResult(result);
    } catch (error) {
      faults.push(error);
    } finally {
      underWay--;
      busyAt = performance.now();
      wake();
    }
  }

  function noteResult(result: R): void {
    if (ended.length === 0) endedAt = performance.now();
    ended.push(result);
    posted++;
    if (result.ok) delivered++;
    ({ window, failuresInRow } = nextWindow(window, failuresInRow, result.ok ? "success" : "failure"));
  }

  async function record(): Promise<void> {
    const results = ended;
    ended = [];
    try {
      const recorded = await line.record(results);
      // The recorded window does not include the items that ended while recording
      ({ window, failuresInRow } = ended.reduce(
        (so, { ok }) => nextWindow(so.window, so.failuresInRow, ok ? "success" : "failure"),
        recorded,
      ));
    } catch (error) {
      ended = [...results, ...ended];
      recordsFrom = performance.now() + RETRY_MS;
      faults.push(error);
      if (performance.now() > closesAt + PATIENCE_MS) throw error;
    }
  }

  try {
    await run();
  } finally {
    unlisten?.();
  }
  if (faults.length > 0) throw faults[0];
  return { posted, delivered, isEmpty: !isClosed(performance.now()) };

  async function run(): Promise<void> {
    for (;;) {
      const now = performance.now();
      const isIdle = underWay === 0 && ended.length === 0;
      if (isIdle && (isClosed(now) || (look.isVain && now - busyAt >= limits.lingerMs))) return;
      const [takes, records] = [takesAt(now), recordsAt(now)];
      if (takes <= now || records <= now) await Promise.all([takes <= now && take(), records <= now && record()]);
      else await pause(Math.min(takes, records, now + RETRY_MS) - now);
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
