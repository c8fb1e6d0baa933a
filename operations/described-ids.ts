import { z } from "zod";
import { nouns, recordOf } from "../domain/nouns.ts";

/** Each field that holds an id, as its noun in `domain/nouns/` describes it. */
export const describedIds = recordOf(nouns.flatMap((noun) => ("id" in noun ? idsOf(noun.id.fields, noun.id.of, noun.prefix) : [])));

/** An id in a request or an answer: opaque, with a prefix that tells its kind. */
function idsOf<Field extends string>(fields: readonly Field[], kind: string, prefix: string) {
  return fields.map((field) => [field, z.string().max(64).describe(`The id of ${kind}: \`${prefix}_…\``)] as const);
}
