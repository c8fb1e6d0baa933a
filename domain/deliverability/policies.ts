import { type Finding, finding, noAnswerTo } from "./finding.ts";

/** The MTA-STS, TLS-RPT and BIMI records of a domain. Sending email needs none of them. */
export interface PolicyFacts {
  /** The TXT records at the name; null if no name server answered. */
  records: string[] | null;
}

/** The content of an MTA-STS policy file; a text that says why it cannot be used, or null if it was not fetched. */
export interface StsPolicy {
  mode: "enforce" | "testing" | "none";
  /** The MX hosts of the domain that the policy does not name. */
  unnamed: string[];
}

/** RFC 8461. */
export function judgeMtaSts(domain: string, { records }: PolicyFacts, policy: StsPolicy | string | null): Finding {
  if (records === null) return noAnswerTo("MTA_STS");
  const found = records.filter((record) => /^v=STSv1\s*;/i.test(record));
  if (found.length === 0)
    return absentFinding("MTA_STS", "Senders may deliver email to the domain without TLS. MTA-STS would forbid that.");
  const [record = ""] = found;
  if (found.length > 1 || !/;\s*id=[a-z0-9]{1,32}\s*(?:;|$)/i.test(record)) {
    const publish = [
      {
        type: "TXT" as const,
        name: `_mta-sts.${domain}`,
        value: "v=STSv1; id=<a new id with each change, such as a date>",
      },
    ];
    return finding("MTA_STS", "WARN", "MTA_STS_MALFORMED", "Senders need exactly one record with an id.", {
      found,
      publish,
    });
  }
  if (policy === null)
    return finding("MTA_STS", "UNKNOWN", "MTA_STS_POLICY_UNREAD", "The policy could not be fetched at the moment.", {
      found,
    });
  if (typeof policy === "string") {
    return finding("MTA_STS", "WARN", "MTA_STS_POLICY_UNUSABLE", `The file of the policy cannot be used: ${policy}.`, {
      found,
    });
  }
  if (policy.unnamed.length > 0 && policy.mode === "enforce") {
    const detail = `The policy does not name ${policy.unnamed.join(", ")}: senders refuse to deliver email there, including replies.`;
    return finding("MTA_STS", "FAIL", "MTA_STS_EXCHANGE_NOT_NAMED", detail, { found });
  }
  if (policy.mode !== "enforce") {
    return finding(
      "MTA_STS",
      "WARN",
      "MTA_STS_NOT_ENFORCED",
      `The policy's mode is ${policy.mode}: senders do not have to use TLS.`,
      { found },
    );
  }
  return finding("MTA_STS", "PASS", "MTA_STS_ENFORCED", "Email to the domain arrives only over TLS.", { found });
}

/** RFC 8460. */
export function judgeTlsRpt(domain: string, { records }: PolicyFacts): Finding {
  if (records === null) return noAnswerTo("TLS_RPT");
  const found = records.filter((record) => /^v=TLSRPTv1\s*;/i.test(record));
  const publish = [
    { type: "TXT" as const, name: `_smtp._tls.${domain}`, value: `v=TLSRPTv1; rua=mailto:tls-reports@${domain}` },
  ];
  if (found.length === 0) {
    return finding(
      "TLS_RPT",
      "ABSENT",
      "TLS_RPT_ABSENT",
      "You get no reports when email to the domain fails because of TLS.",
      { publish },
    );
  }
  if (found.length > 1 || !/;\s*rua=(?:mailto:|https:)\S+/i.test(found[0] ?? "")) {
    return finding("TLS_RPT", "WARN", "TLS_RPT_MALFORMED", "Senders need exactly one record with an address in rua.", {
      found,
      publish,
    });
  }
  return finding(
    "TLS_RPT",
    "PASS",
    "TLS_RPT_PRESENT",
    "Senders report when email to the domain fails because of TLS.",
    {
      found,
    },
  );
}

/**
 * Judges the BIMI record, by the draft standard. Mail programs show the logo only if the domain's DMARC policy is
 * enforced.
 */
export function judgeBimi(
  domain: string,
  { records }: PolicyFacts,
  dmarc: "none" | "quarantine" | "reject" | null,
): Finding {
  if (records === null) return noAnswerTo("BIMI");
  const found = records.filter((record) => /^v=BIMI1\s*;/i.test(record));
  if (found.length === 0) return absentFinding("BIMI", "No logo is shown next to the domain's emails.");
  if (!/;\s*l=https:\/\/\S+\.svg\b/i.test(found[0] ?? "")) {
    const publish = [
      {
        type: "TXT" as const,
        name: `default._bimi.${domain}`,
        value: "v=BIMI1; l=<https address of the logo, an SVG>; a=",
      },
    ];
    return finding("BIMI", "WARN", "BIMI_WITHOUT_LOGO", "The record does not name a logo with an https address.", {
      found,
      publish,
    });
  }
  if (dmarc === "none" || dmarc === null) {
    return finding(
      "BIMI",
      "WARN",
      "BIMI_WITHOUT_POLICY",
      "The logo is shown only with a DMARC policy of quarantine or reject.",
      { found },
    );
  }
  return finding(
    "BIMI",
    "PASS",
    "BIMI_PRESENT",
    "The record names a logo, and the DMARC policy allows it to be shown.",
    { found },
  );
}

function absentFinding(check: "MTA_STS" | "BIMI", detail: string): Finding {
  return finding(check, "ABSENT", `${check}_ABSENT`, detail);
}
