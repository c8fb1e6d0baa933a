import { AsyncLocalStorage } from "node:async_hooks";
import type { Owned } from "./schema.ts";

/** A collection as a watcher reads it. */
interface Read {
  readonly name: string;
  read(filter: Record<string, unknown>): Promise<Owned[]>;
}

/** Documents of a collection that a piece of work wrote: as each was before, null for one that it made. */
export interface Written {
  of: Read;
  before: Map<string, Owned | null>;
}

const watching = new AsyncLocalStorage<Map<string, Written>>();

/** Documents of one write that are looked at before it; of a larger write the rest is not compared. */
export const MOST_WATCHED = 2_000;

/** Runs `work`, and shows it which documents of workspaces were written meanwhile. Nothing is looked at without a watcher. */
export function watch<T>(work: (written: ReadonlyMap<string, Written>) => Promise<T>): Promise<T> {
  const written = new Map<string, Written>();
  return watching.run(written, () => work(written));
}

export function isWatched(): boolean {
  return watching.getStore() !== undefined;
}

/** Notes documents before they are written: each as it was when it was first noted. */
export function note(of: Read, documents: readonly (Owned | { _id: string })[]): void {
  const written = watching.getStore();
  if (written === undefined) return;
  const known = written.get(of.name) ?? { of, before: new Map<string, Owned | null>() };
  written.set(of.name, known);
  for (const document of documents) {
    if (!known.before.has(document._id)) known.before.set(document._id, "workspaceId" in document ? document : null);
  }
}
