import { DATA_REQUEST } from "../category.ts";
import type { IntentKind, ReplyIntent } from "./intents.ts";

/** The category of a reply that wants this. An address makes a REFERRAL of a wrong person. */
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
/** What counts where a reply wants several things, the most urgent first. */
const ORDER: readonly IntentKind[] = [
  ...(["OPT_OUT", "LEGAL", "COMPLAINT", "DATA_REQUEST", "REFERRAL", "LATER", "NOT_INTERESTED", "MEETING", "QUESTION"] as const),
  ...(["INTERESTED", "AUTOMATIC", "OTHER"] as const),
];

export interface SuggestedCategory {
  intent: IntentKind;
  category: string;
  /** From 0 to 1. */
  confidence: number;
}

/** The category that the words of a reply suggest; null when it has no words. A person confirms it, or gives another. */
export function suggestedCategory({ clauses }: ReplyIntent): SuggestedCategory | null {
  const intent = ORDER.find((one) => clauses.some((clause) => clause.intent === one));
  if (intent === undefined) return null;
  const own = clauses.filter((clause) => clause.intent === intent);
  const isWrongPerson = intent === "REFERRAL" && own.every(({ address }) => address === null);
  const confidence = Math.max(...own.map((clause) => clause.confidence));
  return { intent, category: isWrongPerson ? "WRONG_PERSON" : CATEGORIES[intent], confidence };
}
