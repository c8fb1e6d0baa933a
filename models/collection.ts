import mongoose, { type Model, type PipelineStage, type QueryFilter, type UpdateQuery } from "mongoose";
import type { Owned } from "./schema.ts";
import { currentSession } from "./transaction.ts";

/** Marks operators of our own in a filter; what a caller sends is compared as a value. */
export const trusted = mongoose.trusted;

/** Names of fields are checked here, their values by `strictQuery` and `sanitizeFilter`. */
export type Filter<T> = { [K in keyof T]?: unknown } & { $or?: Filter<T>[]; $and?: Filter<T>[]; [path: `${string}.${string}`]: unknown };
type Fields<T> = { [K in keyof T]?: unknown } & { [path: `${string}.${string}`]: unknown };
export type Change<T> =
  | { [operator in "$set" | "$inc" | "$unset" | "$setOnInsert" | "$push" | "$pull" | "$addToSet" | "$max" | "$min"]?: Fields<T> }
  | PipelineStage[];
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

type DriverCollection = mongoose.mongo.Collection<Owned>;

/** One collection seen from one workspace: every command carries the workspace and the running transaction. */
export class Collection<T extends Owned> {
  readonly workspaceId: string;
  private readonly model: Model<Owned>;
  private defaults: object | undefined;
  private opened: { client: mongoose.mongo.MongoClient; collection: DriverCollection } | undefined;

  constructor(model: Model<T>, workspaceId: string) {
    this.model = model as unknown as Model<Owned>; // mongoose cannot resolve its overloads for an open T
    this.workspaceId = workspaceId;
  }

  find(filter: Filter<T> = {}, options: FindOptions = {}): Promise<T[]> {
    return this.query(filter, options).lean<T[]>().exec();
  }

  /** Documents one by one, without holding them all. */
  stream(filter: Filter<T> = {}, options: FindOptions = {}): AsyncIterable<T> {
    return this.query(filter, options).lean<T>().cursor() as AsyncIterable<T>; // lean cursors are typed as hydrated documents
  }

  findOne(filter: Filter<T>, { sort, select }: Pick<FindOptions, "sort" | "select"> = {}): Promise<T | null> {
    return this.model
      .findOne(this.own(filter), select ?? null, { ...(sort && { sort }), ...byId(filter), ...joined() })
      .lean<T>()
      .exec();
  }

  /** By the driver itself: there is nothing to cast in an id, and this is what every step asks most. */
  get(id: string): Promise<T | null> {
    const own = { _id: id, workspaceId: this.workspaceId };
    return this.driver.findOne(own, { hint: { _id: 1 }, ...joined() }) as Promise<T | null>; // typed as any Owned
  }

  /** The document after the change; null when nothing matched and nothing was inserted. */
  findOneAndUpdate(
    filter: Filter<T>,
    change: Change<T>,
    options: { upsert?: boolean; sort?: Record<string, 1 | -1> } = {},
  ): Promise<T | null> {
    return this.model
      .findOneAndUpdate(this.own(filter), change as UpdateQuery<Owned>, {
        ...options,
        returnDocument: "after",
        setDefaultsOnInsert: true,
        ...byId(filter),
        ...joined(),
        ...(Array.isArray(change) && { updatePipeline: true }),
      })
      .lean<T>()
      .exec();
  }

  /** How many documents matched. */
  async updateOne(filter: Filter<T>, change: Change<T>, options: { upsert?: boolean } = {}): Promise<number> {
    const pipeline = Array.isArray(change) ? { updatePipeline: true } : {};
    const { matchedCount } = await this.model.updateOne(this.own(filter), change as UpdateQuery<Owned>, {
      ...options,
      ...pipeline,
      ...joined(),
    });
    return matchedCount;
  }

  /** How many documents changed. */
  async updateMany(filter: Filter<T>, change: Change<T>): Promise<number> {
    const pipeline = Array.isArray(change) ? { updatePipeline: true } : {};
    const { modifiedCount } = await this.model.updateMany(this.own(filter), change as UpdateQuery<Owned>, { ...pipeline, ...joined() });
    return modifiedCount;
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
    const options = { ...(select && { projection: select }), ...page, maxTimeMS: maxTimeMs, ...joined() };
    return this.driver.find(owned, options).toArray() as unknown as Promise<T[]>; // typed as any Owned
  }

