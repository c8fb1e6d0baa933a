import { type Finding, finding, noAnswerTo } from "./finding.ts";

export interface DmarcFacts {
  /** The DMARC record that applies to the domain; null if there is none. */
  record: string | null;
  /** The domain that has this record: the domain itself, or its organisational domain by the tree walk of RFC 9989. */
  policyDomain: string | null;
  policy: "none" | "quarantine" | "reject";
  /** Addresses that aggregate reports go to. */
  reportsTo: string[];
  /**
   * The domains of these addresses that are not the domain itself and have not agreed to receive its reports (RFC 9990
   * 4).
   */
  refusing: string[];
}

/**
 * Judges the DMARC record of a domain (RFC 9989). `facts` is null if no name server answered. `isAligned` is whether
 * email of the domain can pass DMARC, null if that is not known. `organisation` is the registrable domain by the public
 * suffix list.
 */
export function judgeDmarc(
  domain: string,
  facts: DmarcFacts | null,
  isAligned: boolean | null,
  organisation: string,
): Finding {
  if (facts === null) return noAnswerTo("DMARC");
  const name = (of: string) => `_dmarc.${of}`;
  if (facts.record === null) {
    const detail =
      "The domain has no usable DMARC record. Google, Yahoo and Microsoft require one from bulk senders. Begin with none, and change to quarantine once the reports show only your own servers.";
    const value = `v=DMARC1; p=none; rua=mailto:dmarc@${organisation}`;
    return finding("DMARC", "FAIL", "DMARC_ABSENT", detail, {
      publish: [{ type: "TXT", name: name(organisation), value }],
    });
  }
  if (isAligned === null) return noAnswerTo("DMARC");
  const at = facts.policyDomain ?? domain;
  const found = [facts.record];
  const replaced = (value: string) => ({ found, publish: [{ type: "TXT" as const, name: name(at), value }] });
  if (!isAligned) {
    const detail =
      "Email from the domain cannot pass DMARC as far as known: SPF does not pass, and no signature of the domain was seen. Fix one of the two first.";
    return finding("DMARC", facts.policy === "none" ? "WARN" : "FAIL", "DMARC_NOT_ALIGNED", detail, { found });
  }
  if (facts.refusing.length > 0) {
    const to = facts.refusing.join(", ");
    const publish = facts.refusing.map((taker) => ({
      type: "TXT" as const,
      name: `${at}._report._dmarc.${taker}`,
      value: "v=DMARC1",
    }));
    const detail = `Reports do not arrive at ${to}, because it does not state that it accepts reports for ${at}. Its owner must publish that.`;
    return finding("DMARC", "WARN", "DMARC_REPORTS_REFUSED", detail, { found, publish });
  }
  if (facts.policy === "none") {
    const detail =
      "The policy is none: forged email from the domain is delivered. This meets the rules for senders; quarantine protects the name.";
    return finding("DMARC", "WARN", "DMARC_POLICY_NONE", detail, replaced(withTag(facts.record, "p", "quarantine")));
  }
  if (facts.reportsTo.length === 0) {
    const detail = `The policy is ${facts.policy}. Without rua you get no reports about which of your servers fail.`;
    return finding(
      "DMARC",
      "PASS",
      "DMARC_WITHOUT_REPORTS",
      detail,
      replaced(withTag(facts.record, "rua", `mailto:dmarc@${at}`)),
    );
  }
  return finding(
    "DMARC",
    "PASS",
    "DMARC_ENFORCED",
    `The policy is ${facts.policy}, and email from the domain can pass it.`,
    { found },
  );
}

/** The record with one tag set to a new value. A tag that the record does not have yet is added at the end. */
function withTag(record: string, tag: string, value: string): string {
  const tags = record
    .split(";")
    .map((part) => part.trim())
    .filter(Boolean);
  const isIt = (part: string) => part.split("=")[0]?.trim().toLowerCase() === tag;
  const set = tags.map((part) => (isIt(part) ? `${tag}=${value}` : part));
  return (tags.some(isIt) ? set : [...set, `${tag}=${value}`]).join("; ");
}

/** The domains that a list of `rua` addresses names. */
export function reportDomains(uris: readonly string[]): string[] {
  const named = uris.flatMap(
    (uri) => /^mailto:[^@\s]+@([a-z0-9.-]+?)(?:!\d+[kmgt]?)?$/i.exec(uri.trim())?.[1]?.toLowerCase() ?? [],
  );
  return [...new Set(named)];
}
