import ipaddr from "ipaddr.js";

/** A DNS block list (RFC 5782), by its zone: of addresses, or of domains. */
export interface BlockList {
  zone: string;
  of: "ADDRESS" | "DOMAIN";
}

/** UNKNOWN: the list did not answer, or refused to (rules/deliverability 2.2). */
export const LISTINGS = ["CLEAR", "LISTED", "UNKNOWN"] as const;
export type Listing = (typeof LISTINGS)[number];

/** What a list says about one subject: a domain, or an address of one of its servers. */
export interface ListedSubject {
  list: BlockList;
  subject: string;
  status: Listing;
}

/** What a list answered to one question: addresses, none where the name is not in it, null when no one answered. */
export type ListAnswer = readonly string[] | null;

const ZONE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

/** Lists as DNSBL_ZONES names them. @throws Error that says what is wrong with a name */
export function readBlockLists(names: readonly string[]): BlockList[] {
  return names.map((name) => {
    const [, kind, zone = ""] = /^(domain:)?(.*)$/.exec(name.toLowerCase()) ?? [];
    if (!ZONE.test(zone) || zone.length > 180)
      throw new Error(`${name} is not a zone, such as bl.example.org or domain:dbl.example.org`);
    return { zone, of: kind === undefined ? "ADDRESS" : "DOMAIN" };
  });
}

/**
 * The name to ask a list for (RFC 5782 2.1, 2.4, 3): reversed octets of IPv4, reversed nibbles of IPv6, or the domain.
 * Null for neither.
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

/** The entries by which a list shows that it works (RFC 5782 5): one that it must hold, and one that it must not. */
export function testEntries({ of }: BlockList): { listed: string; clear: string } {
  return of === "DOMAIN" ? { listed: "test", clear: "invalid" } : { listed: "127.0.0.2", clear: "127.0.0.1" };
}

/**
 * What an answer says. Only addresses of 127.0.0.0/8 mean a listing. Lists refuse with 127.255.255.0/24, and 127.0.0.1
 * must never be an answer. Other addresses come from someone who bought a list's name or answers for every name.
 */
export function listingOf(answer: ListAnswer): Listing {
  if (answer === null) return "UNKNOWN";
  if (answer.length === 0) return "CLEAR";
  const isListing = (text: string) =>
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(text) && !/^127\.255\.255\./.test(text) && text !== "127.0.0.1";
  return answer.every(isListing) ? "LISTED" : "UNKNOWN";
}

/** Whether a list passes its own test. A list that does not says nothing about anyone. */
export function isFit(answers: { listed: ListAnswer; clear: ListAnswer }): boolean {
  return listingOf(answers.listed) === "LISTED" && listingOf(answers.clear) === "CLEAR";
}
