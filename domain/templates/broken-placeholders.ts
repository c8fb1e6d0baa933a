import { decodeEntity, ENTITY, type SourceView } from "./source-view.ts";
import { findMarked } from "./spintax.ts";

/** One of our own placeholders that an editor has broken. */
export interface BrokenPlaceholder {
  text: string;
  /** The text that an editor inserted, such as `&nbsp;` or `<b>`; null if it inserted text between two braces. */
  sign: string | null;
  /** The likely correct placeholder. */
  meant: string;
  start: number;
}

/** The most characters of a placeholder. */
const LONGEST_TOKEN = 1_000;
const TAG = /<\/?[a-z][^<>]{0,500}>/i;
const TYPOGRAPHIC = /[“”„‟‘’‚‛«»″′]/;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/;
const TYPOGRAPHIC_DOUBLE = /[“”„‟«»″]/g;
const TYPOGRAPHIC_SINGLE = /[‘’‚‛′]/g;

/**
 * Finds our placeholders with entities, markup, typographic quotes or invisible characters that the template language
 * does not allow.
 */
export function findBrokenPlaceholders(source: string, view: SourceView): BrokenPlaceholder[] {
  return [...brokenTokensIn(source), ...unreadIn(view)].sort((one, other) => one.start - other.start);
}

/** Why a source with a broken token cannot be read; null if it has none. */
export function explainBroken(source: string): string | null {
  const [first] = brokenTokensIn(source);
  return first === undefined
    ? null
    : `“${first.text}” contains “${first.sign}”, which an editor has inserted. Write ${first.meant} instead`;
}

function brokenTokensIn(source: string): BrokenPlaceholder[] {
  return findMarked(source).flatMap(({ kind, start, end }) => {
    const text = source.slice(start, end);
    const sign = kind === "token" && text.length <= LONGEST_TOKEN ? foreignSignIn(text) : null;
    return sign === null ? [] : [{ text, sign, meant: mendToken(text), start }];
  });
}

/**
 * The first text in a token that is not allowed there. Within straight quotes, only entities and markup count, because
 * the rest is the author's text.
 */
function foreignSignIn(token: string): string | null {
  const quoted = [...token.matchAll(/"[^"]*"|'[^']*'/g)].map(([text]) => text).join("");
  const outside = token.replace(/"[^"]*"|'[^']*'/g, " ");
  for (const pattern of [ENTITY, TAG, TYPOGRAPHIC, INVISIBLE]) {
    const [sign] = outside.match(new RegExp(pattern.source, "i")) ?? [];
    if (sign !== undefined) return sign;
  }
  for (const pattern of [ENTITY, TAG]) {
    const [sign] = quoted.match(new RegExp(pattern.source, "i")) ?? [];
    if (sign !== undefined) return sign;
  }
  return null;
}

/**
 * Double braces that recipients would see because they are no valid placeholder: there is other text between the two
 * braces, or a quote is not closed.
 */
const SEEN = /[{｛]\s?[{｛]([^{}｛｝\n]{1,200})[}｝]\s?[}｝]/g;
/** Such double braces in the URL of a link, where editors encode the braces. */
const ENCODED = /(?:\{|%7b){2}((?:(?!%7[bd])[^{}\n]){1,200})(?:\}|%7d){2}/gi;

function unreadIn({ text, at, attributes }: SourceView): BrokenPlaceholder[] {
  const seen = [...text.matchAll(SEEN)].flatMap(({ 0: whole, 1: inner = "", index }) =>
    namesSomething(inner) ? [{ text: whole, sign: null, meant: mendToken(`{{${inner}}}`), start: at[index] ?? 0 }] : [],
  );
  const linked = attributes.flatMap(({ value, start }) =>
    [...value.matchAll(ENCODED)].flatMap(({ 0: whole, 1: inner = "" }) =>
      namesSomething(inner)
        ? [{ text: whole, sign: null, meant: mendToken(`{{${inner.replace(/%20/g, " ")}}}`), start }]
        : [],
    ),
  );
  return [...seen, ...linked];
}

function namesSomething(inner: string): boolean {
  return /^\s*\p{L}[\p{L}\p{N}_.]*\s*(?:\||$)/u.test(
    inner.replace(new RegExp(INVISIBLE.source, "g"), "").replace(/%20/g, " "),
  );
}

function mendToken(token: string): string {
  return token
    .replace(ENTITY, decodeEntity)
    .replace(new RegExp(TAG.source, "gi"), "")
    .replace(new RegExp(INVISIBLE.source, "g"), "")
    .replace(TYPOGRAPHIC_DOUBLE, '"')
    .replace(TYPOGRAPHIC_SINGLE, "'")
    .replaceAll("\u00a0", " ");
}

/** The view without broken placeholders, so that other checks do not report them again. */
export function withoutBroken(view: SourceView): SourceView {
  return {
    ...view,
    text: view.text.replace(SEEN, (whole) => " ".repeat(whole.length)),
    attributes: view.attributes.map((one) => ({ ...one, value: one.value.replace(ENCODED, "") })),
  };
}
