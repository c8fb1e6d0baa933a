import { parse } from "tldts";

const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,62})";
const REST = "[^\\s<>\"')\\]}]";
/** A host name with any ending, and an IPv4 address. */
const HOST = `(?:${LABEL}\\.)+(?:xn--[a-z0-9-]{2,59}|\\p{L}{2,24})`;
const NUMBERS = "\\d{1,3}(?:\\.\\d{1,3}){3}";

const SCHEME = new RegExp(`\\b[a-z][a-z0-9+.-]{1,20}://${REST}+`, "giu");
const BARE = new RegExp(
  `(?<![\\p{L}\\p{N}@._-])(?:${NUMBERS}(?![\\d.]*\\d)|${HOST}(?![\\p{L}\\p{N}-]))(?:[/?#:]${REST}*)?`,
  "giu",
);
/**
 * Hosts without a dot that a link may lead to, such as `localhost`, a name with a port and a path, or an IPv6 address.
 */
const LOCAL = new RegExp(
  `(?<![\\p{L}\\p{N}@._-])(?:localhost(?:[/?#:]${REST}*)?|${LABEL}:\\d{2,5}/${REST}*|\\[[0-9a-f:.]{3,45}\\](?:[/:]${REST}*)?)`,
  "giu",
);
const ADDRESS = new RegExp(
  `[\\p{L}\\p{N}._%+'-]{1,64}@(?:${HOST}|localhost\\b|${LABEL}(?=[\\s.,;:!?)]|$)|\\[?${NUMBERS}\\]?)`,
  "giu",
);
const OTHER_SCHEME = /\b(?:mailto|tel|sms|javascript|data|file|callto|whatsapp|tg|skype):\S+/giu;

/** Characters that make a name look like another one, or hide it. A reply does not contain them. */
const HIDDEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is meant by itself
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/u;

/** Whether a text has invisible characters. */
export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/**
 * Every link of a text, with or without a scheme, in the form in which links are compared: without a web scheme and
 * without a final slash.
 */
export function linksIn(text: string): string[] {
  const plain = undisguise(text);
  const withScheme = [...plain.matchAll(SCHEME), ...plain.matchAll(OTHER_SCHEME)].map(([found]) => found);
  const rest = plain.replace(SCHEME, " ").replace(OTHER_SCHEME, " ").replace(ADDRESS, " ");
  const bare = [...rest.matchAll(BARE)].map(([found]) => found).filter(isPlace);
  const local = [...rest.matchAll(LOCAL)].map(([found]) => found);
  return [...new Set([...withScheme, ...bare, ...local].map(comparableLink))];
}

/** The email addresses of a text, in lower case. */
export function addressesIn(text: string): string[] {
  return [...new Set([...undisguise(text).matchAll(ADDRESS)].map(([found]) => found.toLowerCase()))];
}

const DATE =
  /(?<!\d)(?:(?:19|20)\d{2}\s?[-–/]\s?(?:19|20)\d{2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{4}-\d{2}-\d{2}|\d{1,2}[:.]\d{2}(?:\s?[-–]\s?\d{1,2}[:.]\d{2})?)(?!\d)/gu;
const AMOUNT =
  /(?:[€$£¥]|\b(?:EUR|USD|GBP|CHF)\b)\s?\d{1,3}(?:[., ]\d{3})*(?:[.,]\d{2})?(?!\d)|(?<!\d)\d{1,3}(?:[., ]\d{3})*(?:[.,]\d{2})?\s?(?:[€$£¥]|(?:EUR|USD|GBP|CHF)\b)/gu;
/** Digits that may be a telephone number, however they are grouped. */
const DIALLED = /(?<![\p{L}\d])[+(]?\d(?:[\s()/.–-]{0,3}\d){5,24}/gu;
const FEWEST_DIALLED = 7;
/**
 * A number of six digits or more without spaces or signs between them. Year ranges and order numbers are grouped in
 * other ways.
 */
const ONE_PIECE = /^\+?\d{6,}$/u;

/**
 * The telephone numbers of a text, as their digits: every run of digits that is long enough and is not a date, a time
 * or an amount.
 */
export function phonesIn(text: string): string[] {
  const plain = withDigits(undisguise(text)).replace(DATE, " ; ").replace(AMOUNT, " ; ");
  const found = [...plain.matchAll(DIALLED)].flatMap(([number]) => {
    const digits = number.replace(/\D/g, "");
    return digits.length >= FEWEST_DIALLED || ONE_PIECE.test(number) ? [digits.replace(/^00/, "")] : [];
  });
  return [...new Set(found)];
}

/**
 * Replaces full-width letters and dots by the usual ones, and the digits of every script by 0 to 9. A dot or an at sign
 * that is written as a word, alone or in brackets, counts as that sign.
 */
function undisguise(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Nd}/gu, ourDigit)
    .replace(/[。．｡․]/gu, ".")
    .replace(/\s*[[({]\s*(?:\.|dot|punkt|point|punto|ponto|stip|punt)\s*[\])}]\s*/giu, ".")
    .replace(/\s*[[({]\s*(?:@|at|ät|arroba|arobase|chiocciola)\s*[\])}]\s*/giu, "@")
    .replace(/\s+(?:arroba|arobase|chiocciola|klammeraffe)\s+/giu, "@")
    .replace(SPELLED_DOT, spelledDot)
    .replace(/(?<=\p{L})\s+at\s+(?=[\p{L}\p{N}-]+\.\p{L}{2,24}\u0000)/giu, "@")
    .replaceAll("\u0000", "")
    .replace(/\bhxxp/giu, "http");
}

