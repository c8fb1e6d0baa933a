import { getDomain } from "tldts";

/** A field that servers on the way write above a mail (RFC 5321 4.4, RFC 8601). */
export interface TraceField {
  name: "received" | "authentication-results";
  value: string;
}

/** The servers that took a mail in for its mailbox, and what they wrote above it. */
export interface OwnSide {
  /** The newest first. */
  fields: readonly TraceField[];
  /** The organisations of its servers. */
  names: ReadonlySet<string>;
  /** Whether no other server had the mail before them, as far as the fields tell. */
  isAlone: boolean;
}

/**
 * Which trace fields are the mailbox's own servers' (RFC 8601 5): those above the first Received of another organisation, as whatever
 * stands below it is the sender's. The topmost Received is always the receiving server's; `ownHosts` are its mail servers and its domain.
 */
export function ownSideOf(trace: readonly TraceField[], ownHosts: readonly string[]): OwnSide {
  const topmost = trace.flatMap(receiverOf).at(0);
  const names = new Set([...ownHosts, ...(topmost === undefined ? [] : [topmost])].map(organisationOf));
  const isAnothers = (field: TraceField) => receiverOf(field).some((host) => host.includes(".") && !names.has(organisationOf(host)));
  const end = trace.findIndex(isAnothers);
  return { fields: end < 0 ? trace : trace.slice(0, end), names, isAlone: end < 0 };
}

/** The registrable domain of a host or a domain; what has none stands for itself. Who rents a name below a host is somebody else. */
export function organisationOf(host: string): string {
  return getDomain(host.toLowerCase(), { allowPrivateDomains: true }) ?? host.toLowerCase();
}

/** How a server writes that it made the mail itself (Postfix, Exim, sendmail, qmail), and not on behalf of one of its users. */
const BORN =
  /^(?:by\s(?!.{0,300}\bfrom userid)|\(qmail \d{1,12} invoked for bounce\)|from localhost \(localhost\) by\s|from (?:debian-)?(?:exim|mail(?:null)?|root|daemon) by\s.{0,200}\bwith local\b)/i;
const HANDED_ON = /^from\s.{0,500}?\bby\s.{0,300}\bwith (?:utf8)?lmtp/i;
const ADDRESS = /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}(?::[\da-f]{0,4}){2,7})(?![\w.:])/gi;

/**
 * Was the mail made by the mailbox's own submission server? Its fields show no way from anywhere else: it was born here, and every
 * peer since is one of `ownAddresses` or this very machine. A stranger's mail always has a line about the stranger above its own ones.
 */
export function isMadeHere({ fields, isAlone }: OwnSide, ownAddresses: readonly string[]): boolean {
  const hops = fields.flatMap(({ name, value }) => (name === "received" ? [value.trim()] : []));
  const first = hops.at(-1);
  if (!isAlone || first === undefined || !BORN.test(first)) return false;
  return hops.slice(0, -1).every((hop) => {
    const peers = peersOf(hop);
    return peers.length === 0
      ? BORN.test(hop) || HANDED_ON.test(hop)
      : peers.every((peer) => isLoopback(peer) || ownAddresses.includes(peer));
  });
}

/** Every address that a Received names as its peer, the one that the peer claims to have among them. */
function peersOf(received: string): string[] {
  const peer = /^from\s(.{0,1000}?)(?:\sby\s|$)/i.exec(received)?.[1] ?? "";
  return [...peer.replace(/\bipv6:/gi, " ").matchAll(ADDRESS)].map(([address]) => address.toLowerCase());
}

function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

function receiverOf({ name, value }: TraceField): string[] {
  if (name !== "received") return [];
  const [, host] = /\sby\s+([a-z0-9][\w.-]{0,250})(?=[\s;(]|$)/i.exec(` ${value.slice(0, 2_000)}`) ?? [];
  return host === undefined ? [] : [host];
}
