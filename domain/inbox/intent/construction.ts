import type { Tag } from "./lexicon.ts";
import type { Found } from "./patterns.ts";
import type { Reading } from "./reading.ts";

/**
 * How clearly a construction asks for no more email, from STRONG to WEAK. A HINT asks only if the text says nothing
 * else. For MAYBE a person decides.
 */
export type Strength = "STRONG" | "WEAK" | "HINT" | "MAYBE";

/** A phrase in a sentence that asks for no more email. */
export interface Construction {
  strength: Strength;
  /** The verb or phrase that makes the request. */
  by: VerbPlace;
  /** The position of a negation that reverses the request, as in "do not remove me"; null if there is none. */
  turnedBy: number | null;
  /**
   * Whether the request is about writing or sending. Such a request may be limited to a time or an addressee: "do not
   * write before Monday".
   */
  isLimitable: boolean;
  /**
   * Whether the verb means leaving a list, such as "unsubscribe". Even a question with it is about the writer's own
   * subscription.
   */
  isLeaving: boolean;
  /** Whether the same sentence asks for a telephone call. */
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
/** The kinds of words that may be between a verb and its negation or its object. */
const BETWEEN: readonly Tag[] = ["filler", "me", "please", "more", "mail", "things", "address", "list", "want", "days"];
/** The most words between a verb and its negation or its object. */
export const NEAR = { spaced: 7, unspaced: 14 } as const;
/** A clause with at most this many words besides a phrase counts as the phrase alone. */
export const HARDLY = { spaced: 3, unspaced: 8 } as const;

export function build(by: VerbPlace, strength: Strength): Construction {
  return { strength, by, turnedBy: null, isLimitable: false, isLeaving: false, isCallWanted: false };
}

/**
 * The strength of a request to stop something: strong for emails or for writing to the person, weak for writing alone,
 * and a hint if the clause does not name the object. Null for anything else.
 */
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

/** A sentence without a word of these kinds does not ask to stop. Most sentences have none, so the check saves time. */
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
  /** The position of the verb's negation; null if the verb itself is negative. */
  negation: number | null;
}