  async insert(fields: New<T>): Promise<T> {
    const [stored] = await this.insertMany([fields]);
    if (stored === undefined) throw new Error(`Nothing was inserted into ${this.model.modelName}`);
    return stored;
  }

  /** One insert by the driver itself, for the ledger: what is not named has the schema's default, nothing is cast or checked. */
  async store(fields: New<T>): Promise<T> {
    this.defaults ??= new this.model({}).toObject();
    const document = { ...structuredClone(this.defaults), ...fields, ...this.stamped(new Date()) };
    await this.driver.insertOne(document as never, joined()); // typed as any Owned
    return document as unknown as T;
  }

  async insertMany(rows: New<T>[]): Promise<T[]> {
    const documents = rows.map((row) => ({ ...row, workspaceId: this.workspaceId }));
    const stored = await this.model.insertMany(documents, joined());
    return stored.map((document) => document.toObject() as unknown as T); // toObject loses the stored type
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

  async deleteOne(filter: Filter<T>): Promise<number> {
    return (await this.model.deleteOne(this.own(filter), joined())).deletedCount;
  }

  async deleteMany(filter: Filter<T>): Promise<number> {
    return (await this.model.deleteMany(this.own(filter), joined())).deletedCount;
  }

  count(filter: Filter<T> = {}, { hint, limit, maxTimeMs = READ_LIMIT_MS }: Omit<FindOptions, "sort" | "select"> = {}): Promise<number> {
    const by = { ...(hint !== undefined && { hint }), ...(limit !== undefined && { limit }) };
    return this.model.countDocuments(this.own(filter), { ...by, ...joined(), maxTimeMS: maxTimeMs }).exec();
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

  aggregate<R>(match: Record<string, unknown>, ...stages: PipelineStage[]): Promise<R[]> {
    const first: PipelineStage = { $match: { workspaceId: this.workspaceId, ...match } };
    return this.model
      .aggregate<R>([first, ...stages])
      .option({ maxTimeMS: READ_LIMIT_MS })
      .session(currentSession())
      .exec();
  }

  /** The same one by one, within a time of its own: for what may take longer than a caller waits. Outside of any transaction. */
  walk<R>(
    match: Record<string, unknown>,
    stages: PipelineStage[],
    maxTimeMs: number,
    { hint, batchSize = 1_000 }: { hint?: string; batchSize?: number } = {},
  ): AsyncIterable<R> {
    const first: PipelineStage = { $match: { workspaceId: this.workspaceId, ...match } };
    return (
      this.model
        .aggregate<R>([first, ...stages])
        // Named here for the batches after the first, which would hold 16 MB each
        .option({ maxTimeMS: maxTimeMs, batchSize, ...(hint !== undefined && { hint }) })
        .cursor({ batchSize })
    );
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

  private own(filter: Filter<T>): QueryFilter<Owned> {
    return { ...filter, workspaceId: this.workspaceId } as QueryFilter<Owned>; // see Filter
  }

  private query(filter: Filter<T>, { sort, skip, limit, select, hint, maxTimeMs = READ_LIMIT_MS }: FindOptions) {
    return this.model.find(this.own(filter), select ?? null, {
      ...(sort && { sort }),
      ...(skip && { skip }),
      ...(limit && { limit }),
      ...(hint !== undefined && { hint }),
      maxTimeMS: maxTimeMs,
      ...joined(),
    });
  }
}

/**
 * A look-up by `_id` uses that index alone: with the workspace beside it the planner would weigh every index that begins with
 * the workspace.
 */
function byId(filter: Record<string, unknown>): { hint?: { _id: 1 } } {
  return typeof filter["_id"] === "string" ? { hint: { _id: 1 } } : {};
}

/** The option that puts a command into the running transaction. */
function joined(): { session?: mongoose.ClientSession } {
  const session = currentSession();
  return session === null ? {} : { session };
}

/** Caller-facing reads end after 2 s (security.md 3). */
const READ_LIMIT_MS = 2_000;
