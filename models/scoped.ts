import type { Model } from "mongoose";
import { Collection } from "../mongo/collection.ts";
import { idIndexOf, type Owned, openFieldsOf, workspaceIndexOf } from "../mongo/schema.ts";
import { CAMPAIGN_TALLIES } from "./campaigns/campaign-tallies.ts";
import * as models from "./workspaced.ts";

type Documents<M> = M extends Model<infer T> ? ([T] extends [Owned] ? Collection<T> : never) : never; // A union is one collection
export type Workspaced = { readonly [K in keyof typeof models]: Documents<(typeof models)[K]> };

/** The collections of one workspace. Code outside of `models/` reaches a tenant's documents only through them. */
export function scoped(workspaceId: string): Workspaced {
  const seen = views.get(workspaceId);
  if (seen !== undefined) return seen;
  const entries = Object.entries(models).map(([name, model]) => [
    name,
    new Collection(model as unknown as Model<Owned>, workspaceId, CAMPAIGN_TALLIES[name] ?? null),
  ]);
  const view = Object.freeze(Object.fromEntries(entries)) as Workspaced; // built from the same keys
  if (views.size > 1_000) views.clear();
  views.set(workspaceId, view);
  return view;
}

const views = new Map<string, Workspaced>();

/** A collection with documents of workspaces: which fields to read, and which index sorts its documents by id. */
export interface CollectionShape {
  model: keyof Workspaced;
  collection: string;
  fields: readonly string[];
  idIndex: string;
  /**
   * The index that finds all documents of one workspace in any order, for collections whose `idIndex` spans all
   * workspaces. Null where there is no better index.
   */
  workspaceIndex: string | null;
}

/** Describes every collection that `scoped` offers, sorted by name, each with the fields that are not secret. */
export function describeCollections(): CollectionShape[] {
  const entries = Object.entries(models) as unknown as [keyof Workspaced, Model<Owned>][]; // Only fields of all models are read
  const shapes = entries.map(([name, model]) => {
    const indexes = { idIndex: idIndexOf(model), workspaceIndex: workspaceIndexOf(model) };
    return { model: name, collection: model.collection.name, fields: openFieldsOf(model), ...indexes };
  });
  return shapes.sort((one, other) => (one.collection < other.collection ? -1 : 1));
}
