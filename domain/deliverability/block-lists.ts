import ipaddr from "ipaddr.js";

/** A DNS block list (RFC 5782): its zone, and whether it lists IP addresses or domains. */
export interface BlockList {
  zone: string;
  of: "ADDRESS" | "DOMAIN";
}

/** UNKNOWN: the list did not answer, or refused to (rules/deliverability 2.2). */
export const LISTINGS = ["CLEAR", "LISTED", "UNKNOWN"] as const;
export type Listing = (typeof LISTINGS)[number];

/** The listing of one subject: a domain, or an IP address of one of its servers. */
export interface ListedSubject {
  list: BlockList;
  subject: string;
  status: Listing;
}

/** The answer of a list to one query: IP addresses, none if the name is not listed, null if there was no answer. */
export type ListAnswer = readonly string[] | null;

const ZONE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

/** Reads the block lists that DNSBL_ZONES names. @throws Error that says what is wrong with a name */
export function readBlockLists(names: readonly string[]): BlockList[] {
  return names.map((name) => {
    const [, kind, zone = ""] = /^(domain:)?(.*)$/.exec(name.toLowerCase()) ?? [];
    if (!ZONE.test(zone) || zone.length > 180)
      throw new Error(`${name} is not a zone, such as bl.example.org or domain:dbl.example.org`);
    return { zone, of: kind === undefined ? "ADDRESS" : "DOMAIN" };
  });
}

/**
 * The DNS name to query in a list (RFC 5782 2.1, 2.4, 3): reversed octets of an IPv4 address, reversed nibbles of an
 * IPv6 address, or the domain. Null if a list of IP addresses is asked about something else.
 */
export function questionOf({ zone, of }: BlockList, subject: string): string | null {
  if (of === "DOMAIN") return `${subject}.${zone}`;
  if (!ipaddr.isValid(subject)) return null;
  const address = ipaddr.process(subject);
  if (address.kind() === "ipv4") return `${address.toByteArray().reverse().join(".")}.${zone}`;
  const nibbles = address.toByteArray().flatMap((byte) => [byte >> 4, byte & 15]);
  return `${nibbles
    .reverse()
    .map((nibble) => nibble.toString(16))
    .join(".")}.${zone}`;
}

/** The test entries of a list (RFC 5782 5): one that every working list contains, and one that none contains. */
export function testEntries({ of }: BlockList): { listed: string; clear: string } {
  return of === "DOMAIN" ? { listed: "test", clear: "invalid" } : { listed: "127.0.0.2", clear: "127.0.0.1" };
}

/**
 * The meaning of an answer. Only addresses in 127.0.0.0/8 mean a listing. With 127.255.255.0/24 lists refuse the query,
 * and 127.0.0.1 is never a valid answer. Any other address comes from a server that answers every query, for example
 * because the list's domain was sold.
 */
export function listingOf(answer: ListAnswer): Listing {
  if (answer === null) return "UNKNOWN";
  if (answer.length === 0) return "CLEAR";
  const isListing = (text: string) =>
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(text) && !/^127\.255\.255\./.test(text) && text !== "127.0.0.1";
  return answer.every(isListing) ? "LISTED" : "UNKNOWN";
}

/** Whether a list passes its own test. The answers of a list that does not pass are ignored. */
export function isFit(answers: { listed: ListAnswer; clear: ListAnswer }): boolean {
  return listingOf(answers.listed) === "LISTED" && listingOf(answers.clear) === "CLEAR";
}
