import { isNamed } from "../domain/fold.ts";
import type { Collection } from "../mongo/collection.ts";
import type { Owned } from "../mongo/schema.ts";

/**
 * The ids of the documents of a workspace in whose texts every word of a search stands. For collections of names, which
 * are few enough to be compared one by one: a database does not ignore accents within a word.
 */
export async function findNamed<T extends Owned>(
  collection: Collection<T>,
  search: string,
  fields: readonly (keyof T & string)[],
): Promise<string[]> {
  const select = Object.fromEntries(fields.map((field) => [field, 1 as const]));
  const found = await collection.find({}, { select });
  return found
    .filter((one) =>
      isNamed(
        search,
        fields.map((field) => String(one[field] ?? "")),
      ),
    )
    .map(({ _id }) => _id);
}
