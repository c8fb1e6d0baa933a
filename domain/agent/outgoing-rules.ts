import { addressesIn, hasHidden, linksIn, phonesIn } from "./links.ts";

/** The most characters of a draft. */
const LONGEST_DRAFT = 4_000;
/** This many equal words in a row are no accident. */
const SAME_WORDS = 8;

const DRAFT_FAULTS = [
  "TOO_LONG",
  "HIDDEN_TEXT",
  "MARKUP",
  "FOREIGN_LINK",
  "FOREIGN_ADDRESS",
  "FOREIGN_PHONE",
  "SECRET",
  "LEAK",
] as const;
export type DraftFault = (typeof DRAFT_FAULTS)[number];

export interface DraftGround {
  /**
   * Our own texts: what the workspace has set, and what it has written in this thread. A draft may have their links and
   * telephone numbers.
   */
  ownTexts: readonly string[];
  /** The addresses that a draft may name. */
  ownAddresses: readonly string[];
  /** What a draft must not reveal: our instructions and the workspace's. */
  instructions: readonly string[];
  /** A word that was given with the question and has no reason to appear in the answer. */
  canary: string;
}

/**
 * What is wrong with a draft, whatever the model was instructed or meant; null when nothing is (rules/agent 4.1). The
 * emails of others do not justify a link, because text that a stranger wrote in the thread is exactly what an injection
 * would be.
 */
export function faultOf(
  draft: string,
  { ownTexts, ownAddresses, instructions, canary }: DraftGround,
): DraftFault | null {
  if (draft.length > LONGEST_DRAFT) return "TOO_LONG";
  if (hasHidden(draft)) return "HIDDEN_TEXT";
  if (MARKUP.test(draft)) return "MARKUP";
  const links = new Set(ownTexts.flatMap(linksIn));
  if (linksIn(draft).some((link) => !links.has(link))) return "FOREIGN_LINK";
  const allowedAddresses = new Set([...ownAddresses.map((one) => one.toLowerCase()), ...ownTexts.flatMap(addressesIn)]);
  if (addressesIn(draft).some((address) => !allowedAddresses.has(address))) return "FOREIGN_ADDRESS";
  if (SECRET.some((pattern) => pattern.test(draft))) return "SECRET";
  const phones = new Set(ownTexts.flatMap(phonesIn));
  if (phonesIn(draft).some((number) => !phones.has(number))) return "FOREIGN_PHONE";
  if (lettersAndDigits(draft).includes(lettersAndDigits(canary))) return "LEAK";
  const draftWords = ` ${splitWords(draft).join(" ")} `;
  return instructions.some((text) => runsOf(text).some((run) => draftWords.includes(` ${run} `))) ? "LEAK" : null;
}

const MARKUP = /<\s*\/?\s*[a-z!][^>]{0,500}>|!?\[[^\]]{0,200}\]\([^)]{0,2000}\)|\{\{|\{%/iu;

/** What looks like a key or a password, no matter whose. */
const SECRET = [
  /-----BEGIN [A-Z ]{3,40}-----/,
  /\b(?:sk|pk|rk|key|ghp|gho|xox[abp]|AKIA|AIza|whsec|tok)[-_]?[A-Za-z0-9_-]{16,}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
  /\b(?:password|passwort|api[ _-]?key|secret|token)\s*(?:is|:|=)\s*\S{6,}/i,
  /\b\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}\b/,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/,
];

function splitWords(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function runsOf(text: string): string[] {
  const words = splitWords(text);
  return words
    .slice(0, Math.max(0, words.length - SAME_WORDS + 1))
    .map((_, at) => words.slice(at, at + SAME_WORDS).join(" "));
}

function lettersAndDigits(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
