import type { Hit } from "../../models/tracking/hit.ts";
import { hitOf, insertHits, type Visit } from "../../store/tracking/hits.ts";

/** Milliseconds for which a hit may wait in memory. With the write that follows, at most 250 (rules/tracking 2.1). */
const BATCH_MS = 200;
const MOST_AT_ONCE = 5_000;
/**
 * The most concurrent writes of hits that a request waits for, and the milliseconds for which the first hit of a group
 * waits for others.
 */
const MOST_UNDER_WAY = 2;
const GATHER_MS = 2;
/** The most hits that wait while the database is unreachable. Beyond that, the oldest are dropped. */
const MOST_WAITING = 100_000;

/** The outcomes of hits, as the metrics count them. */
export interface HitMetrics {
  stored(count: number): void;
  lost(why: HitLoss, count: number): void;
}

/**
 * FLOOD: its address exceeded the limit. FULL: too many hits waited for the database. REFUSED: the database refused the
 * row.
 */
type HitLoss = "FLOOD" | "FULL" | "REFUSED";

export interface HitBatches {
  /** Stores the visit with the next batch. A visit without a known workspace is dropped if its email is not found. */
  add(visit: Visit, workspaceId: string | null): void;
  /**
   * Resolves once the visit is on the database's disk. If that fails, the visit stays for the next batch and the
   * promise rejects.
   */
  store(visit: Visit, workspaceId: string): Promise<void>;
  /** Stores all waiting hits. */
  close(): Promise<void>;
}

interface Waiting {
  row: Hit;
  resolve(): void;
  reject(error: unknown): void;
}

/** Finds the workspaces of the emails that these visits name, if those emails are tracked this way. */
export type FindWorkspaces = (visits: readonly Visit[]) => Promise<Map<Visit, string>>;

/**
 * Writes hits to the database: a few concurrent writes for hits that a request waits for, and one write for all others.
 */
export function createHitBatches(findWorkspaces: FindWorkspaces, metrics: HitMetrics): HitBatches {
  let rows: Hit[] = [];
  let nameless: Visit[] = [];
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> | null = null;
  const awaited: Waiting[] = [];
  const storing = new Set<Promise<void>>();
  let gathering: NodeJS.Timeout | null = null;
  let isOverdue = false;

  function later(ms = BATCH_MS): void {
    timer ??= setTimeout(flush, ms);
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    // Hits that are due during a write are written right after it
    isOverdue = flushing !== null;
    flushing ??= write().finally(() => {
      flushing = null;
      if (rows.length + nameless.length > 0) later(isOverdue ? 0 : BATCH_MS);
      isOverdue = false;
    });
    return flushing;
  }

  async function write(): Promise<void> {
    const visits = nameless.splice(0, MOST_AT_ONCE);
    try {
      const found = visits.length === 0 ? new Map<Visit, string>() : await findWorkspaces(visits);
      for (const [visit, workspaceId] of found) rows.push(hitOf(visit, workspaceId));
    } catch {
      nameless = [...visits, ...nameless];
    }
    const batch = rows.splice(0, MOST_AT_ONCE);
    if (batch.length > 0) await stored(batch).catch(() => keep(batch));
    drop();
  }

  async function stored(batch: Hit[]): Promise<void> {
    const refused = await insertHits(batch);
    if (refused.length > 0) metrics.lost("REFUSED", refused.length);
    metrics.stored(batch.length - refused.length);
  }

  function keep(batch: readonly Hit[]): void {
    rows = [...batch, ...rows];
    later();
  }

  function drop(): void {
    const excess = Math.max(0, rows.length + nameless.length - MOST_WAITING);
    if (excess === 0) return;
    const dropped = rows.splice(0, excess).length;
    nameless.splice(0, excess - dropped);
    metrics.lost("FULL", excess);
  }

  /**
   * While the most writes are running, a new hit waits until one ends. All hits that arrive in the meantime share the
   * next write.
   */
  function storeAwaited(): void {
    if (gathering !== null) clearTimeout(gathering);
    gathering = null;
    while (storing.size < MOST_UNDER_WAY && awaited.length > 0) {
      const write = storeTogether(awaited.splice(0, MOST_AT_ONCE)).finally(() => {
        storing.delete(write);
        storeAwaited();
      });
      storing.add(write);
    }
  }

  async function storeTogether(group: readonly Waiting[]): Promise<void> {
    const batch = group.map(({ row }) => row);
    try {
      await stored(batch);
      for (const { resolve } of group) resolve();
    } catch (error) {
      keep(batch);
      drop();
      for (const { reject } of group) reject(error);
    }
  }

  return {
    add(visit, workspaceId) {
      if (workspaceId === null) nameless.push(visit);
      else rows.push(hitOf(visit, workspaceId));
      if (rows.length + nameless.length > MOST_WAITING + MOST_AT_ONCE) drop();
      later();
    },
    store(visit, workspaceId) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      awaited.push({ row: hitOf(visit, workspaceId), resolve, reject });
      gathering ??= setTimeout(storeAwaited, GATHER_MS);
      return promise;
    },
    async close() {
      storeAwaited();
      while (storing.size > 0) await Promise.all(storing);
      await flushing;
      for (let left = Number.POSITIVE_INFINITY; rows.length + nameless.length < left; ) {
        left = rows.length + nameless.length;
        await flush();
      }
      if (timer !== null) clearTimeout(timer);
    },
  };
}
