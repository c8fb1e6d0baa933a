import { getDomain } from "tldts";

/** A trace field that servers on the way add above an email (RFC 5321 4.4, RFC 8601). */
export interface TraceField {
  name: "received" | "authentication-results";
  value: string;
}

/** The servers that received an email for its mailbox, and the fields that they added above it. */
export interface OwnSide {
  /** Newest first. */
  fields: readonly TraceField[];
  /** The organisations to which these servers belong. */
  names: ReadonlySet<string>;
  /** Whether, as far as the fields show, no server outside the mailbox's side handled the email. */
  isAlone: boolean;
}

/**
 * The trace fields that the mailbox's own servers added (RFC 8601 5). They are above the first Received of another
 * organisation; everything below may come from the sender. The topmost Received is always the receiving server's.
 * `ownHosts` are the mailbox's mail servers and its domain.
 */
export function ownSideOf(trace: readonly TraceField[], ownHosts: readonly string[]): OwnSide {
  const topmost = trace.flatMap(receiverOf).at(0);
  const names = new Set([...ownHosts, ...(topmost === undefined ? [] : [topmost])].map(organisationOf));
  const isAnothers = (field: TraceField) =>
    receiverOf(field).some((host) => host.includes(".") && !names.has(organisationOf(host)));
  const end = trace.findIndex(isAnothers);
  return { fields: end < 0 ? trace : trace.slice(0, end), names, isAlone: end < 0 };
}

/**
 * The registrable domain of a host or domain, or the name itself when it has none. A customer's name below a provider's
 * domain, such as `name.github.io`, is a separate organisation.
 */
export function organisationOf(host: string): string {
  return getDomain(host.toLowerCase(), { allowPrivateDomains: true }) ?? host.toLowerCase();
}

/**
 * The Received fields by which Postfix, Exim, sendmail and qmail state that the server created the email itself and not
 * on behalf of a user.
 */
const BORN =
  /^(?:by\s(?!.{0,300}\bfrom userid)|\(qmail \d{1,12} invoked for bounce\)|from localhost \(localhost\) by\s|from (?:debian-)?(?:exim|mail(?:null)?|root|daemon) by\s.{0,200}\bwith local\b)/i;
const HANDED_ON = /^from\s.{0,500}?\bby\s.{0,300}\bwith (?:utf8)?lmtp/i;
const ADDRESS = /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}(?::[\da-f]{0,4}){2,7})(?![\w.:])/gi;

/**
 * Whether the mailbox's own submission server created the email. The fields must show that the email did not arrive
 * from elsewhere: the oldest Received field says that it was created here, and every later one names a peer that is in
 * `ownAddresses` or is this machine itself. A stranger's email always has a field about the stranger above its own
 * fields.
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

/** Every address that a Received field names for its peer, including the address that the peer claims. */
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
