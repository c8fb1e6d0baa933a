import mongoose, { type PipelineStage, type QueryFilter, type UpdateQuery } from "mongoose";
import { AT_ONCE, byId, Direct, type FindOptions, type New, READ_LIMIT_MS, sessionOption } from "./direct.ts";
import type { Owned } from "./schema.ts";
import { currentSession } from "./transaction.ts";
import { isWatched, MOST_WATCHED, note } from "./witness.ts";

/** Marks the operators that our own code puts into a filter. A value from a caller is always compared as a value. */
export const trusted = mongoose.trusted;

/** This type checks the field names; `strictQuery` and `sanitizeFilter` check the values. */
export type Filter<T> = { [K in keyof T]?: unknown } & {
  $or?: Filter<T>[];
  $and?: Filter<T>[];
  [path: `${string}.${string}`]: unknown;
};
type Fields<T> = { [K in keyof T]?: unknown } & { [path: `${string}.${string}`]: unknown };
export type DocumentChange<T> =
  | {
      [operator in
        | "$set"
        | "$inc"
        | "$unset"
        | "$setOnInsert"
        | "$push"
        | "$pull"
        | "$addToSet"
        | "$max"
        | "$min"]?: Fields<T>;
    }
  | PipelineStage[];
/**
 * One collection, limited to one workspace. Every command is filtered by the workspace and joins the running
 * transaction.
 */
export class Collection<T extends Owned> extends Direct<T> {
  find(filter: Filter<T> = {}, options: FindOptions = {}): Promise<T[]> {
    return this.query(filter, options).lean<T[]>().exec();
  }

  /** Reads documents one by one, without holding all of them in memory. */
  stream(filter: Filter<T> = {}, options: FindOptions = {}): AsyncIterable<T> {
    return this.query(filter, options).lean<T>().cursor() as AsyncIterable<T>; // lean cursors are typed as hydrated documents
  }

  findOne(filter: Filter<T>, { sort, select }: Pick<FindOptions, "sort" | "select"> = {}): Promise<T | null> {
    return this.model
      .findOne(this.own(filter), select ?? null, { ...(sort && { sort }), ...byId(filter), ...sessionOption() })
      .lean<T>()
      .exec();
  }

  /** Returns the document after the change; null when nothing matched and nothing was inserted. */
  findOneAndUpdate(
    filter: Filter<T>,
    change: DocumentChange<T>,
    options: { upsert?: boolean; sort?: Record<string, 1 | -1> } = {},
  ): Promise<T | null> {
    return this.changed(filter, change, { ...options, returnDocument: "after" });
  }

  /** Like `findOneAndUpdate`, but returns the document as it was before the change; null when nothing matched. */
  findBeforeUpdate(
    filter: Filter<T>,
    change: DocumentChange<T>,
    options: { upsert?: boolean } = {},
  ): Promise<T | null> {
    return this.changed(filter, change, { ...options, returnDocument: "before" });
  }

  private async changed(
    filter: Filter<T>,
    change: DocumentChange<T>,
    options: { upsert?: boolean; sort?: Record<string, 1 | -1>; returnDocument: "before" | "after" },
  ): Promise<T | null> {
    await this.look(filter);
    const write = () =>
      this.model
        .findOneAndUpdate(this.own(filter), change as UpdateQuery<Owned>, {
          ...options,
          setDefaultsOnInsert: true,
          ...byId(filter),
          ...sessionOption(),
          ...(Array.isArray(change) && { updatePipeline: true }),
        })
        .lean<T>()
        .exec();
    if (options.returnDocument === "after") return this.counting.one(filter, change, write);
    if (options.upsert) return this.counting.all(this.counting.affected([{ filter, change }]), [], write);
    return this.counting.fromBefore(filter, change, write);
  }

  /** Returns how many documents matched. */
  async updateOne(filter: Filter<T>, change: DocumentChange<T>, options: { upsert?: boolean } = {}): Promise<number> {
    const pipeline = Array.isArray(change) ? { updatePipeline: true } : {};
    const affected = this.counting.affected([{ filter, change }]);
    if (affected.length > 0 && !options.upsert) return Number((await this.findBeforeUpdate(filter, change)) !== null);
    await this.look(filter);
    const write = () =>
      this.model.updateOne(this.own(filter), change as UpdateQuery<Owned>, {
        ...options,
        ...pipeline,
        ...sessionOption(),
      });
    return (await this.counting.all(affected, [], async () => write())).matchedCount;
  }

