import { isDistinctFieldName, isFieldName, isProgramName, isUpperSnake, ownNameOf } from "./field-words.ts";
import { OWN, type SourceView } from "./source-view.ts";
import { findMarked } from "./spintax.ts";

/** A placeholder of another tool: its text, the name in it, and its position. */
export interface ForeignPlaceholder {
  text: string;
  name: string;
  /** Our variable that it probably means. */
  meant: string | null;
  start: number;
}

type Custom = ReadonlySet<string>;
interface Form {
  pattern: RegExp;
  /** Whether the text between the signs is a placeholder. `around` are the characters before and after it. */
  isOne: (inner: string, custom: Custom, around: { before: string; after: string }) => boolean;
}

const startsAsName = (inner: string) => /^\p{L}/u.test(inner);
/** A name, with or without the fallback that other tools write after it. */
const nameIn = (inner: string) =>
  inner
    .replace(/^[$@=#~&]/, "")
    .split(/\s*(?:[|,;:=]|\s(?:default|fallback)\b)/, 1)[0]
    ?.trim() ?? "";
const isWord = (name: string) => /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name);
const isShaped = (name: string, custom: Custom) =>
  isFieldName(name, custom) || isUpperSnake(name) || isProgramName(name);
const isShapedOrLetter = (inner: string, custom: Custom) =>
  isShaped(inner.trim(), custom) || /^[a-z]$/i.test(inner.trim());
/** Whether a placeholder names a kind of record and a field, such as `contact:first_name`. */
const isOfRecord = (inner: string, custom: Custom) =>
  /^\w{1,30}:\w{1,40}$/.test(inner) &&
  isFieldName(inner, custom) &&
  /_|[a-z][A-Z]|^[A-Z]+$/.test(inner.split(":")[1] ?? "");
const hasFallback = (inner: string) => nameIn(inner) !== inner.replace(/^[$@=#~&]/, "").trim();

/** Environment variables of shells and of Windows. They are part of commands, not placeholders. */
const ENVIRONMENT =
  /^(?:HOME|PATH|USER|PWD|SHELL|TMP|TEMP|APPDATA|LOCALAPPDATA|USERPROFILE|WINDIR|SYSTEMROOT|PROGRAMFILES|HOMEPATH|\w+_DIR|\w+_HOME)$/;

/**
 * The forms of placeholders. Forms with more signs come first: `[[x]]` is one placeholder, not `[x]` in brackets.
 * Patterns have bounded lengths, so reading takes linear time.
 */
const FORMS: Form[] = [
  { pattern: /\*\|([^|*\n]{1,80})\|\*/g, isOne: startsAsName },
  { pattern: /\{!\s{0,3}([^{}\n]{1,80})\}/g, isOne: (inner) => /^[$\p{L}]/u.test(inner) },
  { pattern: /<%[=-]?\s{0,3}([^%\n]{1,80})%>/g, isOne: startsAsName },
  {
    pattern: /%%([^%\n]{1,80})%%/g,
    isOne: (inner, custom) => inner.startsWith("=") || isWord(inner.trim()) || isFieldName(inner, custom),
  },
  {
    pattern: /\[\[([^[\]\n]{1,80})\]\]/g,
    isOne: (inner, custom) => isWord(nameIn(inner)) || isFieldName(nameIn(inner), custom),
  },
  { pattern: /\$\{([^{}\n]{1,80})\}/g, isOne: isInterpolated },
  { pattern: /#\{([^{}\n]{1,80})\}/g, isOne: isInterpolated },
  { pattern: /<<([^<>\n]{1,80})>>/g, isOne: isShapedOrLetter },
  {
    pattern: /«([^«»\n]{1,80})»/g,
    isOne: (inner, custom) =>
      isUpperSnake(inner) ||
      (isProgramName(inner) && isFieldName(inner, custom)) ||
      /^(?:First|Last|Company) ?[Nn]ame$/.test(inner),
  },
  { pattern: /@@([^@\n]{1,80})@@/g, isOne: isShapedOrLetter },
  { pattern: /##([^#\n]{1,80})##/g, isOne: (inner, custom) => isShaped(inner, custom) && !/\s$|^\s/.test(inner) },
  { pattern: /\(\(([^()\n]{1,80})\)\)/g, isOne: (inner, custom) => isShaped(inner.trim(), custom) },
  {
    pattern: /__([^_\n](?:[^\n_]|_(?!_)){0,60})__/g,
    isOne: (inner, custom) =>
      isUpperSnake(inner) || ((inner.includes("_") || /^[A-Z]+$/.test(inner)) && isFieldName(inner, custom)),
  },
  { pattern: /\{([^{}\n]{1,80})\}/g, isOne: isBraced },
  { pattern: /\[([^[\]\n]{1,80})\]/g, isOne: isBracketed },
  { pattern: /%([^%\s][^%\n]{1,60})%/g, isOne: isBetweenPercents },
  {
    pattern: /<([^<>\n]{1,60})>/g,
    isOne: (inner, custom) =>
      isUpperSnake(inner) || (isDistinctFieldName(inner, custom) && !/^(?:name|mail)$/.test(inner)),
  },
  { pattern: /\$([a-z_]{2,40})\$/gi, isOne: (inner, custom) => isFieldName(inner, custom) },
  {
    pattern: /#([a-z_]{2,40})#/gi,
    isOne: (inner, custom) => isFieldName(inner, custom) && (inner.includes("_") || inner === inner.toUpperCase()),
  },
  {
    pattern: /(?<![\w-])-([a-z]{1,20}(?:_[a-z]{1,20}){1,3})-(?![\w-])/gi,
    isOne: (inner, custom) => isFieldName(inner, custom),
  },
  { pattern: /~([a-z_.]{2,40})~/gi, isOne: (inner, custom) => isFieldName(inner, custom) && /[._]/.test(inner) },
];

function isInterpolated(inner: string, custom: Custom): boolean {
  const name = nameIn(inner);
  // With a bar the text is our spintax, as in "${49|59}" and "#{sales|growth}", unless it names a field
  return inner.includes("|") ? isShaped(name, custom) : isWord(name) && !ENVIRONMENT.test(name);
}

function isBraced(inner: string, custom: Custom): boolean {
  if (/^\$[a-z_]\w*$/i.test(inner) || isOfRecord(inner, custom)) return true;
  const name = nameIn(inner);
  const isTight = inner === inner.trim();
  // The text after a bar may be a choice of our spintax, so the name must not be a word of prose
  if (hasFallback(inner))
    return (isUpperSnake(name) || isProgramName(name)) && isFieldName(name, custom) && !/["']\s*:|;/.test(inner);
  return isUpperSnake(name) || isFieldName(name, custom) || (isTight && /^[a-z][a-z\d]*(?:_[a-z\d]+)+$/.test(name));
}

function isBracketed(inner: string, custom: Custom, { after }: { after: string }): boolean {
  // A link of Markdown, or a reference of one
  if (/^[([:]/.test(after)) return false;
  if (isOfRecord(inner, custom)) return true;
  const name = nameIn(inner);
  if (hasFallback(inner)) return (isUpperSnake(name) || isProgramName(name)) && isFieldName(name, custom);
  return isUpperSnake(name) || isDistinctFieldName(name, custom);
}

function isBetweenPercents(
  inner: string,
  custom: Custom,
  { before, after }: { before: string; after: string },
): boolean {
  // "50%of 20%" is a price, and %C3%A9 and %E9cole%20 are letters of a URL
  if (/[\d\\]$/.test(before) || after.startsWith("\\")) return false;
  const name = nameIn(inner.replace(/^-|-$/g, ""));
  if (ENVIRONMENT.test(name)) return false;
  if (isFieldName(name, custom)) return true;
  if (/^[\da-f]{2}/i.test(after) || /^[\da-f]{2}(?![a-z_])/i.test(name) || name.length < 3) return false;
  return isWord(name) && startsAsName(name);
}

/** Code that someone wrote as plain text. Signs in it are not placeholders. */
const CODE_LINE =
  /^\s*(?:import |export |const |let |var |function\b|return\b|class |def |SELECT |curl |\$ |#include|<\?)|=>|[;{]\s*$|\)\s*\{/;
const WEAK_FROM = 13;

/** The placeholders of other tools that recipients would see, one entry for each position. */
export function findForeignPlaceholders(source: string, view: SourceView, custom: Custom): ForeignPlaceholder[] {
  const inText = matchesIn(view.text, custom).map(({ text, name, index }) =>
    placeholderOf(text, name, view.at[index] ?? 0),
  );
  const inAttributes = view.attributes.flatMap(({ name: attribute, value, start }) => {
    const isAddress = attribute === "href" || attribute === "src" || attribute === "background";
    const read = isAddress ? value.replace(ENCODED_SIGN, decodeSign) : value;
    return matchesIn(read, custom).map(({ text, name }) => placeholderOf(text, name, start));
  });
  const asTags = view.unknownTags.flatMap(({ name, start }) => {
    const inner = name.slice(1, -1).replace(/\/$/, "").trim();
    const isDoubled = source[start - 1] === "<" && source[start + name.length] === ">";
    if (isDoubled && isShapedOrLetter(inner, custom)) return [placeholderOf(`<${name}>`, inner, start - 1)];
    return isUpperSnake(inner) || isFieldName(inner, custom) ? [placeholderOf(name, inner, start)] : [];
  });
  return [...inText, ...inAttributes, ...asTags, ...ofOtherEngines(source)].sort(
    (one, other) => one.start - other.start,
  );
}

function placeholderOf(text: string, name: string, start: number): ForeignPlaceholder {
  return { text, name, meant: ownNameOf(name), start };
}

/** Signs that editors encode in the URL of a link. */
const ENCODED_SIGN = /%(?:7b|7d|5b|5d|7c|3c|3e|24|25(?=[a-z]))/gi;

function decodeSign(sign: string): string {
  return String.fromCharCode(Number.parseInt(sign.slice(1), 16));
}

function matchesIn(text: string, custom: Custom): { text: string; name: string; index: number }[] {
  const found: { text: string; name: string; index: number }[] = [];
  const taken = new Uint8Array(text.length);
  for (const [order, { pattern, isOne }] of FORMS.entries()) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const { 0: whole, 1: inner = "", index } = match;
      const end = index + whole.length;
      const around = { before: text.slice(Math.max(0, index - 2), index), after: text.slice(end, end + 2) };
      const isFree = taken[index] === 0 && taken[end - 1] === 0 && !inner.includes(OWN);
      if (!isFree || !isOne(inner, custom, around) || (order >= WEAK_FROM && CODE_LINE.test(lineAt(text, index)))) {
        // Text that is not a placeholder may contain the beginning of a placeholder
        pattern.lastIndex = index + 1;
        continue;
      }
      taken.fill(1, index, end);
      found.push({ text: whole, name: nameIn(inner.trim().replace(/^[!=$-]+\s*/, "")), index });
    }
  }
  return found;
}

const LINE_SIDE = 200;

function lineAt(text: string, index: number): string {
  const before = text.slice(Math.max(0, index - LINE_SIDE), index);
  const after = text.slice(index, index + LINE_SIDE);
  return before.slice(before.lastIndexOf("\n") + 1) + (after.split("\n", 1)[0] ?? "");
}

const OWN_TAGS =
  /^-?\s*(?:if|elsif|else|endif|unless|endunless|case|when|endcase|assign|capture|endcapture|comment|endcomment)\b/;

/** Tokens with our braces in the language of another engine: `{{{name}}}`, `{{#if name}}` and `{% lookup name %}`. */
function ofOtherEngines(source: string): ForeignPlaceholder[] {
  const tripled = [...source.matchAll(/\{\{\{\s{0,3}([^{}\n]{1,80})\}\}\}/g)].map(({ 0: text, 1: inner = "", index }) =>
    placeholderOf(text, nameIn(inner), index),
  );
  const marked = findMarked(source).flatMap(({ kind, start, end }) => {
    if (kind === "escape") return [];
    const text = source.slice(start, end);
    const inner = text.slice(2, -2).trim();
    const isForeign = text.startsWith("{%")
      ? !OWN_TAGS.test(inner)
      : /^(?:[#/^>!=@$%*~]|&(?![#\w]+;))\s*\w/.test(inner);
    return isForeign ? [placeholderOf(text, nameIn(inner.replace(/^[^\p{L}]+/u, "")), start)] : [];
  });
  return [...tripled, ...marked];
}
