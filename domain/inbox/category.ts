export type Sentiment = "POSITIVE" | "NEUTRAL" | "NEGATIVE";

const POSITIVE = ["INTERESTED", "MEETING_REQUEST", "MEETING_BOOKED", "INFORMATION_REQUEST", "REFERRAL"];
const NEGATIVE = ["NOT_INTERESTED", "DO_NOT_CONTACT", "UNSUBSCRIBE"];
/** Categories of mail that no person wrote as a reply (rules/states 5.7). */
export const AUTOMATIC_CATEGORIES: readonly string[] = ["OUT_OF_OFFICE", "AUTO_REPLY"];
/** A person asks what is known of them, where from, or to erase it: only people answer, and the law sets a term. */
export const DATA_REQUEST = "DATA_REQUEST";
/** Categories by which a person asks to receive no more mail. */
export const OPT_OUT_CATEGORIES: readonly string[] = ["DO_NOT_CONTACT", "UNSUBSCRIBE"];

/**
 * How a category of a reply is meant (rules/states 5.7). A category that is not known is neutral; a reply without a category has no
 * sentiment.
 */
export function sentimentOf(category: string | null): Sentiment | null {
  if (category === null) return null;
  return POSITIVE.includes(category) ? "POSITIVE" : NEGATIVE.includes(category) ? "NEGATIVE" : "NEUTRAL";
}
