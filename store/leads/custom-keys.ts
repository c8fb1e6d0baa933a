import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

/** The maximum number of keys that are looked up. In a workspace with more keys, every name is accepted. */
const MOST = 1_000;
const INDEX = "workspaceId_1_facets_1";
const PREFIX = "customFields.";

/**
 * The custom field keys that the workspace uses: those of declared fields, including archived ones, and those of any
 * lead. Null when there are too many. The leads are not read one by one; instead, the index over their facets returns
 * the first facet of each key.
 */
export async function findCustomKeys(workspaceId: string): Promise<string[] | null> {
  const { CustomField, Lead } = scoped(workspaceId);
  const declared = await CustomField.find({}, { select: { key: 1 } });
  const keys = new Set(declared.map(({ key }) => key));
  for (let from = PREFIX; keys.size <= MOST; ) {
    // "/" sorts directly after the full stop of the prefix
    const range = { facets: trusted({ $elemMatch: { $gte: from, $lt: "customFields/" } }) };
    const [lead] = await Lead.find(range, { limit: 1, select: { facets: 1 }, hint: INDEX });
    const facet = lead?.facets.filter((text) => text >= from && text.startsWith(PREFIX)).sort()[0];
    if (facet === undefined) return [...keys];
    const key = facet.slice(PREFIX.length, facet.indexOf("\0"));
    keys.add(key);
    from = `${PREFIX}${key}\x01`;
  }
  return null;
}
