import { z } from "zod";

/** Unique fields, whose indexes therefore do not end with the id. */
const UNIQUE = ["_id", "email", "version"];

/** The sort order of a list; ties are sorted by id in the same direction. */
export type SortOrder = Readonly<Record<string, 1 | -1>>;

export interface Sorting {
  /** The field `sort` of the request. */
  sort: z.ZodDefault<z.ZodEnum<Record<string, string>>>;
  orderOf(sort: string): SortOrder;
}

/**
 * Creates the sort orders of a list from the names that a caller can sort by and the stored field of each; `-` before a
 * name means descending (rules/limits 2.4). `createdAt` sorts by id, because ids begin with the time of creation.
 */
export function sorting(fields: Readonly<Record<string, string>>, usual: string): Sorting {
  const names = Object.keys(fields).flatMap((name) => [name, `-${name}`]);
  return {
    sort: z
      .enum(Object.fromEntries(names.map((name) => [name, name])))
      .default(usual)
      .describe(`The order: ${Object.keys(fields).join(", ")}, with \`-\` before it descending. Default ${usual}`),
    orderOf(sort) {
      const direction = sort.startsWith("-") ? -1 : 1;
      const field = fields[sort.replace("-", "")] ?? "_id";
      return { [field]: direction, ...(!UNIQUE.includes(field) && { _id: direction }) };
    },
  };
}

/** The sort order of lists that only sort by creation time. */
export const BY_CREATION = sorting({ createdAt: "_id" }, "-createdAt");
