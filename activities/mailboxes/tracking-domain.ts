import type { Egress } from "../../connectors/net/egress.ts";
import { type Ask, isAbsent } from "../../connectors/net/records.ts";
import { DNS_LIMIT_MS } from "../../domain/mailboxes/dns-check.ts";
import { MOST_ALIASES, type TrackingFinding } from "../../domain/mailboxes/tracking-domain.ts";

const TLS_LIMIT_MS = 1_500;

/** Host and port of our tracking front, from TRACK_URL; null where it is plain HTTP (development) and has no certificates. */
function frontOf(trackUrl: string): { host: string; port: number } | null {
  const { protocol, hostname, port } = new URL(trackUrl);
  return protocol === "https:" ? { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || 443 } : null;
}

/**
 * Checks whether a domain is an alias of ours and our front has a certificate for it (rules/states 6.4). It cannot check that other
 * resolvers see the
 * same, nor that the front serves the domain from outside.
 */
export async function findTracking(egress: Egress, trackUrl: string, domain: string, expectedCname: string): Promise<TrackingFinding> {
  const alias = await egress.records(DNS_LIMIT_MS, (ask) => aliasOf(ask, domain, expectedCname));
  const front = frontOf(trackUrl);
  if (alias !== "HELD" || front === null) return alias;
  const certified = await egress.certifiedAt(front, domain, TLS_LIMIT_MS);
  if (certified === "VALID") return "HELD";
  return certified === "INVALID" ? "NO_CERTIFICATE" : "FRONT_UNREACHABLE";
}

async function aliasOf(ask: Ask, domain: string, expectedCname: string): Promise<TrackingFinding> {
  let name = domain;
  try {
    for (let hop = 0; hop < MOST_ALIASES; hop++) {
      const [target] = await ask(name, "CNAME");
      if (typeof target !== "string") return hop === 0 ? "NO_CNAME" : "OTHER_CNAME";
      name = target.toLowerCase().replace(/\.$/, "");
      if (name === expectedCname) return "HELD";
    }
    return "OTHER_CNAME";
  } catch (error) {
    if (isAbsent(error)) return name === domain ? "NO_CNAME" : "OTHER_CNAME";
    return "NOT_ANSWERED";
  }
}
