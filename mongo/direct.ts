import mongoose, { type Model } from "mongoose";
import type { Owned } from "./schema.ts";
import { currentSession } from "./transaction.ts";

/** What a new document needs: its id and whatever has no default. */
export type New<T> = Partial<Omit<T, "workspaceId" | "createdAt" | "updatedAt">> & { _id: string };

/** One write of `bulk`: a new document, or fields of a document by its id. */
export type Write<T> = { insert: Complete<T> } | { update: string; set: Partial<Complete<T>> };
type Complete<T> = Omit<T, "workspaceId" | "createdAt" | "updatedAt">;

/** One change of the ledger: pipelines and the database's clock, never a caller's values. */
export interface Statement {
  filter: Record<string, unknown>;
  change: object;
  upsert?: boolean;
}

export interface FindOptions {
  sort?: Record<string, 1 | -1>;
  skip?: number;
  limit?: number;
  select?: Record<string, 0 | 1>;
  maxTimeMs?: number;
  /** The name of the index to use, where the planner would weigh many. */
  hint?: string;
}

/** Of what is read whole: the server would send 101 documents and be asked again for the others. */
export const AT_ONCE = 10_000;

type DriverCollection = mongoose.mongo.Collection<Owned>;

/**
 * What the ledger and the hot paths ask of the driver itself: nothing is cast, checked or hooked, so every value must have been.
 * Every command carries the workspace and the running transaction.
 */
export class Direct<T extends Owned> {
  readonly workspaceId: string;
  protected readonly model: Model<Owned>;
  private defaults: object | undefined;
  private opened: { client: mongoose.mongo.MongoClient; collection: DriverCollection } | undefined;

  constructor(model: Model<T>, workspaceId: string) {
    this.model = model as unknown as Model<Owned>; // mongoose cannot resolve its overloads for an open T
    this.workspaceId = workspaceId;
  }

  /** By the driver itself: there is nothing to cast in an id, and this is what every step asks most. */
  get(id: string): Promise<T | null> {
    const own = { _id: id, workspaceId: this.workspaceId };
    return this.driver.findOne(own, { hint: { _id: 1 }, ...joined() }) as Promise<T | null>; // typed as any Owned
  }

  /**
   * One change by the driver itself, for the ledger: pipelines and the database's clock, never a caller's values.
   * The document after it; null when nothing matched.
   */
  changeOne(filter: Record<string, unknown>, change: object, { upsert = false }: { upsert?: boolean } = {}): Promise<T | null> {
    const owned = { ...filter, workspaceId: this.workspaceId };
    const by = { upsert, returnDocument: "after", ...byId(owned), ...joined() } as const;
    return this.driver.findOneAndUpdate(owned, change, by) as Promise<T | null>; // typed as any Owned
  }

  /** The same without the document: whether one matched. */
  async wrote(filter: Record<string, unknown>, change: object): Promise<boolean> {
    const owned = { ...filter, workspaceId: this.workspaceId };
    return (await this.driver.updateOne(owned, change, { ...byId(owned), ...joined() })).matchedCount === 1;
  }

  /** Several of them in one command, in order: whether each one matched or was inserted. Call it in a transaction. */
  async wroteAll(statements: Statement[]): Promise<boolean> {
    if (statements.length === 0) return true;
    const operations = statements.map(({ filter, change, upsert = false }) => {
      const owned = { ...filter, workspaceId: this.workspaceId };
      return { updateOne: { filter: owned, update: change, upsert, ...byId(owned) } };
    });
    const { matchedCount, upsertedCount } = await this.driver.bulkWrite(operations, { ordered: true, ...joined() });
    return matchedCount + upsertedCount === statements.length;
  }

