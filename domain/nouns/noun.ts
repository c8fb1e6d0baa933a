/**
 * What every room may know of a noun: plain data, from which `domain/nouns.ts` makes the tables of ids, errors and
 * limits. Its collection stands in `models/`, its verbs in `operations/`.
 */
export interface NounFacts {
  noun: string;
  /** What its ids begin with, as in `cmp_…`. Ids are data, so a prefix never changes. */
  prefix?: string;
  /** What the reference says that its id is the id of, and the fields of requests and answers that hold it. */
  id?: { readonly of: string; readonly fields: readonly string[] };
  /** The code with which an id that names none is answered (404), and what the reference says of that code. */
  missing?: { readonly code: `${string}_NOT_FOUND`; readonly says: string };
  /**
   * How many of it a workspace may have (rules/limits 2.3), under which name a plan may allow fewer, and what a refusal
   * calls them.
   */
  limit?: { readonly name: string; readonly most: number; readonly called: string };
}
