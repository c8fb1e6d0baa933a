import { LEADS, SAYS_WHO, WROTE } from "./quote-words.ts";

/** The line "On Friday, Ann wrote:", which may be wrapped over several lines. */
export interface QuoteAttribution {
  /** The number of lines that the attribution takes. */
  length: number;
  /** What a person wrote before the attribution on the same line. */
  own: string;
  /**
   * True when the attribution names a time, and a person with an email address. Then the lines below it count as a
   * quote even without quote marks. After any other attribution, only lines with quote marks do.
   */
  isSure: boolean;
}

const MAX_LINES = 4;
const MIN_LENGTH = 6;
const MAX_LENGTH = 400;
/** The fewest characters at which a mail program wraps a line. */
const NARROW = 50;
/** The most characters of a line that is searched for an attribution after other text. */
const MAX_SHARED = 2_000;

const ENDS =
  /(?:[:：][\s*_"'”’)\]>\p{Cf}-]{0,8}|(?<!\p{L})(?:wrote|schrieb|écrit|写道|寫道)\s{0,3}[-–—]{2,20}\s{0,3}|[\d>)\]"'”]\S{0,30},? (?:wrote|a écrit|escribió|ha scritto|escreveu|napisał|написал|пишет))$/iu;
const RULED = /^\s{0,8}[-–—]{2,20}.{1,380}[-–—]{2,20}\s{0,3}$/u;
const ANGLE = /(?:[<([‹«]|&lt;)\s?(?:mailto:)?[^\s<>()@:;"]{1,100}@[^\s<>()@;"&]{1,100}\s?(?:[>)\]]|&gt;)/u;
export const ANY_ADDRESS = /(?<![^\s<>()@,;:"])[^\s<>()@,;:"]{1,64}@[^\s<>()@,;:"]{1,100}\.\p{L}{2,20}/u;
const DATE = /(?<!\d)\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{2,4}(?!\d)/;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
const DAY = /(?<!\d)\d{1,2}(?!\d)/;
const TIME = /(?<![\d.])\d{1,2}(?:[:h]\d{2}|\.\d{2}(?![\d.]))(?!\d)|(?<!\d)\d{1,2}\s?(?:[ap]\.?m\b|[時点點时시])/iu;
/** The attribution that Gmail writes, which may have no colon at the end. */
const ZONED = /^\d{4}[-/]\d{1,2}[-/]\d{1,2} \d{1,2}:\d{2} GMT[+-]\d{1,2}:\d{2} \S.{0,120}$/;
const DATED_ADDRESS = /^\d{4}[-/]\d{1,2}[-/]\d{1,2}[\s,]/;
/** Words that show that a line is a person's own sentence and not an attribution. */
const SPEAKS =
  /(?<![\p{L}\p{N}@.-])(?:I|we|you|he|she|they|my|our|your|ich|wir|nous|vous)(?![\p{L}\p{N}@.-])|[:：]\s+\p{L}/u;
const BEFORE_NUMBER = /^\D{0,40}(?=\d)/;
const SHARED = new RegExp(`(?<=[\\s.,;!?)–—-])(?:${LEADS})\\s(?=[^\\n]{0,30}\\d)`, "gu");
/** Some programs leave an empty line before the verb. */
const VERB_FIRST = /^(?:wrote|schrieb|schreef|skrev|a écrit|escribió|ha scritto|escreveu|napisał|написал)(?!\p{L})/iu;
const VERBS = VERB_FIRST.source.slice(1);
/** "At 6/16 ..., you wrote:": some programs do not name the person who is quoted. */
const YOU_WROTE =
  /(?<!\p{L})(?:you wrote|you have written|(?:du|sie|ihr) schrieb(?:st|en|t)?|schriebst du|schrieben sie|(?:vous avez|tu as) écrit|usted escribió|escribiste|lei ha scritto|hai scritto|(?:u|je|jij) schreef|schreef (?:u|je)|você escreveu|(?:tu )?escreveste|(?:pan napisał|pani napisała|napisał[ae]ś)|(?:du|ni) skrev)\s?[:：]$/iu;
const DAY_AND_MONTH = /(?<![\d.])\d{1,2}[./-]\d{1,2}(?![\d])/;
/** An attribution that consists only of an address and the word "wrote". */
const ADDRESS_WROTE = new RegExp(
  `^(?:\\*|<|"|\\[|mailto:){0,3}[^\\s<>()@,;:"]{1,64}@[^\\s<>()@,;:"]{1,100}\\.\\p{L}{2,20}[>"*\\]]{0,3}\\s{1,3}${VERBS}\\s?[:：]$`,
  "iu",
);
const MARKED_VERB = new RegExp(`^\\s{0,3}>\\s{0,2}${VERBS}\\s?[:：]\\s*$`, "iu");
const FULL_LEAD = new RegExp(`^(?:${LEADS})\\s`, "u");

/**
 * The attribution that begins in line `at` of the visible lines; null when none does. It is recognised by its content,
 * however a program wrapped it: who, when, "wrote", and a colon at the end. Attributions have this content in all
 * languages.
 */
export function attributionAt(lines: readonly string[], at: number): QuoteAttribution | null {
  if (!mayEndSoon(lines, at)) return null;
  let joined = "";
  for (let count = 1; count <= MAX_LINES; count++) {
    const line = lines[at + count - 1] ?? "";
    if (line === "" && isDatedHead(joined) && VERB_FIRST.test(lines[at + count] ?? "")) continue;
    if (line === "" || isMarked(line) || joined.length + line.length > MAX_SHARED) return null;
    joined = joined === "" ? line : `${joined} ${line}`;
    const isEnd = ENDS.test(joined.slice(-60));
    if (!isEnd && /[?!？！]$/.test(line)) return null;
    if (joined.length < MIN_LENGTH && isEnd) return null;
    if (!isEnd && (!endsBare(joined) || goesOn(joined, lines[at + count]))) continue;
    const own = FULL_LEAD.test(joined) ? null : sharedWith(joined);
    if (own !== null && own.length < (lines[at] ?? "").length) return { length: count, own, isSure: true };
    const found = alone(joined);
    if (found !== null && !startsLater(lines, at, count)) return { length: count, own: "", isSure: found === "SURE" };
    if (isEnd) return null;
  }
  return null;
}

/**
 * Whether a line is marked as quoted. A colon after the mark is the end of an address that was wrapped, and text
 * between `>>` and `<<` is a person's emphasis; both are not quoted.
 */
export function isMarked(line: string): boolean {
  if (MARKED_VERB.test(line)) return false;
  return /^\s{0,3}(?:[>＞](?!\s{0,2}[:：]\s*$)|\p{Lu}{1,4}>)/u.test(line) && !/^>>.*<<$/u.test(line);
}

/**
 * A line as a reader sees it: without the marks of direction and width that programs insert among names, with one kind
 * of space and one kind of digit.
 */
export function visibleTextOf(line: string): string {
  if (/^[\x20-\x7e]*$/.test(line)) return line.trim();
  return line
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "")
    .replace(/[\u00a0\u2000-\u200a\u202f\u3000]/g, " ")
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String((digit.charCodeAt(0) & 0xf) % 10))
    .trim();
}

/** A fast test that excludes most lines before the slow tests. */
function mayEndSoon(lines: readonly string[], at: number): boolean {
  for (let index = at; index < at + MAX_LINES; index++) {
    const line = lines[index] ?? "";
    if (line === "" && !VERB_FIRST.test(lines[index + 1] ?? "")) return false;
    if (/[:：*_"'”’)\]>–—-]$|GMT[+-]|(?:wrote|écrit|escribió|scritto|escreveu|napisał|написал|пишет)$/iu.test(line))
      return true;
  }
  return false;
}

/** Whether the text is an attribution in one of the two forms that may have no colon at the end. */
function endsBare(text: string): boolean {
  return ZONED.test(text) || (DATED_ADDRESS.test(text) && /[>)\]]$/.test(text));
}

function goesOn(text: string, next: string | undefined): boolean {
  return next !== undefined && ENDS.test(next) && (WROTE.test(next) || !/[>)\]]$/.test(text));
}

