import mongoose, { type Model, Schema, type SchemaDefinitionProperty } from "mongoose";

mongoose.set("strictQuery", "throw");
mongoose.set("sanitizeFilter", true);
mongoose.set("autoIndex", false);
mongoose.set("autoCreate", false);

/** Text that may be unset. */
export const text = { type: String, default: null };
/** Text that must be set. */
export const required = { type: String, required: true };
/** An instant that may be unset. */
export const instant = { type: Date, default: null };
/** A whole number that starts at zero. */
export const counter = { type: Number, required: true, default: 0 };
/** A number that may be unset. */
export const number = { type: Number, default: null };
/** A flag that starts false. */
export const flag = { type: Boolean, required: true, default: false };
/** A list of texts. */
export const texts = { type: [String], required: true, default: [] };
/** A value whose shape is stated only in the model's TypeScript interface. */
export const mixed = { type: Schema.Types.Mixed, default: null };
/** An encrypted value, or a hash that grants access. No export of a workspace contains it (rules/evidence 1.2). */
export const secret = { ...mixed, isSecret: true };

/** One of a set of words. `first` is the default; without it the default is null. */
export function oneOf(values: readonly string[], first: string | null = null): SchemaDefinitionProperty {
  return first === null
    ? { type: String, enum: [...values, null], default: null }
    : { type: String, enum: values, required: true, default: first };
}

/** The fields of every document. */
export interface Base {
  _id: string;
  createdAt: Date;
  updatedAt: Date;
  /** Counts the writes that only cause a conflict (`Direct.touch`); absent before the first. */
  touches?: number;
}

/** The fields of every document that belongs to a workspace. */
export interface Owned extends Base {
  workspaceId: string;
}

/** Exactly one schema entry for each field of the TypeScript interface. */
type Definition<T extends Base, Given extends keyof T = keyof Base> = {
  [K in Exclude<keyof T, Given>]-?: SchemaDefinitionProperty;
};

const options = {
  strict: "throw",
  timestamps: true,
  versionKey: false,
  minimize: false,
  id: false,
  _id: false,
} as const;

/**
 * Filters of partial indexes. The query planner recognises that `$gt` covers an equality, but not that `$type` does.
 */
export const IS_TEXT = { $gt: "" } as const;
export const IS_INSTANT = { $gt: new Date(0) } as const;
export const IS_COUNT = { $gte: 0 } as const;

export interface Index {
  fields: Record<string, 1 | -1 | "text">;
  unique?: true;
  /** Needed when two indexes have the same fields and differ only in `where`. */
  name?: string;
  /** Only documents that match this filter are in the index. */
  where?: Record<string, unknown>;
  /** Documents are deleted this many seconds after the instant in the index's one field. */
  expireAfterSeconds?: number;
}

/** A collection that belongs to the whole deployment. */
export function globalModel<T extends Base>(
  modelName: string,
  collection: string,
  definition: Definition<T>,
  indexes: Index[] = [],
): Model<T> {
  return register<T>(
    modelName,
    collection,
    new Schema({ _id: required, touches: Number, ...definition }, options),
    indexes,
  );
}

/**
 * A collection whose documents belong to a workspace. A command without a workspace filter is refused, in production
 * too, whichever code issued it. Background tasks that read all workspaces pass `acrossWorkspaces`.
 */
export function tenantModel<T extends Owned>(
  modelName: string,
  collection: string,
  definition: Definition<T, keyof Owned>,
  indexes: Index[] = [],
): Model<T> {
  const schema = new Schema({ _id: required, workspaceId: required, touches: Number, ...definition }, options);
  schema.pre([...GUARDED], function (this: mongoose.Query<unknown, unknown>) {
    if (this.getOptions()["acrossWorkspaces"] !== true && typeof this.getFilter()["workspaceId"] !== "string") {
      throw new Error(`A command on ${modelName} without a workspace`);
    }
  });
  schema.pre("aggregate", function (this: mongoose.Aggregate<unknown>) {
    const [first] = this.pipeline();
    const match: Record<string, unknown> = first !== undefined && "$match" in first ? first.$match : {};
    if (this.options["acrossWorkspaces"] !== true && typeof match["workspaceId"] !== "string") {
      throw new Error(`An aggregation on ${modelName} without a workspace`);
    }
  });
  return register<T>(modelName, collection, schema, indexes);
}

const GUARDED = [
  "find",
  "findOne",
  "findOneAndUpdate",
  "findOneAndDelete",
  "updateOne",
  "updateMany",
  "deleteOne",
  "deleteMany",
  "countDocuments",
  "distinct",
] as const;

/** The top-level field names of a model's documents, without secrets and without `touches`. */
export function openFieldsOf<T>({ schema }: Model<T>): string[] {
  const open = Object.entries(schema.paths).filter(
    ([path, { options }]) => path !== "touches" && Reflect.get(options, "isSecret") !== true,
  );
  return [...new Set(open.map(([path]) => path.split(".")[0] ?? path))];
}

/** The index that every collection has on `_id`. */
const ID_INDEX = "_id_";

/**
 * The index that finds the documents of a workspace sorted by id. A model without such an index uses the index on
 * `_id`.
 */
export function idIndexOf<T>({ schema }: Model<T>): string {
  const isInOrder = ([fields, { partialFilterExpression }]: [
    Record<string, unknown>,
    { partialFilterExpression?: unknown },
  ]) => Object.keys(fields).join() === "workspaceId,_id" && partialFilterExpression === undefined;
  const found = schema.indexes().find(isInOrder);
  return found === undefined ? ID_INDEX : indexNameOf(found[0]);
}

/** An index that contains every document and begins with the workspace; null where the model has none. */
export function workspaceIndexOf<T>({ schema }: Model<T>): string | null {
  const found = schema.indexes().find(([fields, options]) => {
    return Object.keys(fields)[0] === "workspaceId" && options.partialFilterExpression === undefined;
  });
  if (found === undefined) return null;
  const [fields, { name }] = found;
  return typeof name === "string" ? name : indexNameOf(fields);
}

function indexNameOf(fields: object): string {
  return Object.entries(fields)
    .map(([name, order]) => `${name}_${order}`)
    .join("_");
}

function register<T>(modelName: string, collection: string, schema: Schema, indexes: Index[]): Model<T> {
  for (const { fields, unique, name, where, expireAfterSeconds } of indexes) {
    schema.index(fields, {
      ...(unique && { unique }),
      ...(name !== undefined && { name }),
      ...(where && { partialFilterExpression: where }),
      ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
    });
  }
  return mongoose.model<T>(modelName, schema as unknown as Schema<T>, collection); // mongoose cannot infer T from a loose definition
}
