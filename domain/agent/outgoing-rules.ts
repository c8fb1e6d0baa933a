import { addressesIn, hasHidden, linksIn, phonesIn } from "./links.ts";

/** The most characters of a draft. */
const LONGEST_DRAFT = 4_000;
/** A draft that repeats this many words in a row of the instructions is refused. */
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
   * Our own texts: the workspace's settings, and the emails that it wrote in this thread. A draft may have their links
   * and telephone numbers.
   */
  ownTexts: readonly string[];
  /** The addresses that a draft may name. */
  ownAddresses: readonly string[];
  /** The texts that a draft must not reveal: our instructions to the model and the workspace's. */
  instructions: readonly string[];
  /** A random word in the instructions. If a draft contains it, the draft reveals the instructions. */
  canary: string;
}

/**
 * The reason to refuse a draft; null if there is none (rules/agent 4.1). A link, address or telephone number that
 * occurs only in emails of others is refused, because such emails may contain a prompt injection.
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

/** Texts that look like a key, a password or an account number. */
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
