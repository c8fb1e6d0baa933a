/** The possible intents of a reply. */
export const INTENTS = [
  "OPT_OUT",
  "DATA_REQUEST",
  "LEGAL",
  "COMPLAINT",
  "REFERRAL",
  "LATER",
  "NOT_INTERESTED",
  "MEETING",
  "QUESTION",
  "INTERESTED",
  "AUTOMATIC",
  "OTHER",
] as const;
export type IntentKind = (typeof INTENTS)[number];

/** A sentence of a reply, and one intent of it. */
export interface IntentClause {
  intent: IntentKind;
  /** The words of the sentence. */
  words: string;
  /** From 0 to 1. */
  confidence: number;
  /** For LATER: the day that the reply names, as YYYY-MM-DD. Null when it names none. */
  date: string | null;
  /** For REFERRAL: the address of the person to contact instead. Null when it names no one. */
  address: string | null;
}

export interface ReplyIntent {
  /** The language to which most words of the reply belong, by ISO 639-1; null if the words are in no known language. */
  language: string | null;
  clauses: readonly IntentClause[];
  /** CLEAR: the person asks for no more email. ASK: a person has to decide whether the words mean that. */
  optOut: "CLEAR" | "ASK" | null;
}

/** The input for reading a reply's intent. */
export interface ReplyToRead {
  /** The person's text, without quotes and signature. */
  words: string;
  subject?: string | null;
  /** Our earlier texts to the person. If a reply contains them, they are not the person's own text. */
  ours?: readonly string[];
  /**
   * When the reply arrived (epoch milliseconds), and the time zone in which days in the reply are read. Without them,
   * LATER has no date.
   */
  at?: number;
  timeZone?: string;
  /** Addresses that are not a referral: the mailbox's and the writer's. */
  ownAddresses?: readonly string[];
}
