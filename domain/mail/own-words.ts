import { withoutBanner, withoutFooter } from "./gateway-words.ts";
import { attributionAt, isMarked, visibleTextOf } from "./quote-attribution.ts";
import { beforeHead, headsIn } from "./quote-header.ts";
import { isBanner } from "./quote-words.ts";
import { withoutSignature } from "./signature.ts";

const RULER = /^[-–—‐−_=*~#•\s]{3,200}$/;
const RULED = /^[-–—‐−_=*~]{2,80}.{1,120}[-–—‐−_=*~]{2,80}$/;
/** The line length at which mail programs wrap. */
const WRAPPED_AT = 76;
/** The most rounds of removing quotes. When a quote is removed, the lines around it may form a new quote. */
const MOST_ROUNDS = 4;

/** The text that a person wrote in an email, and whether a quote was removed. */
export interface OwnWords {
  words: string;
  /** The text contained a part of an older email. */
  hasQuote: boolean;
}

/**
 * What a person wrote in an email's text (rules/mail 11.1): without quoted lines, the lines that introduce them, old
 * emails below their headers, forwarded parts, the signature, and what gateways put above and below it. The remaining
 * lines stay unchanged.
 */
export function ownWords(text: string): OwnWords {
  let words = withoutBanner(text.trim());
  let hasQuote = false;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const parts = splitAtQuotes(words.split(/\r\n?|[\n\u2028\u2029]/));
    hasQuote ||= parts.length > 1;
    const texts = parts.map((part) => withoutSignature(part).join("\n").trim());
    const rest = withoutFooter(texts.filter((part) => part !== "").join("\n\n"));
    if (rest === words) break;
    words = rest;
  }
  return { words, hasQuote };
}

/** Splits lines at an older email between them. The lines are returned as they were written. */
function splitAtQuotes(written: readonly string[]): string[][] {
  const lines = written.map((line) => (isMarked(line) ? ">" : visibleTextOf(line)));
  const isHeadAt = headsIn(lines);
  const parts: string[][] = [];
  let part: string[] = [];
  let hasWords = false;
  for (let at = 0; at < lines.length; ) {
    const old = oldAt(written, lines, at, hasWords, isHeadAt);
    if (old === null) {
      part.push(written[at] ?? "");
      hasWords ||= lines[at] !== "" && !RULER.test(lines[at] ?? "");
      at++;
      continue;
    }
    if (old.own !== "") part.push(old.own);
    hasWords ||= old.own !== "";
    parts.push(withoutRuler(part));
    part = [];
    at += old.length;
  }
  return [...parts, part];
}

interface Old {
  length: number;
  /** What a person wrote on the line on which the older email begins. */
  own: string;
}

/**
 * The part of an older email that begins in line `at`; null when none does. No one writes below an unmarked quote,
 * unless nothing was written above it.
 */
function oldAt(
  written: readonly string[],
  lines: readonly string[],
  at: number,
  hasWords: boolean,
  isHeadAt: ReturnType<typeof headsIn>,
): Old | null {
  const line = lines[at] ?? "";
  if (isQuoted(written, at)) return { length: 1, own: "" };
  if (line === "") return null;
  const rest = lines.length - at;
  if (isBanner(line) || isHeadAt(at, isBelowRuler(lines, at))) return { length: rest, own: "" };
  const before = beforeHead(line);
  if (before !== null) return { length: rest, own: before };
  const attribution = attributionAt(lines, at);
  if (attribution === null) return null;
  const { length, own, isSure } = attribution;
  let next = at + length;
  while (lines[next] === "") next++;
  const isQuote = isQuoted(written, next);
  if (!isSure && !isQuote) return null;
  const isEnd = next < lines.length && !isQuote && (hasWords || own !== "");
  return { length: isEnd ? rest : length, own };
}

/**
 * Whether a line is quoted: it has a quote mark, or a program wrapped the quoted line above it and did not mark the
 * rest.
 */
function isQuoted(written: readonly string[], at: number): boolean {
  const line = written[at] ?? "";
  if (isMarked(line)) return true;
  const before = written[at - 1] ?? "";
  return isMarked(before) && isTail(before.trimEnd(), line, isMarked(written[at + 1] ?? ""));
}

function isTail(before: string, line: string, isBetween: boolean): boolean {
  if (!/^[^\s]/.test(line) || /[.?!:;。？！]$/.test(before)) return false;
  const [word = ""] = /^\S{0,200}/.exec(line) ?? [];
  const isWrappedAddress =
    /:\/\/\S{1,500}$/.test(before.slice(-600)) && word.length === line.trimEnd().length && /[^\p{L}.!?]/u.test(word);
  const isFull = before.length + 1 + word.length > WRAPPED_AT;
  return isWrappedAddress || (isFull && (isBetween || !/^\p{Lu}/u.test(line)));
}

function isBelowRuler(lines: readonly string[], at: number): boolean {
  const above = lines.slice(Math.max(0, at - 3), at).findLast((line) => line !== "") ?? "";
  return RULER.test(above) || RULED.test(above);
}

/**
 * Drops a ruler, or a title between rulers, at the end of a part. The ruler or title belongs to the older email below
 * it.
 */
function withoutRuler(part: readonly string[]): string[] {
  const end = part.findLastIndex((line) => {
    const seen = visibleTextOf(line);
    return seen !== "" && !RULER.test(seen) && !RULED.test(seen);
  });
  return part.slice(0, end + 1);
}
