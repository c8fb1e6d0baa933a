import type { Tag } from "./lexicon.ts";
import type { Found } from "./patterns.ts";
import type { Reading } from "./reading.ts";

/**
 * How certain a construction is by itself. A HINT asks to stop only if it is the whole text. For MAYBE a person
 * decides.
 */
export type Strength = "STRONG" | "WEAK" | "HINT" | "MAYBE";

/** A way in which a sentence asks for no more email. */
export interface Construction {
  strength: Strength;
  /** The verb or phrase that makes the request. */
  by: VerbPlace;
  /** The token of a negation that reverses it: do not remove me. */
  turnedBy: number | null;
  /** It is about writing or sending, which a day or an addressee may limit: do not write before Monday. */
  isLimitable: boolean;
  /** One word says that someone leaves a list, so even a question with that word is about the writer. */
  isLeaving: boolean;
  /** Next to it the person asks for a telephone call. */
  isCallWanted: boolean;
}

export type VerbPlace = Found<Tag>;

const VERBS: readonly Tag[] = [
  "leave",
  "remove",
  "stop",
  "contact",
  "call",
  "send",
  "receive",
  "keep",
  "stay",
  "dontWrite",
];
/** Kinds of words that may be between a verb and its negation or its object. */
const BETWEEN: readonly Tag[] = ["filler", "me", "please", "more", "mail", "things", "address", "list", "want", "days"];
/** The most words between a verb and its negation or its object. */
export const NEAR = { spaced: 7, unspaced: 14 } as const;
/** A clause that is this many words longer than a phrase still contains only the phrase. */
export const HARDLY = { spaced: 3, unspaced: 8 } as const;

export function build(by: VerbPlace, strength: Strength): Construction {
  return { strength, by, turnedBy: null, isLimitable: false, isLeaving: false, isCallWanted: false };
}

/** The strength of a request to stop, by its object: writing, these emails, or no named object. */
export function strengthOfStopping(objects: ReadonlySet<Tag>, isWholeClause: boolean): Strength | null {
  const isWriting =
    objects.has("contact") || (hasAny(objects, "send", "receive") && hasAny(objects, "mail", "things", "me", "more"));
  if (objects.has("mail") || (isWriting && hasAny(objects, "me", "things", "more", "address"))) return "STRONG";
  if (isWriting) return "WEAK";
  return isWholeClause && objects.has("things") ? "HINT" : null;
}

export function isPassable(tags: ReadonlySet<Tag>): boolean {
  const isVerb = VERBS.some((tag) => tags.has(tag)) && !hasAny(tags, "mail", "want");
  return !isVerb && BETWEEN.some((tag) => tags.has(tag));
}

export function hasAny(kinds: ReadonlySet<Tag>, ...tags: Tag[]): boolean {
  return tags.some((tag) => kinds.has(tag));
}

/** A sentence without any of these does not ask to stop. Most sentences have none. */
const NEEDED: ReadonlySet<Tag> = new Set([
  ...([
    "leave",
    "left",
    "remove",
    "removed",
    "stop",
    "not",
    "dontWrite",
    "forbid",
    "requests",
    "hints",
    "noNeed",
  ] as const),
  ...(["legal", "complaint", "why"] as const),
]);

export function mayAskToStop(reading: Reading): boolean {
  return reading.found.some(({ tag }) => NEEDED.has(tag));
}

export interface Negated {
  construction: Construction;
  /** The token of its negation; null if the verb itself is negative. */
  negation: number | null;
}
