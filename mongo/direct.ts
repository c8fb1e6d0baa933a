import mongoose, { type Model } from "mongoose";
import type { Owned } from "./schema.ts";
import { type Counted, Counting, type Tally } from "./tally.ts";
import { currentSession } from "./transaction.ts";
import { isWatched, MOST_WATCHED, note } from "./witness.ts";

/** The fields of a new document: its id and every field without a default. */
export type New<T> = Partial<Omit<T, "workspaceId" | "createdAt" | "updatedAt">> & { _id: string };

/** One write of `bulk`: a new document, or changed fields of the document with an id. */
export type Write<T> = { insert: Complete<T> } | { update: string; set: Partial<Complete<T>> };
type Complete<T> = Omit<T, "workspaceId" | "createdAt" | "updatedAt">;

/**
 * One change of a document, for `wroteAll`. It consists of pipelines and the database's clock, never of a caller's
 * values.
 */
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
  /** The name of the index to use when the query planner would have to compare many. */
  hint?: string;
}

/**
 * The batch size of reads that return everything. By default the server's first batch has only 101 documents, and the
 * rest needs another request.
 */
export const AT_ONCE = 10_000;

type DriverCollection = mongoose.mongo.Collection<Owned>;

/**
 * The commands that the sending code and the hot paths issue through the driver directly. The driver does not cast or
 * check values and runs no hooks, so the caller must have checked every value. Every command is filtered by the
 * workspace and joins the running transaction.
 */
export class Direct<T extends Owned> {
  readonly workspaceId: string;
  protected readonly model: Model<Owned>;
  protected readonly counting: Counting;
  private defaults: object | undefined;
  private opened: { client: mongoose.mongo.MongoClient; collection: DriverCollection } | undefined;

  constructor(model: Model<T>, workspaceId: string, tally: Tally | null = null) {
    this.model = model as unknown as Model<Owned>; // mongoose cannot resolve its overloads for an open T
    this.workspaceId = workspaceId;
    this.counting = new Counting(tally, workspaceId, (filter, projection) => this.readCounted(filter, projection));
  }

  get name(): string {
    return this.model.modelName;
  }

  /** Reports the documents that a write is about to change to the watcher, if there is one. */
  private async show(ownFilter: Record<string, unknown>): Promise<void> {
    if (!isWatched()) return;
    note(this, await this.driver.find(ownFilter, { limit: MOST_WATCHED, ...sessionOption() }).toArray());
    if (typeof ownFilter["_id"] === "string") note(this, [{ _id: ownFilter["_id"] }]); // it may be inserted
  }

  /**
   * Reads through the driver itself, because an id needs no casting and this is the most frequent read of every step.
   */
  get(id: string): Promise<T | null> {
    const own = { _id: id, workspaceId: this.workspaceId };
    return this.driver.findOne(own, { hint: { _id: 1 }, ...sessionOption() }) as Promise<T | null>; // typed as any Owned
  }

  /**
   * Makes one change through the driver directly. The change consists of pipelines and the database's clock, never of a
   * caller's values. Returns the document after the change; null when nothing matched.
   */
  async changeOne(
    filter: Record<string, unknown>,
    change: object,
    { upsert = false }: { upsert?: boolean } = {},
  ): Promise<T | null> {
    const ownFilter = { ...filter, workspaceId: this.workspaceId };
    await this.show(ownFilter);
    const write = () => {
      const by = { upsert, returnDocument: "after", ...byId(ownFilter), ...sessionOption() } as const;
      return this.driver.findOneAndUpdate(ownFilter, change, by) as Promise<T | null>; // typed as any Owned
    };
    return this.counting.one(filter, change, write);
  }

  /** Like `changeOne`, but without reading the document. Returns whether a document matched. */
  async wrote(filter: Record<string, unknown>, change: object): Promise<boolean> {
    const ownFilter = { ...filter, workspaceId: this.workspaceId };
    await this.show(ownFilter);
    if (this.counting.affected([{ filter, change }]).length > 0) {
      const write = (projection: Record<string, 1>) => {
        const by = { returnDocument: "before", projection, ...byId(ownFilter), ...sessionOption() } as const;
        return this.driver.findOneAndUpdate(ownFilter, change, by) as unknown as Promise<T | null>; // typed as any Owned
      };
      return (await this.counting.fromBefore(filter, change, write)) !== null;
    }
    return (
      (await this.driver.updateOne(ownFilter, change, { ...byId(ownFilter), ...sessionOption() })).matchedCount === 1
    );
  }

  /**
   * Writes a document without changing its content, so that one of two transactions that decide about the document must
   * start again. Returns whether the document exists. Call it in a transaction. It increments a counter, because an
   * instant that is written twice within a millisecond changes nothing and causes no conflict.
   */
  touch(id: string): Promise<boolean> {
    return this.wrote({ _id: id }, { $inc: { touches: 1 }, $set: { updatedAt: new Date() } });
  }

