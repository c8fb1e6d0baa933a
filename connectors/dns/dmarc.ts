import type { DNSResolver } from "mailauth";
import { dmarc } from "mailauth/lib/dmarc/index.js";
import { type DmarcFacts, reportDomains } from "../../domain/deliverability/dmarc.ts";
import type { Ask } from "../net/records.ts";
import { orUnanswered, textsOf } from "./answers.ts";

/**
 * Finds the DMARC record that applies to a domain, by the tree walk of RFC 9989. Returns null when no name server
 * answers.
 */
export async function readDmarc(ask: Ask, domain: string): Promise<DmarcFacts | null> {
  const result = await dmarc({
    headerFrom: domain,
    spfDomains: [],
    dkimDomains: [],
    resolver: ask as DNSResolver, // the library's type is narrower than the values it accepts
  });
  if (result === false || result.status.result === "temperror") return null;
  const { status, rr, policyDomain, policy } = result;
  const none = {
    record: null,
    policyDomain: null,
    policy: "none" as const,

    reportsTo: [],
    refusing: [],
  };
  if (status.result === "none" || status.result === "permerror" || rr === undefined) return none;
  const at = policyDomain ?? domain;
  const [, uris = ""] = /(?:^|;)\s*rua\s*=\s*([^;]*)/i.exec(rr) ?? [];
  const reportsTo = uris
    .split(",")
    .map((uri) => uri.trim())
    .filter(Boolean);
  return {
    record: rr,
    policyDomain: at,
    policy: policy === "quarantine" || policy === "reject" ? policy : "none",
    reportsTo,
    refusing: await refusing(ask, at, reportDomains(reportsTo)),
  };
}

/**
 * Returns the domains that do not accept reports about `at`. A domain that accepts them publishes a record (RFC 9990
 * 4). A domain whose name servers do not answer is not included.
 */
async function refusing(ask: Ask, at: string, takers: readonly string[]): Promise<string[]> {
  const strangers = takers
    .filter((taker) => taker !== at && !taker.endsWith(`.${at}`) && !at.endsWith(`.${taker}`))
    .slice(0, 5);
  const answers = await Promise.all(
    strangers.map(async (taker) => {
      const texts = await orUnanswered(() => textsOf(ask, `${at}._report._dmarc.${taker}`));
      return texts === null || texts.some((text) => /^v=DMARC1\b/i.test(text)) ? [] : [taker];
    }),
  );
  return answers.flat();
}
