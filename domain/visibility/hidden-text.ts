/**
 * The most pieces of hidden text that are searched in the plain text, and the fewest characters of a piece. A shorter
 * piece may occur anywhere.
 */
const MOST_RUNS = 50;
const LEAST = 12;
const MOST_WORDS = 400;

/** A regional flag emoji: a black flag followed by invisible letters (UTS 51). */
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,12}\u{e007f}/gu;
/** Invisible letters, and variation selectors after another variation selector, which have no effect. */
const INVISIBLE = /[\u{e0000}-\u{e007f}]+|(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

/** The text that a reader sees, and how many characters were removed from the original. */
export interface SeenText {
  text: string;
  hiddenCharacters: number;
}

/** Removes characters that no program displays. They can hide a second text within a text (rules/mail 11.5). */
export function withoutInvisible(text: string): SeenText {
  if (!/[\ufe00-\ufe0f\u{e0000}-\u{e01ef}]/u.test(text)) return { text, hiddenCharacters: 0 };
  const flags: string[] = [];
  const protectedText = text.replace(FLAG, (flag) => `\u{fdd0}${flags.push(flag) - 1}\u{fdd1}`);
  let hiddenCharacters = 0;
  const seen = protectedText.replace(INVISIBLE, (run) => {
    hiddenCharacters += [...run].length;
    return "";
  });
  return {
    text: seen.replace(/\u{fdd0}(\d+)\u{fdd1}/gu, (_, index: string) => flags[Number(index)] ?? ""),
    hiddenCharacters,
  };
}

/**
 * Removes text that the HTML part hides from the plain text, because programs create the plain text from the HTML. Text
 * that the HTML also shows somewhere is kept.
 */
export function withoutHidden(text: string, hidden: readonly string[], shownText: string): SeenText {
  const visible = collapseSpace(shownText);
  let [left, hiddenCharacters] = [text, 0];
  for (const run of hidden
    .map(collapseSpace)
    .filter((one) => one.length >= LEAST && !visible.includes(one))
    .slice(0, MOST_RUNS)) {
    const words = run
      .split(" ")
      .slice(0, MOST_WORDS)
      .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    left = left.replace(new RegExp(words.join("[\\s>|*_]{1,20}"), "gu"), (found) => {
      hiddenCharacters += countOf(found);
      return "";
    });
  }
  return { text: hiddenCharacters === 0 ? text : left.trim(), hiddenCharacters };
}

/**
 * The fewest letters of a paragraph that is compared, because a shorter one may occur anywhere. The second number is
 * the length, in letters, of the pieces of a paragraph that are searched.
 */
const LEAST_LETTERS = 40;
/**
 * The fewest letters in the HTML part for a comparison. HTML with fewer letters consists of pictures, which the text
 * part may describe.
 */
const LEAST_SHOWN = 12;
const PIECE = 6;
const STEP = 3;
/** The share of a paragraph's pieces that must occur in the visible HTML text. */
const LEAST_SHARE = 0.3;
const MOST_LETTERS = 100_000;

/**
 * Removes paragraphs of the text part that have almost nothing in common with the HTML part, which is the part that
 * readers see. Only letters and digits are compared, because programs wrap lines and write markup and links in
 * different ways.
 */
export function withoutOthers(text: string, shownText: string): SeenText {
  const letters = lettersAndDigits(shownText);
  if (letters.length < LEAST_SHOWN || letters.length > MOST_LETTERS || text.length > MOST_LETTERS)
    return { text, hiddenCharacters: 0 };
  const pieces = new Set(Array.from(letters, (_, at) => letters.slice(at, at + PIECE)));
  let hiddenCharacters = 0;
  const paragraphs = text.split(/(\n[^\S\n]*\n\s*)/).map((paragraph) => {
    if (isShown(lettersAndDigits(paragraph), pieces)) return paragraph;
    hiddenCharacters += countOf(paragraph);
    return "";
  });
  return hiddenCharacters === 0 ? { text, hiddenCharacters } : { text: paragraphs.join("").trim(), hiddenCharacters };
}

function isShown(paragraph: string, shownPieces: ReadonlySet<string>): boolean {
  if (paragraph.length < LEAST_LETTERS) return true;
  const places = Array.from({ length: Math.floor((paragraph.length - PIECE) / STEP) + 1 }, (_, index) => index * STEP);
  const found = places.filter((at) => shownPieces.has(paragraph.slice(at, at + PIECE)));
  return found.length >= places.length * LEAST_SHARE;
}

function lettersAndDigits(text: string): string {
  return text
    .replace(/(?:https?:\/\/|mailto:|cid:)[^\s<>"']{1,2000}/gi, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The number of characters of a text without white space. */
export function countOf(text: string): number {
  return [...text.replace(/\s+/g, "")].length;
}

function collapseSpace(text: string): string {
  return text.replace(/[\s\u200b-\u200d\ufeff]+/g, " ").trim();
}