function alone(text: string): "SURE" | "MARKED" | null {
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH) return null;
  if (ZONED.test(text)) return "SURE";
  const words = text.replace(/^[-–—*_\s]{1,80}/, "");
  const wrote = WROTE.exec(words);
  const angle = ANGLE.exec(words);
  if (ADDRESS_WROTE.test(words)) return "SURE";
  if (YOU_WROTE.test(words))
    return isShort(BEFORE_NUMBER.exec(words)?.[0], 4) && DAY_AND_MONTH.test(words) ? "SURE" : "MARKED";
  if ((wrote === null && angle === null && !ANY_ADDRESS.test(words)) || SPEAKS.test(words)) return null;
  if (wrote !== null && RULED.test(text)) return "SURE";
  const hasDate = isDated(words);
  const hasTime = TIME.test(words);
  const isFirst = (hasDate || hasTime) && isShort(BEFORE_NUMBER.exec(words)?.[0], 4);
  if (isFirst && angle !== null && (wrote !== null || isLast(words, angle))) return ENDS.test(text) ? "SURE" : "MARKED";
  if (angle === null && SAYS_WHO.test(words)) return null;
  if (isFirst && hasDate && hasTime && (wrote !== null || ANY_ADDRESS.test(words))) return "SURE";
  if (isFirst && wrote !== null) return hasTime || ANY_ADDRESS.test(words) ? "SURE" : "MARKED";
  const isNamed = wrote !== null && isShort(words.slice(0, Math.min(wrote.index, angle?.index ?? wrote.index)), 8);
  if (!isNamed) return null;
  return angle !== null || (hasDate && hasTime) ? "SURE" : "MARKED";
}

