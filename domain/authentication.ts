import { getDomain } from "tldts";
import type { Inbound } from "./inbound.ts";
import { domainOf } from "./message.ts";

/** What SPF, DKIM and DMARC said of the From address. NONE: nothing did. */
export type Authentication = "PASS" | "FAIL" | "NONE";

/** Hosts that a receiver writes into Received; a sender's own lines stand below them. */
const TOPMOST = 3;

/**
 * What the receiving server noted in Authentication-Results (RFC 8601): only its topmost header counts, and only when it is signed
 * with the organisation of a host that received the mail, or of `ownHosts` (IMAP server, mailbox domain); whatever stands below may
 * be the sender's. Null when there is none.
 */
export function statedAuthentication({ headers, from }: Inbound, ownHosts: readonly string[]): Authentication | null {
  const topmost = headers.get("authentication-results")?.[0];
  if (topmost === undefined) return null;
  const stated = withoutComments(topmost);
  const receivers = [...(headers.get("received") ?? []).slice(0, TOPMOST).flatMap(receiverOf), ...ownHosts].flatMap(organisationOf);
  const [first = "", ...rest] = stated.split(";");
  const server = first.trim().split(/\s+/, 1)[0] ?? "";
  // Exchange Online names no server at all
  const isUnnamed = server.includes("=");
  const isTrusted = isUnnamed ? receivers.includes("outlook.com") : organisationOf(server).some((name) => receivers.includes(name));
  if (!isTrusted) return null;
  return verdictOf(isUnnamed ? stated.split(";") : rest, from?.address ?? "");
}

/** DMARC where it was asked (RFC 7489); else a signature or an envelope of the From domain's organisation. */
function verdictOf(results: readonly string[], from: string): Authentication {
  const own = organisationOf(domainOf(from))[0];
  const found = results.flatMap((each) => {
    const [, method = "", result = ""] = /^\s*(dmarc|dkim|spf)\s*=\s*([a-z]+)/i.exec(each) ?? [];
    if (method === "") return [];
    const [, name = ""] = /(?:header\.d|header\.i|smtp\.mailfrom|smtp\.mail|header\.from)\s*=\s*"?([^\s;"]+)/i.exec(each) ?? [];
    const isAligned = own !== undefined && organisationOf(domainOf(name))[0] === own;
    return [{ method: method.toLowerCase(), result: result.toLowerCase(), isAligned }];
  });
  const dmarc = found.find(({ method }) => method === "dmarc")?.result;
  if (dmarc === "pass" || dmarc === "bestguesspass") return "PASS";
  if (dmarc === "fail") return "FAIL";
  const rest = found.filter(({ method }) => method !== "dmarc");
  if (rest.some(({ result, isAligned }) => result === "pass" && isAligned)) return "PASS";
  const isRefused = rest.some(({ method, result }) => method === "spf" && result === "fail");
  return isRefused && !rest.some(({ method, result }) => method === "dkim" && result === "pass") ? "FAIL" : "NONE";
}

function receiverOf(received: string): string[] {
  const [, host] = /\sby\s+([a-z0-9.-]+\.[a-z]{2,})\b/i.exec(` ${received.slice(0, 2_000)}`) ?? [];
  return host === undefined ? [] : [host];
}

function organisationOf(host: string): string[] {
  const domain = getDomain(host.toLowerCase(), { allowPrivateDomains: false });
  return domain === null ? [] : [domain];
}

/** Comments may hold semicolons and results of somebody's choice. */
function withoutComments(value: string): string {
  let text = value.slice(0, 10_000);
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/\([^()]*\)/g, " ");
  }
  return text;
}
