import { codeOf, EgressError } from "./egress-error.ts";

/**
 * System and resolver errors in words. DNS codes come from the resolver that this service asks, not from the remote
 * side.
 */
const DNS: Readonly<Record<string, string>> = {
  ECANCELLED: "the query was cancelled",
  ECONNREFUSED: "the resolver refused the query",
  EBADNAME: "the name is not a valid host name",
  ENODATA: "the name has no address",
  ENOTFOUND: "host name not found",
  EREFUSED: "the resolver refused the query",
  ESERVFAIL: "the resolver failed (SERVFAIL)",
  ETIMEOUT: "the resolver did not answer",
  EAI_AGAIN: "the resolver did not answer",
};
const CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused: connection refused",
  ECONNRESET: "closed: connection reset by peer",
  EPIPE: "closed: connection reset by peer",
  EHOSTUNREACH: "unreachable: no route to host",
  ENETUNREACH: "unreachable: network is unreachable",
  ETIMEDOUT: "timeout: connection timed out",
  ETIMEOUT: "timeout: connection timed out",
};

/**
 * Why a connection failed, for the operator's log; null for any other fault. Callers must not see it, because it
 * reveals internal host names (rules/security 4.3).
 */
export function whyUnreached(error: unknown): string | null {
  const chain = chainOf(error);
  const egress = chain.find((one) => one instanceof EgressError);
  // The error that wraps the connector's error has one of our codes
  const code =
    chain
      .slice(egress === undefined ? 0 : chain.indexOf(egress))
      .flatMap(codesOf)
      .find((one) => one !== "") ?? "";
  const shown = code === "" ? "" : ` (${code})`;
  switch (egress?.reason) {
    case "DNS_FAILED":
      return `DNS: ${DNS[code] ?? "the name could not be resolved"}${shown}`;
    case "ADDRESS_BLOCKED":
      return "blocked: the host name resolves to an address outside EGRESS_ALLOW";
    case "TIMEOUT":
      return "timeout: connection timed out";
    case "TLS_FAILED":
      return `TLS${shown}`;
    default: {
      const connectionCode = chain.flatMap(codesOf).find((one) => Object.hasOwn(CONNECTION, one));
      if (connectionCode !== undefined) return `${CONNECTION[connectionCode]} (${connectionCode})`;
      return egress === undefined ? null : `not connected${shown}`;
    }
  }
}

/** The error and its causes, outermost first. */
function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && chain.length < 8; one = one.cause) chain.push(one);
  return chain;
}

/**
 * The code of an error and the codes of the errors that it aggregates: one for each address or record type that was
 * tried.
 */
function codesOf(error: Error): string[] {
  const gathered = error instanceof AggregateError ? error.errors.map(codeOf) : [];
  return [codeOf(error), ...gathered];
}
