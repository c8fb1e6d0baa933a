import { scoped, type Workspaced } from "../../models/scoped.ts";
import { type Collection, trusted } from "../../mongo/collection.ts";
import { pagesOf } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { KnownSubject } from "./person.ts";
import { SEARCH_MS } from "./search-time.ts";

type DocumentOf<K extends keyof Workspaced> = Workspaced[K] extends Collection<infer T> ? T : never;

type Field<T> = keyof T & string;

/** Where to look for documents of a person: a filter, and the index to use where the planner could take a wrong one. */
export interface Search {
  filter: Record<string, unknown>;
  hint?: string;
}

/** How the data of a person is found, exported and erased in one collection (rules/evidence 4). */
export interface Holding<T> {
  /** The kind of data, as answers name it. */
  what: string;
  /** Where the data comes from. */
  source: string;
  /** The fields with data of the person. An export shows them. */
  personal: readonly Field<T>[];
  /** The other fields that can hold text. They hold codes, ids or the workspace's own words. */
  plain: readonly Field<T>[];
  find(person: KnownSubject): Search[];
  /** What the erasure does to a found document. Null: nothing in it is about the person. */
  change(document: T, person: KnownSubject): Change<T> | Promise<Change<T>>;
  /** What an export shows. Without it: `personal`. Null: the document is about other people. */
  show?(document: T, person: KnownSubject): object | null;
  /** What else the erasure must do, in the transaction of the change. */
  also?(document: T, person: KnownSubject): Promise<void>;
}

type Change<T> = "DELETE" | Partial<T> | null;

/** A kind of data that an erasure keeps. */
export interface KeptData {
  what: string;
  why: string;
}

/** Why a collection holds no data of people, why it is kept, or with which other collection it is erased. */
type Exempt<T> = ({ holdsNobody: string } | { kept: KeptData } | { erasedWith: string }) & {
  plain: readonly Field<T>[];
};

export type Entry<T> = Holding<T> | Exempt<T>;
export type Entries<K extends keyof Workspaced> = { readonly [Name in K]: Entry<DocumentOf<Name>> };

export function isHolding<T>(entry: Entry<T>): entry is Holding<T> {
  return "find" in entry;
}

/** A holding of any collection, with the documents as the engine reads them. */
export interface AnyHolding {
  model: keyof Workspaced;
  holding: Holding<Row>;
}

type Row = { _id: string; workspaceId: string; createdAt: Date; updatedAt: Date };

/** How many documents one transaction erases. Each may take several commands. */
const AT_ONCE = 50;

/** The ids of the documents that may hold data of the person, each once. */
async function idsOf({ model, holding }: AnyHolding, person: KnownSubject): Promise<string[]> {
  const collection = collectionOf(model, person.workspaceId);
  const ids = new Set<string>();
  for (const { filter, hint } of holding.find(person)) {
    const stages = [{ $project: { _id: 1 as const } }];
    const options = hint === undefined ? {} : { hint };
    for await (const { _id } of collection.walk<{ _id: string }>(filter, stages, SEARCH_MS, options)) ids.add(_id);
  }
  return [...ids];
}

/** The documents with data of the person, a few at a time. */
async function* documentsOf(one: AnyHolding, person: KnownSubject): AsyncGenerator<Row> {
  for (const page of pagesOf(await idsOf(one, person), AT_ONCE))
    for (const document of await readPage(one, person, page)) yield document;
}

/** What an export shows of these documents. */
export async function* recordsOf(one: AnyHolding, person: KnownSubject): AsyncGenerator<object> {
  const { personal, show } = one.holding;
  for await (const document of documentsOf(one, person)) {
    const shown = show === undefined ? pick(document, personal) : show(document, person);
    if (shown !== null) yield { id: document._id, createdAt: document.createdAt, ...shown };
  }
}

export interface ErasureCounts {
  deleted: number;
  changed: number;
}

/** How many documents an erasure would delete, and how many it would change. */
export async function countOf(one: AnyHolding, person: KnownSubject): Promise<ErasureCounts> {
  const counts = { deleted: 0, changed: 0 };
  for await (const document of documentsOf(one, person)) {
    const change = await changeOf(one.holding, document, person);
    if (change === "DELETE") counts.deleted++;
    else if (change !== null) counts.changed++;
  }
  return counts;
}

/**
 * Erases the data of the person in one collection, some documents per transaction. `record` is called in each of these
 * transactions with the number of erased documents. An erasure that was interrupted continues with the rest.
 */
export async function eraseIn(
  one: AnyHolding,
  person: KnownSubject,
  record: (erased: number) => Promise<void>,
): Promise<void> {
  const { model, holding } = one;
  const collection = collectionOf(model, person.workspaceId);
  for (const page of pagesOf(await idsOf(one, person), AT_ONCE)) {
    await inTransaction(async () => {
      const gone: string[] = [];
      const sets: { update: string; set: object }[] = [];
      for (const document of await readPage(one, person, page)) {
        const change = await changeOf(holding, document, person);
        if (change === null) continue;
        await holding.also?.(document, person);
        if (change === "DELETE") gone.push(document._id);
        else sets.push({ update: document._id, set: change });
      }
      await collection.bulk(sets);
      if (gone.length > 0) await collection.deleteMany({ _id: trusted({ $in: gone }) });
      if (gone.length + sets.length > 0) await record(gone.length + sets.length);
    });
  }
}

/** The change of a document, without the fields that have these values already; null when nothing is left to erase. */
async function changeOf(
  holding: Holding<Row>,
  document: Row,
  person: KnownSubject,
): Promise<"DELETE" | Partial<Row> | null> {
  const change = await holding.change(document, person);
  if (change === null || change === "DELETE") return change;
  const entries = Object.entries(change).filter(([name, value]) => !isSame(Reflect.get(document, name), value));
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Partial<Row>); // fields of the same change
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

function collectionOf(model: keyof Workspaced, workspaceId: string): Collection<Row> {
  return scoped(workspaceId)[model] as unknown as Collection<Row>; // The table pairs each model with its own holding
}

function readPage({ model }: AnyHolding, { workspaceId }: KnownSubject, ids: string[]): Promise<Row[]> {
  return collectionOf(model, workspaceId).read({ _id: { $in: ids } }, { sort: { _id: 1 } });
}

function pick<T extends object>(document: T, fields: readonly string[]): object {
  return Object.fromEntries(fields.map((field): [string, unknown] => [field, Reflect.get(document, field)]));
}
