/** Letters that cannot be decomposed into a base letter and a mark, as they are commonly written without the mark. */
const PLAIN: Record<string, string> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ı: "i",
  ς: "σ",
  "’": "'",
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "gu");
const MARKS = /[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]/gu;

/**
 * A text in the form in which searches compare texts: in lower case, without accents and invisible characters, and with
 * full-width characters replaced.
 */
export function foldText(text: string): string {
  const bare = text.normalize("NFKD").replace(MARKS, "").normalize("NFC").toLowerCase();
  return bare.replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
}

/** The words of a search in the form in which texts are compared with it; `@` before a domain means the domain. */
export function foldedTerms(search: string): string[] {
  const words = foldText(search).split(/\s+/u).filter(Boolean);
  return [...new Set(words.map((word) => (word.length > 1 && word.startsWith("@") ? word.slice(1) : word)))];
}

/** Whether each word of a search occurs somewhere in one of these texts. */
export function isNamed(search: string, texts: readonly string[]): boolean {
  const folded = texts.map(foldText);
  return foldedTerms(search).every((term) => folded.some((text) => text.includes(term)));
}
