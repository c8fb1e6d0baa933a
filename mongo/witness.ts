import { AsyncLocalStorage } from "node:async_hooks";
import type { Owned } from "./schema.ts";

/** A collection as a watcher reads it. */
interface Read {
  readonly name: string;
  read(filter: Record<string, unknown>): Promise<Owned[]>;
}

/** The documents of a collection that a piece of work wrote: each as it was before, or null if the work created it. */
export interface Written {
  of: Read;
  before: Map<string, Owned | null>;
}

interface Watch {
  written: Map<string, Written>;
  until: number;
}

const watching = new AsyncLocalStorage<Watch>();

/** Thrown when the watched work has taken longer than allowed. */
export class WatchedTooLong extends Error {}

/** How many documents of one write are read before it. The rest of a larger write is not compared. */
export const MOST_WATCHED = 2_000;

/**
 * Runs `work` and passes it the documents of workspaces that are written meanwhile. Without a watcher, the documents
 * are not read before a write. A write after `until`, in the time of `performance.now`, throws WatchedTooLong.
 */
export function watch<T>(
  work: (written: ReadonlyMap<string, Written>) => Promise<T>,
  until = Number.POSITIVE_INFINITY,
): Promise<T> {
  const written = new Map<string, Written>();
  return watching.run({ written, until }, () => work(written));
}

export function isWatched(): boolean {
  return watching.getStore() !== undefined;
}

/** Records documents before they are written, each as it was when it was first recorded. */
export function note(of: Read, documents: readonly (Owned | { _id: string })[]): void {
  const watch = watching.getStore();
  if (watch === undefined) return;
  const { written, until } = watch;
  if (performance.now() > until) throw new WatchedTooLong("This work takes too long to be watched");
  const entry = written.get(of.name) ?? { of, before: new Map<string, Owned | null>() };
  written.set(of.name, entry);
  for (const document of documents) {
    if (!entry.before.has(document._id)) entry.before.set(document._id, "workspaceId" in document ? document : null);
  }
}
