import type { LeadContent } from "../../domain/leads/lead.ts";
import type { Lead } from "../../models/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { forgetTotals } from "./count-cache.ts";

/** The outcome for one lead: done, or refused with a code and a sentence. */
export type Done = { changed: boolean; error: null } | { changed: false; error: { code: string; message: string } };
export const DONE: Done = { changed: true, error: null };
export const UNCHANGED: Done = { changed: false, error: null };

/**
 * Changes leads page by page, each page in a transaction; returns after the last. `change` gets the leads as they are, and returns outcomes
 * by their ids.
 */
export async function forEachLead(
  workspaceId: string,
  ids: readonly string[],
  pageSize: number,
  change: (leads: Lead[]) => Promise<Map<string, Done>>,
) {
  const wanted = [...new Set(ids)];
  const all = new Map<string, Done>();
  for (let start = 0; start < wanted.length; start += pageSize) {
    const page = wanted.slice(start, start + pageSize);
    const done = await inTransaction(async () => change(await scoped(workspaceId).Lead.find({ _id: trusted({ $in: page }) })));
    for (const [id, result] of done) all.set(id, result);
  }
  forgetTotals(workspaceId);
  return {
    matched: all.size,
    changed: [...all.values()].filter(({ changed }) => changed).length,
    notFound: wanted.filter((id) => !all.has(id)),
    items: wanted.flatMap((id) => {
      const done = all.get(id);
      return done === undefined ? [] : [{ id, ok: done.error === null, error: done.error }];
    }),
  };
}

/** The changed fields as the history names them, without those that only the service uses. */
export function namesOf(changes: Partial<LeadContent>): string[] {
  const inside = new Set(["searchWords", "facets"]);
  return Object.keys(changes).filter((field) => !inside.has(field));
}
