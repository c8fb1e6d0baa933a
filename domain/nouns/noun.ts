/**
 * The facts about a kind of object (noun) that every part of the code may use: plain data, from which `domain/nouns.ts`
 * makes the tables of ids, errors and limits. The object's collection is in `models/`, its operations are in
 * `operations/`.
 */
export interface NounFacts {
  noun: string;
  /** The prefix of its ids, as in `cmp_…`. Ids are stored, so a prefix never changes. */
  prefix?: string;
  /**
   * What the id identifies, as text for the API reference, and the fields of requests and responses that contain the
   * id.
   */
  id?: { readonly of: string; readonly fields: readonly string[] };
  /** The error code for an id that does not exist (404), and the text about that code in the API reference. */
  missing?: { readonly code: `${string}_NOT_FOUND`; readonly says: string };
  /**
   * The most objects of this kind in a workspace (rules/limits 2.3), the name of this limit in plans, which may allow
   * fewer, and the name of the objects in error messages.
   */
  limit?: { readonly name: string; readonly most: number; readonly called: string };
}
