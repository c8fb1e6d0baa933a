import { z } from "zod";

const shown = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Registers `as` as the schema that the reference shows in place of `schema`: for input that is parsed in two steps, or
 * in a notation that JSON schema cannot express.
 */
export function shownAs<T extends z.ZodType>(schema: T, as: z.ZodType): T {
  shown.set(schema, as);
  return schema;
}

/**
 * The schema that the reference shows in place of this one, also after a new description; undefined for this schema
 * itself.
 */
export function shownFor(schema: z.core.$ZodType): z.ZodType | undefined {
  const { parent } = schema._zod;
  return shown.get(schema) ?? (parent === undefined ? undefined : shownFor(parent));
}

/**
 * The JSON schema of a schema. Parts that the reference shows as another schema are converted by `shownPart`, and keep
 * their description.
 */
export function jsonSchemaOf(
  schema: z.core.$ZodType,
  io: "input" | "output",
  shownPart: (as: z.ZodType) => Record<string, unknown>,
) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
    override: ({ zodSchema, jsonSchema }) => {
      const as = shownFor(zodSchema);
      if (as === undefined) return;
      const { description } = jsonSchema;
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      Object.assign(jsonSchema, shownPart(as), description !== undefined && { description });
    },
  });
  return rest;
}