  /** A read by the driver itself: nothing is cast, so every value of the filter must have been checked. */
  read(filter: Record<string, unknown>, { select, sort, skip, limit, hint, maxTimeMs = READ_LIMIT_MS }: FindOptions = {}): Promise<T[]> {
    const owned = { ...filter, workspaceId: this.workspaceId };
    const page = { ...(sort && { sort }), ...(skip && { skip }), ...(limit && { limit }), ...(hint !== undefined && { hint }) };
    const options = { ...(select && { projection: select }), ...page, batchSize: AT_ONCE, maxTimeMS: maxTimeMs, ...joined() };
    return this.driver.find(owned, options).toArray() as unknown as Promise<T[]>; // typed as any Owned
  }

  /** One insert by the driver itself, for the ledger: what is not named has the schema's default, nothing is cast or checked. */
  async store(fields: New<T>): Promise<T> {
    this.defaults ??= new this.model({}).toObject();
    const document = { ...structuredClone(this.defaults), ...fields, ...this.stamped(new Date()) };
    await this.driver.insertOne(document as never, joined()); // typed as any Owned
    return document as unknown as T;
  }

  /**
   * Many writes in one command, in any order. Call it in a transaction: when one fails, others have been done.
   * An insert names every field, since neither defaults nor hooks are applied.
   */
  async bulk(writes: Write<T>[]): Promise<void> {
    if (writes.length === 0) return;
    const now = new Date();
    const operations = writes.map((write) => {
      if ("insert" in write) return { insertOne: { document: { ...write.insert, ...this.stamped(now) } } };
      const update = { $set: { ...write.set, updatedAt: now } };
      return { updateOne: { filter: { _id: write.update, workspaceId: this.workspaceId }, update } };
    });
    // The driver's own command: casting a thousand documents costs more than storing them
    await this.model.collection.bulkWrite(operations as never, { ordered: false, ...joined() }); // ids are texts in every model
  }

  /**
   * Every text of a field of arrays from `from` on, in binary order, from the keys of the index that begins with the workspace and
   * the field: each look skips to the first text not below `after(last)`. (A distinct command would read every document, because
   * the index is a multikey one.)
   */
  async textsOf(
    field: keyof T & string,
    hint: Record<string, 1 | -1>,
    { from = "", after = (last) => `${last}\0` }: { from?: string; after?(last: string): string } = {},
  ): Promise<string[]> {
    const { MaxKey, MinKey } = mongoose.mongo;
    const at = (value: unknown, rest: unknown) =>
      Object.fromEntries(
        Object.keys(hint).map((name) => [name, name === "workspaceId" ? this.workspaceId : name === field ? value : rest]),
      );
    const texts: string[] = [];
    for (let min = from; ; ) {
      const bounds = { min: at(min, new MaxKey()), max: at(new MaxKey(), new MinKey()) };
      const options = { hint, ...bounds, returnKey: true, limit: 1, maxTimeMS: READ_LIMIT_MS, ...joined() };
      const [key] = await this.driver.find({ workspaceId: this.workspaceId }, options).toArray();
      const text: unknown = key === undefined ? undefined : Reflect.get(key, field);
      if (typeof text !== "string") return texts;
      texts.push(text);
      min = after(text);
    }
  }

  private stamped(now: Date): Pick<Owned, "workspaceId" | "createdAt" | "updatedAt"> {
    return { workspaceId: this.workspaceId, createdAt: now, updatedAt: now };
  }

  /** The driver's own collection; asking the client for it each time would cost more than many a command. */
  private get driver(): DriverCollection {
    const { conn, collectionName } = this.model.collection;
    const client = conn.getClient();
    if (this.opened?.client !== client) this.opened = { client, collection: client.db(conn.name).collection<Owned>(collectionName) };
    return this.opened.collection;
  }
}

/**
 * A look-up by `_id` uses that index alone: with the workspace beside it the planner would weigh every index that begins with
 * the workspace.
 */
export function byId(filter: Record<string, unknown>): { hint?: { _id: 1 } } {
  return typeof filter["_id"] === "string" ? { hint: { _id: 1 } } : {};
}

/** The option that puts a command into the running transaction. */
export function joined(): { session?: mongoose.ClientSession } {
  const session = currentSession();
  return session === null ? {} : { session };
}

/** Caller-facing reads end after 2 s (security.md 3). */
export const READ_LIMIT_MS = 2_000;
