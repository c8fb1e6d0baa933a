import type { Egress } from "../../connectors/net/egress.ts";
import { type Ask, isAbsent } from "../../connectors/net/records.ts";
import { DNS_LIMIT_MS } from "../../domain/mailboxes/dns-check.ts";
import { isDevelopmentHost, MOST_ALIASES, type TrackingFinding } from "../../domain/mailboxes/tracking-domain.ts";

/** Milliseconds for our front to present a certificate. For a new name it has one made first, which takes an authority some seconds. */
const TLS_LIMIT_MS = 2_500;

/** Host and port of our tracking front, from TRACK_URL. Plain HTTP has no certificates, and will do on a development machine alone. */
function frontOf(trackUrl: string): { isPlain: boolean; host: string; port: number } {
  const { protocol, hostname, port } = new URL(trackUrl);
  return { isPlain: protocol === "http:", host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || 443 };
}

/**
 * Checks whether a domain is an alias of ours and our front has a certificate for it (rules/states 6.4). It cannot check that other
 * resolvers see the
 * same, nor that the front serves the domain from outside.
 */
export async function findTracking(egress: Egress, trackUrl: string, domain: string, expectedCname: string): Promise<TrackingFinding> {
  const alias = await findAlias(egress, domain, expectedCname);
  if (alias !== "HELD") return alias;
  const { isPlain, host, port } = frontOf(trackUrl);
  if (isPlain) return isDevelopmentHost(host) ? "HELD_WITHOUT_TLS" : "PLAIN_HTTP";
  const certified = await egress.certifiedAt({ host, port }, domain, TLS_LIMIT_MS);
  if (certified === "VALID") return "HELD";
  return certified === "INVALID" ? "NO_CERTIFICATE" : "FRONT_UNREACHABLE";
}

/** Checks the alias alone. */
export function findAlias(egress: Egress, domain: string, expectedCname: string): Promise<TrackingFinding> {
  return egress.records(DNS_LIMIT_MS, (ask) => aliasOf(ask, domain, expectedCname));
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
