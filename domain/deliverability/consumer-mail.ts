/** Consumer mail services with published rules for senders. */
export const CONSUMER_HOSTS = ["GOOGLE", "YAHOO", "MICROSOFT"] as const;
export type ConsumerHost = (typeof CONSUMER_HOSTS)[number];

const GOOGLE = new Set(["gmail.com", "googlemail.com"]);
const YAHOO = /^(?:yahoo|ymail|rocketmail|myyahoo|aol|aim)\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/;
const MICROSOFT = /^(?:outlook|hotmail|live|msn|windowslive|passport)\.(?:[a-z]{2,4}|com?\.[a-z]{2})$/;

/**
 * The consumer mail service of addresses at a domain; null for every other domain. Company domains at the same
 * providers do not count, because the rules apply only to consumer addresses.
 */
export function consumerHostOf(domain: string): ConsumerHost | null {
  if (GOOGLE.has(domain)) return "GOOGLE";
  if (YAHOO.test(domain)) return "YAHOO";
  return MICROSOFT.test(domain) ? "MICROSOFT" : null;
}
