/**
 * How many runs of a hidden text are looked for elsewhere, and the least characters of a run. A shorter run may occur
 * anywhere.
 */
const MOST_RUNS = 50;
const LEAST = 12;
const MOST_WORDS = 400;

/** A flag is a black flag and letters that no one sees by themselves (UTS 51). */
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,12}\u{e007f}/gu;
/** Letters without a shape, and marks that choose a shape: more than one in a row chooses nothing. */
const INVISIBLE = /[\u{e0000}-\u{e007f}]+|(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;

/** A text as a reader sees it, and how many characters were removed from it. */
export interface SeenText {
  text: string;
  hiddenCharacters: number;
}

/** Removes characters that no program draws, with which a text can carry another one (rules/mail 11.5). */
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
 * Removes from an email's plain text what its HTML hides, because programs make the plain text from the HTML. Text that
 * the HTML also shows stays.
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
 * A paragraph with fewer letters may be anything. The second number is the length, in letters, of each piece of it that
 * is looked for.
 */
const LEAST_LETTERS = 40;
/** HTML with fewer letters shows almost no text, so the text part may describe its pictures. */
const LEAST_SHOWN = 12;
const PIECE = 6;
const STEP = 3;
/** The share of its pieces that a paragraph must have in common with what is shown. */
const LEAST_SHARE = 0.3;
const MOST_LETTERS = 100_000;

/**
 * Removes from the text part of two alternatives the paragraphs that have almost nothing in common with the HTML part,
 * which is the part that a reader sees. Only the letters of both are compared, because programs wrap, mark and link
 * them in different ways.
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

/** The characters of a text, without its white space. */
export function countOf(text: string): number {
  return [...text.replace(/\s+/g, "")].length;
}

function collapseSpace(text: string): string {
  return text.replace(/[\s\u200b-\u200d\ufeff]+/g, " ").trim();
}
