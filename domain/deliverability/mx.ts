import { type Finding, finding, noAnswerTo } from "./finding.ts";
import { mxFor } from "./mail-hosts.ts";

/** The DNS records that say where the email of a domain is received. */
export interface MxFacts {
  exchanges: { exchange: string; priority: number }[];
  /** Whether the domain has an IP address; looked up only if it has no MX. */
  hasAddress: boolean;
}

/**
 * Judges the MX records of a domain, which receive its replies and bounces. Without an MX, the domain's own IP address
 * receives its email (RFC 5321 5.1). A single record with a dot says that the domain accepts no email (RFC 7505).
 * `facts` is null if no name server answered; `servers` are the submission servers.
 */
export function judgeMx(domain: string, facts: MxFacts | null, servers: readonly string[]): Finding {
  if (facts === null) return noAnswerTo("MX");
  const found = facts.exchanges.map(({ exchange, priority }) => `${priority} ${exchange === "" ? "." : exchange}`);
  const publish = mxFor(domain, servers);
  const hosts = facts.exchanges.filter(({ exchange }) => exchange !== "" && exchange !== ".");
  if (found.length === 0) {
    const text = "The domain has no MX record";
    return facts.hasAddress
      ? finding(
          "MX",
          "WARN",
          "MX_ABSENT",
          `${text}: its email goes to its own address, and many servers treat such a sender as spam.`,
          {
            publish,
          },
        )
      : finding("MX", "FAIL", "MX_ABSENT", `${text} and no address: no reply and no bounce can arrive.`, { publish });
  }
  if (hosts.length === 0) {
    const text =
      "A null MX says that the domain accepts no mail: no reply can arrive, and many servers refuse such a sender.";
    return finding("MX", "FAIL", "NULL_MX", text, { found, publish });
  }
  if (hosts.length < found.length) {
    return finding(
      "MX",
      "FAIL",
      "NULL_MX_AMONG_OTHERS",
      "A null MX must be the only MX record: remove the record whose host is a dot.",
      {
        found,
      },
    );
  }
  return finding("MX", "PASS", "MX_PRESENT", "The domain receives mail.", { found });
}
