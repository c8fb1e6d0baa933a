import { Hit } from "../../models/hit.ts";
import { DUPLICATE_KEY } from "../../mongo/duplicate.ts";

/**
 * Stores hits of any workspaces in one command, in any order. Rows that an earlier try has stored are left as they are, so it may be called
 * again with the same rows. Returns the rows that the database refuses for good.
 * @throws when the database does not answer: then any of the rows may be missing
 */
export async function insertHits(rows: readonly Hit[]): Promise<Hit[]> {
  try {
    // The driver's own command, because casting costs more than storing; every field is named, and no value is a caller's but as text
    await Hit.collection.insertMany([...rows] as never, { ordered: false }); // ids are texts in every model
    return [];
  } catch (error) {
    const refusals = refusalsIn(error);
    if (refusals === null) throw error;
    return refusals.flatMap(({ code, index }) => rows.filter((_row, at) => at === index && code !== DUPLICATE_KEY));
  }
}

/** What a bulk write was refused row by row; null for any other fault. */
function refusalsIn(error: unknown): { code: number; index: number }[] | null {
  if (!(error instanceof Error) || !("writeErrors" in error) || !Array.isArray(error.writeErrors) || error.writeErrors.length === 0)
    return null;
  if ("writeConcernErrors" in error && Array.isArray(error.writeConcernErrors) && error.writeConcernErrors.length > 0) return null;
  return error.writeErrors.map(({ code, index }) => ({ code: Number(code), index: Number(index) }));
}