  /**
   * Makes several changes in one command, in order. Returns whether each of them matched or inserted a document. Call
   * it in a transaction.
   */
  async wroteAll(statements: Statement[]): Promise<boolean> {
    if (statements.length === 0) return true;
    if (isWatched()) await this.showChanged(statements);
    const operations = statements.map(({ filter, change, upsert = false }) => {
      const ownFilter = { ...filter, workspaceId: this.workspaceId };
      return { updateOne: { filter: ownFilter, update: change, upsert, ...byId(ownFilter) } };
    });
    const write = async () => {
      const options = { ordered: true, ...sessionOption() };
      const { matchedCount, upsertedCount } = await this.driver.bulkWrite(operations, options);
      return matchedCount + upsertedCount === statements.length;
    };
    return this.counting.all(this.counting.affected(statements), [], write);
  }

  /** Reports the documents that statements are about to change: all that are named by id in one read. */
  private async showChanged(statements: readonly Statement[]): Promise<void> {
    const ids = (some: readonly Statement[]) =>
      some.flatMap(({ filter: { _id } }) => (typeof _id === "string" ? [_id] : []));
    await this.show({ _id: { $in: ids(statements) }, workspaceId: this.workspaceId });
    // Those that may be inserted
    note(
      this,
      ids(statements.filter(({ upsert }) => upsert)).map((_id) => ({ _id })),
    );
    for (const { filter } of statements)
      if (typeof filter["_id"] !== "string") await this.show({ ...filter, workspaceId: this.workspaceId });
  }

  private async readCounted(filter: Record<string, unknown>, projection: Record<string, 1>): Promise<Counted[]> {
    const ownFilter = { ...filter, workspaceId: this.workspaceId };
    const options = { projection, ...byId(ownFilter), ...sessionOption() };
    return (await this.driver.find(ownFilter, options).toArray()) as unknown as Counted[]; // typed as any Owned
  }

  /** Reads through the driver directly. Nothing is cast, so the caller must have checked every value of the filter. */
  read(
    filter: Record<string, unknown>,
    { select, sort, skip, limit, hint, maxTimeMs = READ_LIMIT_MS }: FindOptions = {},
  ): Promise<T[]> {
    const ownFilter = { ...filter, workspaceId: this.workspaceId };
    const page = {
      ...(sort && { sort }),
      ...(skip && { skip }),
      ...(limit && { limit }),
      ...(hint !== undefined && { hint }),
    };
    const options = {
      ...(select && { projection: select }),
      ...page,
      batchSize: AT_ONCE,
      maxTimeMS: maxTimeMs,
      ...sessionOption(),
    };
    return this.driver.find(ownFilter, options).toArray() as unknown as Promise<T[]>; // typed as any Owned
  }

  /** The same read as `read`, as a part of `readBeside`. */
  part(filter: Record<string, unknown>, select?: Record<string, 1>): ReadPart<T> {
    const pipeline = [
      { $match: { ...filter, workspaceId: this.workspaceId } },
      ...(select === undefined ? [] : [{ $project: select }]),
    ];
    return { from: this.model.collection.collectionName, pipeline };
  }

  /** Like `part`, but for the newest document only. */
  newestPart(filter: Record<string, unknown>, select: Record<string, 1>): ReadPart<T> {
    const { from, pipeline } = this.part(filter);
    return { from, pipeline: [...pipeline, { $sort: { _id: -1 } }, { $limit: 1 }, { $project: select }] };
  }

  /**
   * Reads from several collections in one command and thus in one round trip, because each command makes the
   * transactions of a send slower. Returns what each part found. Every part is empty when there is no document with the
   * id. Nothing is cast, as with `read`.
   */
  async readBeside<const P extends readonly ReadPart<unknown>[]>(id: string, ...parts: P): Promise<FoundBy<P>> {
    const own = { $match: { _id: id, workspaceId: this.workspaceId } };
    // A transaction may contain $lookup, but not $unionWith
    const lookups = parts.map(({ from, pipeline }, part) => ({ $lookup: { from, pipeline, as: `part${part}` } }));
    const options = { hint: { _id: 1 }, maxTimeMS: READ_LIMIT_MS, ...sessionOption() };
    const [row] = await this.driver.aggregate([own, { $project: { _id: 1 } }, ...lookups], options).toArray();
    return parts.map((_, part) => row?.[`part${part}`] ?? []) as unknown as FoundBy<P>; // each part holds rows of its own collection
  }

  /**
   * Inserts one document through the driver directly. Fields that are not named get the schema's defaults. Nothing is
   * cast or checked.
   */
  async store(fields: New<T>): Promise<T> {
    const document = this.whole(fields);
    note(this, [{ _id: fields._id }]);
    await this.counting.all([], [document], () => this.driver.insertOne(document as never, sessionOption())); // typed as any Owned
    return document as unknown as T;
  }

