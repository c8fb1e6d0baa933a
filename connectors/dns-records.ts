import type { DNSResolver } from "mailauth";
import { dmarc } from "mailauth/lib/dmarc/index.js";
import { spf } from "mailauth/lib/spf/index.js";
import { getPublicKey } from "mailauth/lib/tools.js";
import type { DnsChecks, DnsVerdict } from "../domain/mailboxes/dns-check.ts";
import { type Ask, isAbsent } from "./net/records.ts";

/** Selectors that large senders use. Selectors seen in the mailbox's own mail are tried first. */
const USUAL_SELECTORS = ["google", "selector1", "selector2", "default", "dkim", "mail", "k1", "s1", "s2", "20230601", "mx", "smtp"];
const MOST_SELECTORS = 20;
const MIN_KEY_BITS = 1_024;
/**
 * An address of the documentation range (RFC 5737). No domain sends from it, so it gets the policy for everybody who is not allowed to
 * send.
 */
const NOBODYS_ADDRESS = "192.0.2.1";

/** The verdict on the four records of a sending domain (rules/states 6.3). Never throws: a record that could not be queried is UNKNOWN. */
export async function checkRecords(ask: Ask, domain: string, knownSelectors: readonly string[]): Promise<DnsChecks> {
  const [mx, spfVerdict, dkim, dmarcVerdict] = await Promise.all([
    unlessUnknown(() => mxOf(ask, domain)),
    unlessUnknown(() => spfOf(ask, domain)),
    unlessUnknown(() => dkimOf(ask, domain, knownSelectors)),
    unlessUnknown(() => dmarcOf(ask, domain)),
  ]);
  return { mx, spf: spfVerdict, dkim, dmarc: dmarcVerdict };
}

async function unlessUnknown(check: () => Promise<DnsVerdict>): Promise<DnsVerdict> {
  try {
    return await check();
  } catch {
    return "UNKNOWN";
  }
}

/**
 * RFC 5321 5.1: without an MX the address of the domain itself receives the mail. RFC 7505: a lone dot says that the domain accepts no
 * mail.
 */
async function mxOf(ask: Ask, domain: string): Promise<DnsVerdict> {
  const exchanges = await none(ask(domain, "MX"));
  const names = exchanges.flatMap((each) => (isExchange(each) ? [each.exchange] : []));
  if (names.length > 0) return names.some((name) => name !== "" && name !== ".") ? "PASS" : "FAIL";
  const addresses = [...(await none(ask(domain, "A"))), ...(await none(ask(domain, "AAAA")))];
  return addresses.length > 0 ? "WARN" : "FAIL";
}

/** RFC 7208, evaluated for an address from which nobody sends: a policy that lets it pass, or is neutral about it, protects nothing. */
async function spfOf(ask: Ask, domain: string): Promise<DnsVerdict> {
  const { status } = await spf({
    sender: `postmaster@${domain}`,
    ip: NOBODYS_ADDRESS,
    helo: domain,
    resolver: resolverOf(ask),
  });
  switch (status.result) {
    case "fail":
    case "softfail":
      return "PASS";
    case "pass":
    case "neutral":
      return "WARN";
    case "none":
    case "permerror":
      return "FAIL";
    default:
      return "UNKNOWN";
  }
}

/**
 * RFC 6376 3.6.1: one usable key is enough for PASS. FAIL needs keys that are all unusable. When no selector has a record, the verdict is
 * UNKNOWN.
 */
async function dkimOf(ask: Ask, domain: string, known: readonly string[]): Promise<DnsVerdict> {
  const selectors = [...new Set([...known, ...USUAL_SELECTORS])].slice(0, MOST_SELECTORS);
  const found = await Promise.all(selectors.map((selector) => keyOf(ask, `${selector}._domainkey.${domain}`)));
  if (found.includes("PASS")) return "PASS";
  return found.includes("FAIL") ? "FAIL" : "UNKNOWN";
}

async function keyOf(ask: Ask, name: string): Promise<"PASS" | "FAIL" | "ABSENT"> {
  const answer = await ask(name, "TXT").catch(() => null);
  if (answer === null || answer.length === 0) return "ABSENT";
  try {
    await getPublicKey("DKIM", name, MIN_KEY_BITS, async () => answer);
    return "PASS";
  } catch {
    return "FAIL";
  }
}

/** RFC 9989: the record is found by the tree walk, so a sub-domain falls under the record of its organisation. */
async function dmarcOf(ask: Ask, domain: string): Promise<DnsVerdict> {
  const result = await dmarc({ headerFrom: domain, spfDomains: [], dkimDomains: [], resolver: resolverOf(ask) });
  if (result === false) return "UNKNOWN";
  if (result.status.result === "temperror") return "UNKNOWN";
  if (result.status.result === "none" || result.status.result === "permerror") return "FAIL";
  return result.policy === "none" ? "WARN" : "PASS";
}

function resolverOf(ask: Ask): DNSResolver {
  return ask as DNSResolver; // the library types MX and PTR answers as texts but accepts them as node:dns gives them
}

async function none(answer: Promise<unknown[]>): Promise<unknown[]> {
  try {
    return await answer;
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function isExchange(value: unknown): value is { exchange: string } {
  return typeof value === "object" && value !== null && "exchange" in value && typeof value.exchange === "string";
}
