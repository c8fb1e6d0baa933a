import type { OutgoingFile } from "../../../domain/mail/outgoing-file.ts";
import type { SequenceMode, Step as StoredStep, Variant as StoredVariant } from "../../../domain/sequences/sequence.ts";

/** Steps and variants as the API answers them, without the types of the API, so that tests need no browser. */
export type Step = Omit<StoredStep, "variants" | "winner"> & { variants: Variant[]; winner: Record<string, unknown> };
export type Variant = Omit<StoredVariant, "attachments"> & {
  attachments: Pick<OutgoingFile, "id" | "fileName" | "contentType" | "size">[];
};

/** A sequence as the server has it. */
export interface Stored {
  version: number;
  mode: SequenceMode;
  steps: readonly Step[];
}

/** What a person edits, and the version of the server that it began from. */
export interface Draft {
  base: Stored;
  steps: readonly Step[];
  /** The steps of each save that is under way or whose answer is missing. The server may have stored one of them. */
  sends: readonly (readonly Step[])[];
  /** The version of another author that conflicts with these changes; null without one. */
  conflict: Stored | null;
  /** The temporary ids of steps and variants that have got an id of the server since, so that their fields stay. */
  formerIds: ReadonlyMap<string, string>;
  /** Grows when other steps replace those that a person sees, so that every field shows the new value. */
  replacements: number;
}

export function draftOf(base: Stored): Draft {
  return { base, steps: base.steps, sends: [], conflict: null, formerIds: new Map(), replacements: 0 };
}

/** Identifies the fields of a step or variant, also after it got another id. */
export function keyOf({ formerIds }: Pick<Draft, "formerIds">, id: string): string {
  return formerIds.get(id) ?? id;
}

/** Earlier steps of the draft with the ids that their steps and variants have now. */
export function withPresentIds({ formerIds }: Pick<Draft, "formerIds">, earlier: readonly Step[]): Step[] {
  const present = new Map([...formerIds].map(([id, former]) => [former, id]));
  for (const [id, former] of formerIds) present.set(id, present.get(former) ?? id);
  return renamed(earlier, present);
}

export function hasChanges({ base, steps }: Draft): boolean {
  return !isSame(base.steps, steps);
}

/** Whether two versions say the same. Blank and missing texts are the same, and the order of fields does not matter. */
function isSame(one: readonly Step[], other: readonly Step[]): boolean {
  return one.length === other.length && one.every((step, index) => isSameStep(step, other[index]));
}

export function isSameStep(one: Step, other: Step | undefined): boolean {
  return other !== undefined && isSameValue(one, other);
}

/** Whether two parts of steps say the same. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return one === other || canonical(one) === canonical(other);
}

function canonical(part: unknown): string {
  return JSON.stringify([part], (name, value: unknown) => {
    if (name === "order" || value === null) return undefined;
    if (typeof value === "string") return value.trim() === "" ? undefined : value;
    if (typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** The draft after the server answered with its present sequence. */
export function withNews(draft: Draft, stored: Stored): Draft {
  const { base, steps, sends } = draft;
  if (stored.version <= base.version) return draft;
  if (isSame(stored.steps, base.steps)) return { ...draft, base: stored, conflict: null };
  // A save whose answer was lost. What was withdrawn since then stays withdrawn
  const sent = [steps, ...sends].find((one) => isSame(renamed(one, namesBetween(one, stored.steps)), stored.steps));
  if (sent !== undefined) return withAnswer(draft, stored, sent);
  if (!hasChanges(draft)) return withSteps({ ...draft, base: stored, sends: [], conflict: null }, stored.steps);
  return { ...draft, conflict: stored };
}

/** Saves without an answer that a draft remembers. While the service is away, every pause in typing sends one. */
const MAX_SENDS = 5;

