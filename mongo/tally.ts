import { inAnyTransaction } from "./transaction.ts";

/** A document with the fields that counts depend on. */
export type Counted = Record<string, unknown> & { _id: string };

/** A document before and after a write; null where it did not exist. */
interface CountedChange {
  before: Counted | null;
  after: Counted | null;
}

/**
 * Counts that are kept beside the documents of a collection. Every write that may change a count is made in a
 * transaction together with the change of the count (rules/campaigns 6.1).
 */
export interface Tally {
  /** The fields that the counts depend on. They are read before and after a write. */
  fields: readonly string[];
  /** Whether a write with this filter and change may change a count. */
  mayChange(filter: Record<string, unknown>, change: object): boolean;
  /** Whether no document that matches the filter counts for anything. */
  countsNothing(filter: Record<string, unknown>): boolean;
  /** Whether this document counts for something. */
  isCounted(document: object): boolean;
  /** Adds the difference between these documents to the counts, in the running transaction. */
  count(workspaceId: string, changes: readonly CountedChange[]): void;
}

type Filter = Record<string, unknown>;
type Read = (filter: Filter, projection: Record<string, 1>) => Promise<Counted[]>;

/** Changes the counts of a collection in the transaction of each write that may change them. */
export class Counting {
  private readonly tally: Tally | null;
  private readonly workspaceId: string;
  private readonly read: Read;

  /** Without a tally, every write is made as it is. */
  constructor(tally: Tally | null, workspaceId: string, read: Read) {
    this.tally = tally;
    this.workspaceId = workspaceId;
    this.read = read;
  }

  /** Those of the filters whose writes may change a count. */
  affected(writes: readonly { filter: Filter; change: object }[]): Filter[] {
    const { tally } = this;
    if (tally === null) return [];
    return writes.filter(({ filter, change }) => tally.mayChange(filter, change)).map(({ filter }) => filter);
  }

  /** Makes a change of one document; `write` returns the document after it. */
  async one<T extends { _id: string }>(
    filter: Filter,
    change: object,
    write: () => Promise<T | null>,
  ): Promise<T | null> {
    const { tally } = this;
    if (!tally?.mayChange(filter, change)) return write();
    return inAnyTransaction(async () => {
      const before = tally.countsNothing(filter) ? [] : await this.find(tally, filter);
      const after = await write();
      if (after !== null) tally.count(this.workspaceId, pairsOf([after._id], before, [{ ...after }]));
      return after;
    });
  }

  /** Makes a change of one document; `write` returns the document before it, with at least these fields. */
  async fromBefore<T extends { _id: string }>(
    filter: Filter,
    change: object,
    write: (fields: Record<string, 1>) => Promise<T | null>,
  ): Promise<T | null> {
    const { tally } = this;
    if (!tally?.mayChange(filter, change)) return write({ _id: 1 });
    return inAnyTransaction(async () => {
      const before = await write(projectionOf(tally));
      if (before === null) return null;
      const after = overlaid({ ...before }, change, tally.fields);
      const read = after === null ? await this.find(tally, { _id: before._id }) : [after];
      tally.count(this.workspaceId, pairsOf([before._id], [{ ...before }], read));
      return before;
    });
  }

  /** Makes a write that may change the counts of documents that match `filters`, and that adds the `inserted` ones. */
  async all<R>(filters: readonly Filter[], inserted: readonly object[], write: () => Promise<R>): Promise<R> {
    const { tally } = this;
    const added = tally === null ? [] : inserted.filter((row) => tally.isCounted(row));
    if (tally === null || filters.length + added.length === 0) return write();
    return inAnyTransaction(async () => {
      const named = filters.flatMap(({ _id }) => (typeof _id === "string" ? [_id] : []));
      const others = filters.filter(({ _id }) => typeof _id !== "string");
      const before = await this.findAny(tally, [...(named.length === 0 ? [] : [{ _id: { $in: named } }]), ...others]);
      const done = await write();
      const ids = [...new Set([...named, ...before.map(({ _id }) => _id)])];
      const after = ids.length === 0 ? [] : await this.find(tally, { _id: { $in: ids } });
      const all = [...after, ...(added as Counted[])]; // every new document has an id
      const allIds = all.map(({ _id }) => _id);
      tally.count(this.workspaceId, pairsOf(allIds, before, all));
      return done;
    });
  }

  private async findAny(tally: Tally, filters: readonly Filter[]): Promise<Counted[]> {
    const found: Counted[] = [];
    for (const filter of filters) found.push(...(await this.find(tally, filter)));
    return found;
  }

  private find(tally: Tally, filter: Filter): Promise<Counted[]> {
    return this.read(filter, projectionOf(tally));
  }
}

function projectionOf({ fields }: Tally): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field, 1 as const]));
}

/** Pairs the documents that were read before and after a write by their ids. */
function pairsOf(
  ids: readonly string[],
  before: readonly Counted[],
  after: readonly (Counted | null)[],
): CountedChange[] {
  const [was, is] = [before, after].map((all) => new Map(all.flatMap((one) => (one === null ? [] : [[one._id, one]]))));
  return [...new Set(ids)].map((id) => ({ before: was?.get(id) ?? null, after: is?.get(id) ?? null }));
}

/** Whether a change sets one of these fields, a part of one, or an object that contains one. */
export function setsAny(change: object, fields: readonly string[]): boolean {
  const paths = pathsOf(change);
  if (paths === null) return true;
  return paths.some((path) =>
    fields.some((field) => path === field || path.startsWith(`${field}.`) || field.startsWith(`${path}.`)),
  );
}

/** The value that a change gives to a field; undefined if it does not set the field, or not to a plain value. */
export function valueSetTo(change: object, field: string): unknown {
  const sets = Array.isArray(change) ? change : [change];
  return sets.map((stage) => Reflect.get(Reflect.get(stage, "$set") ?? {}, field)).findLast((value) => value != null);
}

/** The paths that a change names; null if a stage of its pipeline may set any path. */
function pathsOf(change: object): string[] | null {
  if (!Array.isArray(change)) return Object.values(change).flatMap((fields: object) => Object.keys(fields));
  const stages: object[] = change;
  if (stages.some((stage) => Object.keys(stage).some((name) => name !== "$set"))) return null;
  return stages.flatMap((stage) => Object.keys(Reflect.get(stage, "$set") ?? {}));
}

/**
 * The document after a change that only sets values; null if it must be read, because the change also does something
 * else to one of the fields.
 */
function overlaid(before: Counted, change: object, fields: readonly string[]): Counted | null {
  if (Array.isArray(change)) return null;
  const { $set = {}, ...others } = change as { $set?: Record<string, unknown> };
  if (setsAny(others, fields)) return null;
  const set = Object.entries($set).filter(([path]) => setsAny({ $set: { [path]: null } }, fields));
  if (set.some(([path]) => path.includes("."))) return null;
  return { ...before, ...Object.fromEntries(set) };
}
