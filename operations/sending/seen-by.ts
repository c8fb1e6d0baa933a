import type { z } from "zod";
import type { Context } from "../context.ts";
import type { Effect } from "./plan.ts";

type Shown = z.output<typeof Effect>;

/** What of a workspace is about people. */
const OF_PEOPLE = new Set([
  "leads",
  "recipients",
  "rows",
  "notes",
  "messages",
  "threads",
  "drafts",
  "deals",
  "emails",
  "block list entries",
]);

/**
 * The effect of a change as its asker may see it: a credential that may not read leads sees how many people it concerns, and not who they
 * are or what is written to them.
 */
export function seenBy({ scopes }: Context, effect: Shown): Shown {
  if (effect.kind !== "CHANGE" || scopes.has("leads:read")) return effect;
  const changes = effect.changes.map((change) => (OF_PEOPLE.has(change.what) ? { ...change, examples: [] } : change));
  return { ...effect, changes, recipients: [], texts: [], differences: [] };
}
