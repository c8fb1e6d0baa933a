import { createPublicKey } from "node:crypto";
import { getPublicKey } from "mailauth/lib/tools.js";
import { DKIM_BITS, type DkimKey } from "../../domain/deliverability/dkim.ts";
import { type Ask, isAbsent } from "../net/records.ts";

/** Common selectors, used by large senders. */
const USUAL_SELECTORS = [
  "google",
  "selector1",
  "selector2",
  "default",
  "dkim",
  "mail",
  "k1",
  "s1",
  "s2",
  "20230601",
  "mx",
  "smtp",
];
const MOST_SELECTORS = 20;

/**
 * The DKIM keys of a domain (RFC 6376 3.6.1) at the selectors seen in its own email and at common selectors. Never
 * rejects.
 */
export function readKeys(ask: Ask, domain: string, seen: readonly string[]): Promise<DkimKey[]> {
  const selectors = [...new Set([...seen, ...USUAL_SELECTORS])].slice(0, MOST_SELECTORS);
  return Promise.all(selectors.map((selector) => readDkimKey(ask, domain, selector, seen.includes(selector))));
}

async function readDkimKey(ask: Ask, domain: string, selector: string, isSeen: boolean): Promise<DkimKey> {
  const name = `${selector}._domainkey.${domain}`;
  const without = (state: DkimKey["state"]) => ({ selector, isSeen, state, bits: null, isTest: false });
  const answer = await ask(name, "TXT").catch((error: unknown) => (isAbsent(error) ? [] : null));
  if (answer === null) return without("UNKNOWN");
  if (answer.length === 0) return without("ABSENT");
  const isTest = /(?:^|;)\s*t\s*=[^;]*\by\b/i.test([answer[0]].flat().join(""));
  try {
    const { publicKey } = await getPublicKey("DKIM", name, DKIM_BITS.fewest, async () => answer);
    const bits = createPublicKey(publicKey).asymmetricKeyDetails?.modulusLength ?? null;
    return { selector, isSeen, state: "USABLE", bits, isTest };
  } catch {
    return { ...without("UNUSABLE"), isTest };
  }
}
