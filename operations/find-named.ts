import { isNamed } from "../domain/fold.ts";
import type { Collection } from "../mongo/collection.ts";
import type { Owned } from "../mongo/schema.ts";

/**
 * Finds the documents of a workspace whose fields contain every word of a search, and returns their ids. It compares
 * them one by one, because the database cannot ignore accents inside words, so it is only for small collections.
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
