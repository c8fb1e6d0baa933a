/**
 * What every room may know about a noun: plain data, from which `domain/nouns.ts` makes the tables of ids, errors and
 * limits. Its collection is in `models/`, its verbs in `operations/`.
 */
export interface NounFacts {
  noun: string;
  /** How its ids begin, as in `cmp_…`. Ids are data, so a prefix never changes. */
  prefix?: string;
  /** What the reference says that its id identifies, and the fields of requests and answers that contain the id. */
  id?: { readonly of: string; readonly fields: readonly string[] };
  /** The code of the answer to an id that does not exist (404), and what the reference says about that code. */
  missing?: { readonly code: `${string}_NOT_FOUND`; readonly says: string };
  /**
   * How many of it a workspace may have (rules/limits 2.3), by which name a plan may allow fewer, and how a refusal
   * names them.
   */
  limit?: { readonly name: string; readonly most: number; readonly called: string };
}