/**
 * Whether a text can be a name, or the words before the number of a day: few words, no sentence, and no address to a
 * reader.
 */
function isShort(text: string | undefined, words: number): boolean {
  if (text === undefined || text.length > 80 || /[?!;…]/.test(text) || SAYS_WHO.test(text)) return false;
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length <= words;
}

function isLast(text: string, { index, 0: found }: RegExpExecArray): boolean {
  return !/[\p{L}\p{N}]/u.test(text.slice(index + found.length));
}

/**
 * Whether a person's own line precedes the attribution and does not depend on the lines above it. Programs wrap only
 * full lines, and some wrap after the date with which they begin.
 */
function startsLater(lines: readonly string[], at: number, count: number): boolean {
  const first = lines[at] ?? "";
  const isLead = FULL_LEAD.test(first);
  for (let later = 1; later < count; later++) {
    const [above = "", line = ""] = lines.slice(at + later - 1, at + later + 1);
    const rest = lines.slice(at + later, at + count).join(" ");
    if (!/^(?:["'“„«]|[-–—]{2,20}\s?)?[\p{L}\p{N}]/u.test(rest) || /[<([]$/.test(above) || alone(rest) === null)
      continue;
    if (isDatedHead(rest)) {
      if (isDated(rest) && !(isLead && isShort(first, 4))) return true;
    } else if (!isDatedHead(first)) return true;
    if (!isLead && above.length + 1 + line.search(/\s|$/) <= NARROW) return true;
  }
  return false;
}

function isDatedHead(text: string): boolean {
  return (isDated(text) || TIME.test(text)) && isShort(BEFORE_NUMBER.exec(text)?.[0], 4);
}

/** Whether the text contains a date. The numbers of a time are not a day. */
function isDated(text: string): boolean {
  const days = text.replace(/\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?![\d.])/g, " ");
  return DATE.test(text) || (YEAR.test(text) && DAY.test(days));
}

/** The text before an attribution on the same line; null when there is none. */
function sharedWith(text: string): string | null {
  const starts = [...text.matchAll(SHARED)].slice(-3).reverse();
  for (const { index } of starts) {
    const rest = text.slice(index);
    const own = text.slice(0, index).replace(/[\s–—-]+$/, "");
    if (/\p{L}/u.test(own) && TIME.test(rest) && alone(rest) === "SURE") return own;
  }
  return null;
}
