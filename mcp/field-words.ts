/** The JSON schema of a field, or a part of it. */
export type FieldSchema = Record<string, unknown>;

/** The description of an id field. The field name already says what the id identifies. */
const ID = /^The ids? of .*: `[a-z]+_…`$/;

/** The first sentence of a description. A dot inside a name or number does not end it. */
export function beginningOf(text: string): string {
  const [first = text] = text.split(/(?<=[^.]{12})\. (?=[A-Z`(])|; /);
  return first;
}

/** The longest description of a field whose name and values say nearly everything. */
const LONGEST_OF_VALUES = 50;
/** Words of descriptions that no name says: a notation, another field, or a condition. */
const UNGUESSABLE =
  /`|#|digits|HTML|IANA|ISO|https|template|[Ii]nstead|[Ss]uch as|[Rr]equired|[Ww]ith [A-Z_]{4}|[A-Z_]{4}:/;

/**
 * Shortens the description of a field to the first part of its first sentence, and drops it where the name or the values
 * of the field say the same. The reference has the full text, and errors name the remaining rules.
 */
export function shorten(name: string, { description, default: _, ...rest }: FieldSchema): FieldSchema {
  const isNamed = rest["type"] === "boolean" || "enum" in rest || "const" in rest || "properties" in rest;
  const first = typeof description === "string" ? beginningOf(description) : "";
  if (!UNGUESSABLE.test(first) || repeats(name, first)) return withoutBounds(rest, "");
  const part = firstPartOf(first);
  const words = UNGUESSABLE.test(part) && part.length >= 40 ? part : first;
  const isShown = !isNamed || (UNGUESSABLE.test(words) && words.length <= LONGEST_OF_VALUES);
  return { ...withoutBounds(rest, words), ...(isShown && { description: words }) };
}

/** The part of a sentence before its first colon or comma, unless that would be a word or two, or the start of a list. */
export function firstPartOf(sentence: string): string {
  const isList = sentence.split(", ").length > 2;
  const [part = sentence] = sentence.split(isList ? /(?<=^.{18,}): / : /(?<=^.{18,})[:,] /);
  return part;
}

/** Bounds that the description states, or that few callers would miss, are left out; errors name them. */
function withoutBounds({ minimum, maximum, ...rest }: FieldSchema, words: string): FieldSchema {
  const isStated = /\d/.test(words);
  return {
    ...rest,
    ...(typeof minimum === "number" && minimum > 1 && !isStated && { minimum }),
    ...(typeof maximum === "number" && maximum <= 1 && !isStated && { maximum }),
  };
}

const SMALL_WORDS = new Set("the a an of its it this to for in at on is are be with by or and name".split(" "));

/**
 * Returns true when a description has only words of the field's name, like "Job title" for `jobTitle`, or at least this
 * share of them.
 */
export function repeats(name: string, description: string, share = 1): boolean {
  if (ID.test(description)) return true;
  const named = new Set(wordsIn(name.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, " ")));
  const words = wordsIn(description).filter((word) => !SMALL_WORDS.has(word));
  return words.filter((word) => named.has(word)).length >= words.length * share;
}

function wordsIn(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9_/`<>…]+/g) ?? []).map((word) => word.replace(/s$/, ""));
}

export function isJson(value: unknown): value is FieldSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
