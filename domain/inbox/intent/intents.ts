/** What a person may want with a reply. */
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

/** A sentence of a reply, and one thing that it wants. */
export interface IntentClause {
  intent: IntentKind;
  /** The words that it rests on. */
  words: string;
  /** From 0 to 1. */
  confidence: number;
  /** For LATER: the day that the reply names, as YYYY-MM-DD. Null when it names none. */
  date: string | null;
  /** For REFERRAL: the address of the person to contact instead. Null when it names no one. */
  address: string | null;
}

export interface ReplyIntent {
  /** The language of most of its words, by ISO 639-1; null when no language knows its words. */
  language: string | null;
  clauses: readonly IntentClause[];
  /** CLEAR: the person asks for no more email. ASK: a person has to decide whether the words mean that. */
  optOut: "CLEAR" | "ASK" | null;
}

/** A reply as it is read. */
export interface ReplyToRead {
  /** What the person wrote, without quotes and signature. */
  words: string;
  subject?: string | null;
  /** What we wrote to the person before. If it is pasted into the reply, it is not the person's own text. */
  ours?: readonly string[];
  /** When it arrived (epoch ms), and the zone in which its days are meant. Without them, LATER has no date. */
  at?: number;
  timeZone?: string;
  /** Addresses that send us to no one else: the mailbox's and the writer's. */
  ownAddresses?: readonly string[];
}
