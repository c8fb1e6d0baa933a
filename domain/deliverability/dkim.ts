import { type Finding, finding } from "./finding.ts";
import { selectorsFor } from "./mail-hosts.ts";

/** The fewest bits of a valid RSA key, by RFC 8301 3.2, and the number of bits that receivers recommend. */
export const DKIM_BITS = { fewest: 1_024, advised: 2_048 } as const;

export interface DkimKey {
  selector: string;
  /**
   * Whether a DKIM signature of the domain's own email named this selector. Other selectors are only guessed because
   * they are usual.
   */
  isSeen: boolean;
  state: "USABLE" | "UNUSABLE" | "ABSENT" | "UNKNOWN";
  /** The bits of an RSA key; null for other keys and if there is no key. */
  bits: number | null;
  /** `t=y`: the domain only tests DKIM, and receivers treat its email as unsigned. */
  isTest: boolean;
}

/**
 * Judges the DKIM keys of a domain (RFC 6376 3.6.1). Only a selector from a signature of the domain's own email proves
 * that the email is signed. A guessed selector with a key shows only that someone published a key.
 */
export function judgeDkim(domain: string, keys: readonly DkimKey[], servers: readonly string[]): Finding {
  const named = (list: readonly DkimKey[]) =>
    list.map(({ selector, bits }) => `${selector}${bits === null ? "" : ` (${bits} bits)`}`);
  const seen = keys.filter(({ isSeen }) => isSeen);
  const usable = keys.filter(({ state }) => state === "USABLE");
  const found = named(keys.filter(({ state }) => state === "USABLE" || state === "UNUSABLE"));
  const publish = selectorsFor(servers).map((selector) => ({
    type: "TXT" as const,
    name: `${selector}._domainkey.${domain}`,
    value: "v=DKIM1; k=rsa; p=<the key that your mail host shows>",
  }));
  const unusableKey = seen.find(({ state }) => state === "ABSENT" || state === "UNUSABLE");
  if (unusableKey !== undefined && !seen.some(({ state }) => state === "USABLE")) {
    const what = unusableKey.state === "ABSENT" ? "has no record" : "holds no usable key";
    const detail = `Email from the domain is signed with the selector ${unusableKey.selector}, whose DNS name ${unusableKey.selector}._domainkey.${domain} ${what}: every signature fails.`;
    return finding("DKIM", "FAIL", unusableKey.state === "ABSENT" ? "DKIM_KEY_ABSENT" : "DKIM_KEY_UNUSABLE", detail, {
      found,
      publish,
    });
  }
  const proof = usable.find(({ isSeen }) => isSeen);
  if (proof !== undefined) {
    if (proof.isTest) {
      const detail = `The key ${proof.selector} says t=y, so receivers treat the email as unsigned. Remove t=y.`;
      return finding("DKIM", "WARN", "DKIM_TESTING", detail, { found });
    }
    const isShort = proof.bits !== null && proof.bits < DKIM_BITS.advised;
    const advice = isShort ? ` Its key has ${proof.bits} bits; receivers advise ${DKIM_BITS.advised}.` : "";
    return finding(
      "DKIM",
      "PASS",
      "DKIM_SIGNED",
      `Email from the domain is signed with the selector ${proof.selector}.${advice}`,
      { found },
    );
  }
  if (keys.some(({ isSeen, state }) => isSeen && state === "UNKNOWN")) {
    return finding(
      "DKIM",
      "UNKNOWN",
      "NO_ANSWER",
      "The name server did not answer for the key that signs the domain's mail.",
      { found },
    );
  }
  if (usable.length > 0) {
    const detail = `There is a key (${found.join(", ")}), but no email from the domain was signed with it so far. Check one of its mailboxes: the email that this sends shows the signature.`;
    return finding("DKIM", "WARN", "DKIM_KEY_PRESENT", detail, { found });
  }
  if (keys.some(({ state }) => state === "UNUSABLE")) {
    const detail = "The keys that were found are revoked, too short or malformed.";
    return finding("DKIM", "FAIL", "DKIM_KEY_UNUSABLE", detail, { found, publish });
  }
  const detail =
    "No selector is known: no record lists the selectors of a domain. Check one of its mailboxes: the email that this sends shows the selector. If that email is unsigned, turn on DKIM at your mail host.";
  return finding("DKIM", "UNKNOWN", "DKIM_SELECTOR_UNKNOWN", detail, { publish });
}
