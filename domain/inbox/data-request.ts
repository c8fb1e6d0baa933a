import { dayIn, type LeadSource, sentencePartOf } from "../lead-source.ts";
import { readIntent } from "./intent/read.ts";

/** The sentences of a reply in which the person asks about their own data. */
export function dataRequestIn(reply: { words: string; subject: string | null }): string[] {
  const { clauses } = readIntent(reply);
  return [...new Set(clauses.filter(({ intent }) => intent === "DATA_REQUEST").map(({ words }) => words))];
}

/** What is known about the address of a person who asks where we got it. */
export interface KnownAddress {
  email: string;
  firstName: string | null;
  /** Null if it is unknown. */
  createdFrom: LeadSource | null;
  createdAt: Date;
  /** The source as a caller named it, or one of our words, such as `CSV`. */
  source: string | null;
}

/** Sources that the service names itself. */
const OUR_WORD = /^[A-Z_]+$/;

/**
 * A draft of the answer to "where did you get my address". It states only what is recorded. `sender` is the name of the
 * mailbox; days are those of the time zone.
 */
export function sourceAnswer(known: KnownAddress, sender: string | null, zone: string): string {
  const { email, firstName, createdFrom, createdAt, source } = known;
  const stated = (source ?? "").replaceAll(/[\p{C}\s]+/gu, " ").trim();
  const paragraphs = [
    isBlank(firstName) ? "Hello," : `Hello ${firstName.trim()},`,
    createdFrom === null
      ? `We have had your address ${email} since ${dayIn(createdAt, zone)}. Our records do not say where it came from.`
      : `We have your address ${email} from ${sentencePartOf(createdFrom, zone)}.`,
    stated === "" || OUR_WORD.test(stated) ? "" : `Our records name this source: ${stated}`,
    isBlank(sender) ? "Kind regards" : `Kind regards\n${sender.trim()}`,
  ];
  return paragraphs.filter((one) => one !== "").join("\n\n");
}

function isBlank(text: string | null): text is null {
  return text === null || text.trim() === "";
}