  /** Returns how many documents changed. */
  async updateMany(filter: Filter<T>, change: DocumentChange<T>): Promise<number> {
    const pipeline = Array.isArray(change) ? { updatePipeline: true } : {};
    await this.look(filter);
    const write = () =>
      this.model.updateMany(this.own(filter), change as UpdateQuery<Owned>, { ...pipeline, ...sessionOption() });
    return (await this.counting.all(this.counting.affected([{ filter, change }]), [], async () => write()))
      .modifiedCount;
  }

  /** Builds a document as `insert` would store it, with the defaults of its schema, without writing it. */
  draft(fields: New<T>): T {
    return new this.model({ ...fields, workspaceId: this.workspaceId }).toObject() as unknown as T; // as in insertMany
  }

  async insert(fields: New<T>): Promise<T> {
    const [stored] = await this.insertMany([fields]);
    if (stored === undefined) throw new Error(`Nothing was inserted into ${this.model.modelName}`);
    return stored;
  }

  async insertMany(rows: New<T>[]): Promise<T[]> {
    const documents = rows.map((row) => ({ ...row, workspaceId: this.workspaceId }));
    note(
      this,
      rows.map(({ _id }) => ({ _id })),
    );
    const stored = await this.counting.all([], documents, () => this.model.insertMany(documents, sessionOption()));
    return stored.map((document) => document.toObject() as unknown as T); // toObject loses the stored type
  }

  /** A deletion changes no count: counted documents are only deleted together with their workspace. */
  async deleteOne(filter: Filter<T>): Promise<number> {
    await this.look(filter);
    return (await this.model.deleteOne(this.own(filter), sessionOption())).deletedCount;
  }

  async deleteMany(filter: Filter<T>): Promise<number> {
    await this.look(filter);
    return (await this.model.deleteMany(this.own(filter), sessionOption())).deletedCount;
  }

  count(
    filter: Filter<T> = {},
    { hint, limit, maxTimeMs = READ_LIMIT_MS }: Omit<FindOptions, "sort" | "select"> = {},
  ): Promise<number> {
    const by = { ...(hint !== undefined && { hint }), ...(limit !== undefined && { limit }) };
    return this.model.countDocuments(this.own(filter), { ...by, ...sessionOption(), maxTimeMS: maxTimeMs }).exec();
  }

  aggregate<R>(match: Record<string, unknown>, ...stages: PipelineStage[]): Promise<R[]> {
    return this.aggregateWithin(READ_LIMIT_MS, match, ...stages);
  }

  /** Like `aggregate`, with its own time limit. */
  aggregateWithin<R>(maxTimeMs: number, match: Record<string, unknown>, ...stages: PipelineStage[]): Promise<R[]> {
    const first: PipelineStage = { $match: { workspaceId: this.workspaceId, ...match } };
    return this.model
      .aggregate<R>([first, ...stages])
      .option({ maxTimeMS: maxTimeMs, batchSize: AT_ONCE })
      .session(currentSession())
      .exec();
  }

  /**
   * Like `aggregate`, but returns results one at a time and has its own time limit, for work that takes longer than a
   * caller would wait. Runs outside of any transaction.
   */
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
        // The batch size here applies to the batches after the first. Without it they would take up to 16 MB each
        .option({ maxTimeMS: maxTimeMs, batchSize, ...(hint !== undefined && { hint }) })
        .cursor({ batchSize })
    );
  }

  /** Reports the documents that a write is about to change to the watcher, if there is one. */
  private async look(filter: Filter<T>): Promise<void> {
    if (!isWatched()) return;
    note(this, await this.find(filter, { limit: MOST_WATCHED }));
    if (typeof filter._id === "string") note(this, [{ _id: filter._id }]); // it may be inserted
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
      batchSize: AT_ONCE,
      maxTimeMS: maxTimeMs,
      ...sessionOption(),
    });
  }
}