  /** Like `store`, but inserts many documents in one command. */
  async storeAll(all: readonly New<T>[]): Promise<void> {
    note(
      this,
      all.map(({ _id }) => ({ _id })),
    );
    if (all.length === 0) return;
    const documents = all.map((fields) => this.whole(fields));
    await this.counting.all([], documents, () => this.driver.insertMany(documents as never, sessionOption())); // as above
  }

  private whole(fields: New<T>): object {
    this.defaults ??= new this.model({}).toObject();
    return { ...structuredClone(this.defaults), ...fields, ...this.stamped(new Date()) };
  }

  /**
   * Makes many writes in one command, in any order. Call it in a transaction: when one write fails, others have already
   * been made. An insert must name every field, because neither defaults nor hooks are applied.
   */
  async bulk(writes: Write<T>[]): Promise<void> {
    if (writes.length === 0) return;
    const now = new Date();
    if (isWatched()) await this.showAll(writes);
    const operations = writes.map((write) => {
      if ("insert" in write) return { insertOne: { document: { ...write.insert, ...this.stamped(now) } } };
      const update = { $set: { ...write.set, updatedAt: now } };
      return { updateOne: { filter: { _id: write.update, workspaceId: this.workspaceId }, update } };
    });
    const updates = writes.flatMap((write) =>
      "update" in write ? [{ filter: { _id: write.update }, change: { $set: write.set } }] : [],
    );
    const inserted = writes.flatMap((write) => ("insert" in write ? [write.insert] : []));
    // Uses the driver's own command, because casting a thousand documents costs more than storing them
    await this.counting.all(
      this.counting.affected(updates),
      inserted,
      () => this.model.collection.bulkWrite(operations as never, { ordered: false, ...sessionOption() }), // ids are texts in every model
    );
  }

  private async showAll(writes: Write<T>[]): Promise<void> {
    note(
      this,
      writes.flatMap((write) => ("insert" in write && hasId(write.insert) ? [{ _id: write.insert._id }] : [])),
    );
    await this.show({
      _id: { $in: writes.flatMap((write) => ("update" in write ? [write.update] : [])) },
      workspaceId: this.workspaceId,
    });
  }

  /**
   * Every text of an array field from `from` on, in binary order, read from the keys of the index that begins with the
   * workspace and the field. Each query skips to the first text not below `after(last)`. (A distinct command would read
   * every document, because the index is a multikey index.)
   */
  async textsOf(
    field: keyof T & string,
    hint: Record<string, 1 | -1>,
    { from = "", after = (last) => `${last}\0` }: { from?: string; after?(last: string): string } = {},
  ): Promise<string[]> {
    const { MaxKey, MinKey } = mongoose.mongo;
    const at = (value: unknown, rest: unknown) =>
      Object.fromEntries(
        Object.keys(hint).map((name) => [
          name,
          name === "workspaceId" ? this.workspaceId : name === field ? value : rest,
        ]),
      );
    const texts: string[] = [];
    for (let min = from; ; ) {
      const bounds = { min: at(min, new MaxKey()), max: at(new MaxKey(), new MinKey()) };
      const options = { hint, ...bounds, returnKey: true, limit: 1, maxTimeMS: READ_LIMIT_MS, ...sessionOption() };
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

  /**
   * The driver's own collection. It is cached, because getting it from the client each time would cost more than most
   * commands.
   */
  private get driver(): DriverCollection {
    const { conn, collectionName } = this.model.collection;
    const client = conn.getClient();
    if (this.opened?.client !== client)
      this.opened = { client, collection: client.db(conn.name).collection<Owned>(collectionName) };
    return this.opened.collection;
  }
}

function hasId(document: object): document is { _id: string } {
  return "_id" in document && typeof document._id === "string";
}

/** A read of one collection that is made together with others. `found` only declares the type of the documents. */
export interface ReadPart<T> {
  from: string;
  pipeline: object[];
  found?: T;
}

type FoundBy<P extends readonly ReadPart<unknown>[]> = { [K in keyof P]: P[K] extends ReadPart<infer T> ? T[] : never };

/**
 * Makes a look-up by `_id` use only the `_id` index. The filter also contains the workspace, so the planner would
 * otherwise consider every index that begins with the workspace.
 */
export function byId(filter: Record<string, unknown>): { hint?: { _id: 1 } } {
  return typeof filter["_id"] === "string" ? { hint: { _id: 1 } } : {};
}

/** The option that puts a command into the running transaction. */
export function sessionOption(): { session?: mongoose.ClientSession } {
  const session = currentSession();
  return session === null ? {} : { session };
}

/** Milliseconds after which a read on behalf of a caller ends (rules/limits 1.4). */
export const READ_LIMIT_MS = 2_000;
