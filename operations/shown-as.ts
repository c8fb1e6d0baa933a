import type { z } from "zod";

const shown = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * The schema by which the reference describes `schema`: for what a verb reads in two steps, or in a notation that a
 * schema cannot say.
 */
export function shownAs<T extends z.ZodType>(schema: T, as: z.ZodType): T {
  shown.set(schema, as);
  return schema;
}

/** The schema that the reference shows in place of this one, with or without a new description; undefined: this one. */
export function shownFor(schema: z.core.$ZodType): z.ZodType | undefined {
  const { parent } = schema._zod;
  return shown.get(schema) ?? (parent === undefined ? undefined : shownFor(parent));
}
