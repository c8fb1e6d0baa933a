import { judgeMx } from "../domain/deliverability/mx.ts";
import { judgeSpf } from "../domain/deliverability/spf.ts";
import type { DnsChecks, DnsVerdict } from "../domain/mailboxes/dns-check.ts";
import { readDmarc } from "./dns/dmarc.ts";
import { readKeys } from "./dns/keys.ts";
import { readMx } from "./dns/mx.ts";
import { readSpf } from "./dns/spf.ts";
import type { Ask } from "./net/records.ts";

/**
 * Judges the four DNS records of a sending domain (rules/states 6.3). Never throws: a record that could not be queried
 * is UNKNOWN.
 */
export async function checkRecords(ask: Ask, domain: string, knownSelectors: readonly string[]): Promise<DnsChecks> {
  const [mx, spf, dkim, dmarc] = await Promise.all([
    unlessUnknown(async () => judgeMx(domain, await readMx(ask, domain), []).verdict),
    unlessUnknown(async () => judgeSpf(domain, await readSpf(ask, domain), []).verdict),
    dkimOf(ask, domain, knownSelectors),
    unlessUnknown(() => dmarcOf(ask, domain)),
  ]);
  return { mx, spf, dkim, dmarc };
}

/** Runs a check; UNKNOWN if it fails. The verdict is never ABSENT, because every sending domain needs these records. */
async function unlessUnknown(check: () => Promise<DnsVerdict | "ABSENT">): Promise<DnsVerdict> {
  try {
    const verdict = await check();
    return verdict === "ABSENT" ? "UNKNOWN" : verdict;
  } catch {
    return "UNKNOWN";
  }
}

/**
 * RFC 6376 3.6.1: one usable key is enough for PASS. FAIL needs keys that are all unusable. When no selector has a
 * record, the verdict is UNKNOWN.
 */
async function dkimOf(ask: Ask, domain: string, selectors: readonly string[]): Promise<DnsVerdict> {
  const states = (await readKeys(ask, domain, selectors)).map(({ state }) => state);
  if (states.includes("USABLE")) return "PASS";
  return states.includes("UNUSABLE") ? "FAIL" : "UNKNOWN";
}

/**
 * The verdict on the DMARC record. It is found by the tree walk of RFC 9989, so the record of the organisational domain
 * applies to its subdomains.
 */
async function dmarcOf(ask: Ask, domain: string): Promise<DnsVerdict> {
  const facts = await readDmarc(ask, domain);
  if (facts === null) return "UNKNOWN";
  if (facts.record === null) return "FAIL";
  return facts.policy === "none" ? "WARN" : "PASS";
}