/** The draft while `sent` is being saved. The first saves stay known, because they have most probably arrived. */
export function withSend(draft: Draft, sent: readonly Step[]): Draft {
  const others = draft.sends.filter((one) => one !== sent);
  return { ...draft, sends: [...others.slice(0, MAX_SENDS - 1), sent] };
}

/** The draft after `sent` was saved. What was typed since then stays. */
export function withAnswer(draft: Draft, stored: Stored, sent: readonly Step[]): Draft {
  const { steps, formerIds } = draft;
  const names = namesBetween(sent, stored.steps);
  const saved = new Map(renamed(sent, names).map((step) => [step.stepId, step]));
  const answered = new Map(stored.steps.map((step) => [step.stepId, step]));
  const merged = renamed(steps, names).map((step) => {
    const [was, now] = [saved.get(step.stepId), answered.get(step.stepId)];
    return was !== undefined && now !== undefined && isSameStep(was, step) ? withBlanks(now, step) : step;
  });
  const kept = new Map(formerIds);
  for (const [name, id] of names) if (name !== id) kept.set(id, keyOf(draft, name));
  return { ...draft, base: stored, steps: merged, sends: [], conflict: null, formerIds: kept };
}

/** The draft that replaces the version of the other person. */
export function withOwnVersion(draft: Draft): Draft {
  return draft.conflict === null ? draft : { ...draft, base: draft.conflict, sends: [], conflict: null };
}

/** The draft without the person's own changes. */
export function withoutChanges(draft: Draft): Draft {
  const base = draft.conflict ?? draft.base;
  return withSteps({ ...draft, base, sends: [], conflict: null }, base.steps);
}

/** The draft with other steps than those that a person sees. */
export function withSteps(draft: Draft, steps: readonly Step[]): Draft {
  return { ...draft, steps, replacements: draft.replacements + 1 };
}

/** Blank lines that a person has typed stay in the field, although the server stores no text for them. */
function withBlanks(answered: Step, typed: Step): Step {
  const variants = answered.variants.map((variant, index) => {
    const { subject = null, bodyHtml = null, bodyText = null } = typed.variants[index] ?? {};
    return {
      ...variant,
      subject: variant.subject ?? subject,
      bodyHtml: variant.bodyHtml ?? bodyHtml,
      bodyText: variant.bodyText ?? bodyText,
    };
  });
  const blanks = Object.entries(typed.config).filter(([, text]) => typeof text === "string" && text.trim() === "");
  return { ...answered, config: { ...answered.config, ...Object.fromEntries(blanks) }, variants };
}

/** The id of the server for each id in `sent`. The server keeps the order. */
function namesBetween(sent: readonly Step[], stored: readonly Step[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const [index, { stepId, variants }] of sent.entries()) {
    const answered = stored[index];
    if (answered === undefined) continue;
    names.set(stepId, answered.stepId);
    for (const [at, { variantId }] of variants.entries())
      names.set(variantId, answered.variants[at]?.variantId ?? variantId);
  }
  return names;
}

function renamed(steps: readonly Step[], names: ReadonlyMap<string, string>): Step[] {
  const now = (id: unknown) => (typeof id === "string" ? (names.get(id) ?? id) : id);
  const nameOf = (id: string) => names.get(id) ?? id;
  return steps.map((step) => {
    const ids = [step.stepId, ...step.variants.map(({ variantId }) => variantId)];
    const isKept = step.conditions.length === 0 && ids.every((id) => nameOf(id) === id);
    if (isKept) return step;
    return {
      ...step,
      stepId: nameOf(step.stepId),
      variants: step.variants.map((variant) => ({ ...variant, variantId: nameOf(variant.variantId) })),
      conditions: step.conditions.map((condition) => ({
        ...condition,
        nextStepId: now(condition["nextStepId"]),
        ...("ofStepId" in condition && { ofStepId: now(condition["ofStepId"]) }),
      })),
      winner: { ...step.winner, winnerVariantId: now(step.winner["winnerVariantId"]) },
    };
  });
}
