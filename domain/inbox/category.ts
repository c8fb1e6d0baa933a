import type { IntentKind, ReplyIntent } from "./intent/intents.ts";

export type Sentiment = "POSITIVE" | "NEUTRAL" | "NEGATIVE";

const POSITIVE = ["INTERESTED", "MEETING_REQUEST", "MEETING_BOOKED", "INFORMATION_REQUEST", "REFERRAL"];
const NEGATIVE = ["NOT_INTERESTED", "DO_NOT_CONTACT", "UNSUBSCRIBE"];
/** Categories of email that no person wrote as a reply (rules/states 5.7). */
export const AUTOMATIC_CATEGORIES: readonly string[] = ["OUT_OF_OFFICE", "AUTO_REPLY"];
/**
 * The category of a reply in which a person asks for the data stored about them and its source, or asks to erase that
 * data. Only people answer such a request, and the law sets a deadline.
 */
export const DATA_REQUEST = "DATA_REQUEST";
/** Categories of replies that ask for no more email. */
export const OPT_OUT_CATEGORIES: readonly string[] = ["DO_NOT_CONTACT", "UNSUBSCRIBE"];

/**
 * The sentiment of a reply's category (rules/states 5.7). An unknown category is neutral; a reply without a category
 * has no sentiment.
 */
export function sentimentOf(category: string | null): Sentiment | null {
  if (category === null) return null;
  return POSITIVE.includes(category) ? "POSITIVE" : NEGATIVE.includes(category) ? "NEGATIVE" : "NEUTRAL";
}

/** The category for each intent. For REFERRAL, see `suggestedCategory`: without an address it is WRONG_PERSON. */
const CATEGORIES: Record<IntentKind, string> = {
  OPT_OUT: "UNSUBSCRIBE",
  DATA_REQUEST,
  LEGAL: "LEGAL",
  COMPLAINT: "COMPLAINT",
  REFERRAL: "REFERRAL",
  LATER: "NOT_NOW",
  NOT_INTERESTED: "NOT_INTERESTED",
  MEETING: "MEETING_REQUEST",
  QUESTION: "INFORMATION_REQUEST",
  INTERESTED: "INTERESTED",
  AUTOMATIC: "AUTO_REPLY",
  OTHER: "OTHER",
};
/** If a reply has several intents, the first one in this order counts. */
const ORDER: readonly IntentKind[] = [
  ...([
    "OPT_OUT",
    "LEGAL",
    "COMPLAINT",
    "DATA_REQUEST",
    "REFERRAL",
    "LATER",
    "NOT_INTERESTED",
    "MEETING",
    "QUESTION",
  ] as const),
  ...(["INTERESTED", "AUTOMATIC", "OTHER"] as const),
];

interface SuggestedCategory {
  intent: IntentKind;
  category: string;
  /** From 0 to 1. */
  confidence: number;
}

/**
 * The category that the words of a reply suggest; null if none of its sentences has a known intent. A person confirms
 * it or chooses another one.
 */
export function suggestedCategory({ clauses }: ReplyIntent): SuggestedCategory | null {
  const intent = ORDER.find((one) => clauses.some((clause) => clause.intent === one));
  if (intent === undefined) return null;
  const own = clauses.filter((clause) => clause.intent === intent);
  const isWrongPerson = intent === "REFERRAL" && own.every(({ address }) => address === null);
  const confidence = Math.max(...own.map((clause) => clause.confidence));
  return { intent, category: isWrongPerson ? "WRONG_PERSON" : CATEGORIES[intent], confidence };
}