/**
 * A dot that is written as a word. "point" and similar words are common, so they count only before the best-known
 * endings; "dot" counts before every existing ending.
 */
const SPELLED_DOT =
  /(?<=[\p{L}\p{N}]{2})\s+(dot|punkt|point|punto|ponto|stip|punt)\s+([\p{L}]{2,24})(?![\p{L}\p{N}])/giu;
const KNOWN_ENDINGS = new Set("com net org info biz io app dev shop site online xyz".split(" "));
/** Country endings that count after the word for "dot" in a language, in addition to the best-known endings. */
const OF_LANGUAGE: Readonly<Record<string, readonly string[]>> = {
  punkt: ["de", "at", "ch"],
  punto: ["it"],
  point: ["fr"],
  ponto: ["pt"],
  stip: ["nl"],
};

/** Turns a spelled dot into a dot. A NUL behind the name marks it, so that an "at" before it can be read as well. */
function spelledDot(whole: string, word: string, ending: string): string {
  const [dotWord, end] = [word.toLowerCase(), ending.toLowerCase()];
  const isEnding =
    dotWord === "dot"
      ? parse(`a.${end}`).isIcann === true
      : KNOWN_ENDINGS.has(end) || (OF_LANGUAGE[dotWord] ?? []).includes(end);
  return isEnding ? `.${end}\u0000` : whole;
}

/** The digit 0 to 9 for a digit of any script. The ten digits of a script are consecutive, the zero first. */
function ourDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value++;
  return String(value);
}

const WORDS_OF_DIGITS: readonly string[][] = [
  ["zero", "null", "zéro", "cero", "nul"],
  ["one", "eins", "un", "uno", "um", "een"],
  ["two", "zwei", "deux", "dos", "due", "dois", "twee", "zwo"],
  ["three", "drei", "trois", "tres", "tre", "três", "drie"],
  ["four", "vier", "quatre", "cuatro", "quattro", "quatro"],
  ["five", "fünf", "cinq", "cinco", "cinque", "vijf"],
  ["six", "sechs", "seis", "sei", "zes"],
  ["seven", "sieben", "sept", "siete", "sette", "sete", "zeven"],
  ["eight", "acht", "huit", "ocho", "otto", "oito"],
  ["nine", "neun", "neuf", "nueve", "nove", "negen"],
];
const DIGIT_OF = new Map(
  WORDS_OF_DIGITS.flatMap((words, digit) => words.map((word) => [word, String(digit)] as const)),
);
const ROW_OF_WORDS = new RegExp(`(?<!\\p{L})(?:(?:${[...DIGIT_OF.keys()].join("|")})(?!\\p{L})[\\s,.-]*){4,}`, "giu");

/** Replaces rows of at least four spelled digits by digits. */
function withDigits(text: string): string {
  return text.replace(ROW_OF_WORDS, (row) => {
    const digits =
      row
        .toLowerCase()
        .match(/\p{L}+/gu)
        ?.map((word) => DIGIT_OF.get(word) ?? "") ?? [];
    return `${digits.join("")} `;
  });
}

/**
 * Whether a word with a dot can be a link: it has an existing domain ending, or a port or a path follows it. "e.g" and
 * "Mr.Smith" are not links. IP addresses and endings in Punycode always are.
 */
function isPlace(found: string): boolean {
  const host = found.replace(/[/?#:].*$/u, "");
  if (new RegExp(`^${NUMBERS}$`).test(host) || /\.xn--[^.]*$/iu.test(host)) return true;
  if (/[/:][^\s]/u.test(found.slice(host.length)) && /[\p{L}\p{N}-]{2,}\.\p{L}{2,}$/u.test(host)) return true;
  const { isIcann, isPrivate, domain } = parse(host);
  return (
    domain !== null &&
    (isIcann === true || isPrivate === true || /\.(?:onion|eth|i2p|local|internal|lan)$/iu.test(host))
  );
}

function comparableLink(link: string): string {
  const [, scheme = "", rest = link] =
    /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/isu.exec(link.replace(/[.,;:!?'"*_]+$/u, "")) ?? [];
  const comparedScheme = /^(?:https?:\/\/)?$/i.test(scheme) ? "" : scheme.toLowerCase();
  const [host = "", ...path] = rest.split(/(?=[/?#])/u);
  return `${comparedScheme}${host.toLowerCase().replace(/^www\./, "")}${path.join("")}`.replace(/\/+$/u, "");
}
