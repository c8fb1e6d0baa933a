import { type Finding, finding, noAnswerTo } from "./finding.ts";

/**
 * An address of the customer's own submission server, the names in its PTR record, and whether one of them resolves to
 * the address again (RFC 1912 2.1).
 */
export interface PtrFacts {
  server: string;
  address: string;
  /** Null when no one answered. */
  names: string[] | null;
  isConfirmed: boolean;
}

/**
 * Judges the PTR records of the customer's own servers. Servers of a mail provider are not judged, because
 * the provider maintains their PTR records. `facts` is null if no address could be looked up.
 */
export function judgePtr(facts: readonly PtrFacts[] | null): Finding {
  if (facts === null) return noAnswerTo("PTR");
  if (facts.length === 0)
    return finding(
      "PTR",
      "PASS",
      "PTR_OF_MAIL_HOST",
      "The domain sends through a mail provider, which maintains the PTR records of its own servers.",
    );
  const found = facts.map(
    ({ address, names }) => `${address} ${names === null || names.length === 0 ? "-" : names.join(" ")}`,
  );
  const wrong = facts.find(({ names, isConfirmed }) => names !== null && !isConfirmed);
  if (wrong !== undefined) {
    const has = wrong.names?.length === 0 ? "has no name" : "has a name that does not resolve back to it";
    const detail = `The address ${wrong.address} of ${wrong.server} ${has}: Google and Yahoo refuse such senders. The provider of the address sets its PTR record. If your email leaves from another address, check that one.`;
    const publish = [{ type: "PTR" as const, name: wrong.address, value: wrong.server }];
    return finding("PTR", "WARN", wrong.names?.length === 0 ? "PTR_ABSENT" : "PTR_NOT_CONFIRMED", detail, {
      found,
      publish,
    });
  }
  if (facts.some(({ names }) => names === null)) return noAnswerTo("PTR");
  return finding(
    "PTR",
    "PASS",
    "PTR_CONFIRMED",
    "The addresses of the submission servers have names that resolve back to them.",
    { found },
  );
}
