import type { z } from "zod";
import type { Context } from "../context.ts";
import type { Effect } from "./plan.ts";

type Shown = z.output<typeof Effect>;

/** The kinds of workspace data that concern people. */
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
/** Effects on people whom the call does not name. */
const ON_PEOPLE: ReadonlySet<Shown["kind"]> = new Set(["LAUNCH", "RESUME", "CHANGE"]);

/** Returns true when the effect concerns people whom this credential may not see. */
export function isOnUnseen({ scopes }: Pick<Context, "scopes">, { kind }: Shown): boolean {
  return ON_PEOPLE.has(kind) && !scopes.has("leads:read");
}

/**
 * The effect of a launch or change, limited to what a credential may see. Without the scope to read leads, it contains
 * how many people it concerns, but not who they are or what they receive.
 */
export function seenBy(ctx: Pick<Context, "scopes">, effect: Shown): Shown {
  if (!isOnUnseen(ctx, effect)) return effect;
  const changes = effect.changes.map((change) => (OF_PEOPLE.has(change.what) ? { ...change, examples: [] } : change));
  const validation = effect.validation === null ? null : withoutSamples(effect.validation);
  const edit = effect.edit === null ? null : { ...effect.edit, samples: [] };
  return { ...effect, changes, validation, edit, recipients: [], texts: [], differences: [] };
}

/** Removes the sample of recipients that each warning contains. */
function withoutSamples(validation: NonNullable<Shown["validation"]>): NonNullable<Shown["validation"]> {
  const warnings = validation.warnings.map(({ details: { sample: _, ...details }, ...warning }) => ({
    ...warning,
    details,
  }));
  return { ...validation, warnings };
}
