/** Mail services for persons whose rules for senders are published. */
export const CONSUMER_HOSTS = ["GOOGLE", "YAHOO", "MICROSOFT"] as const;
export type ConsumerHost = (typeof CONSUMER_HOSTS)[number];

const GOOGLE = new Set(["gmail.com", "googlemail.com"]);
const YAHOO = /^(?:yahoo|ymail|rocketmail|myyahoo|aol|aim)\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/;
const MICROSOFT = /^(?:outlook|hotmail|live|msn|windowslive|passport)\.(?:[a-z]{2,4}|com?\.[a-z]{2})$/;

/**
 * The service that addresses of this domain belong to; null for every other domain. Company addresses at the same hosts
 * do not count, because the rules apply only to persons' addresses.
 */
export function consumerHostOf(domain: string): ConsumerHost | null {
  if (GOOGLE.has(domain)) return "GOOGLE";
  if (YAHOO.test(domain)) return "YAHOO";
  return MICROSOFT.test(domain) ? "MICROSOFT" : null;
}
