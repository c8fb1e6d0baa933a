import { codeOf, EgressError } from "./egress-error.ts";

/** What the system or its resolver says, in words. DNS codes are those of the resolver that this service asks, not of the far side. */
const DNS: Readonly<Record<string, string>> = {
  ECANCELLED: "the query was cancelled",
  ECONNREFUSED: "the resolver refused the query",
  EBADNAME: "the name is no host name",
  ENODATA: "the name has no address",
  ENOTFOUND: "nobody knows the name",
  EREFUSED: "the resolver refused the query",
  ESERVFAIL: "the resolver could not find out",
  ETIMEOUT: "the resolver did not answer",
  EAI_AGAIN: "the resolver did not answer",
};
const CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused: nothing listens at the port, or a firewall says no",
  ECONNRESET: "closed: the other side broke the connection",
  EPIPE: "closed: the other side broke the connection",
  EHOSTUNREACH: "unreachable: no way leads to the host",
  ENETUNREACH: "unreachable: no way leads to its network",
  ETIMEDOUT: "timeout: the other side did not answer",
  ETIMEOUT: "timeout: the other side did not answer",
};

/**
 * Why no connection came about, for the log of whoever operates the service; null where the fault is another. A caller must not learn it,
 * or it would learn which names there are inside (rules/security 4.3).
 */
export function whyUnreached(error: unknown): string | null {
  const chain = chainOf(error);
  const egress = chain.find((one) => one instanceof EgressError);
  // What wraps the connector's error has a code of ours
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
      return "blocked: the name leads to an address that only EGRESS_ALLOW opens";
    case "TIMEOUT":
      return "timeout: the other side did not answer";
    case "TLS_FAILED":
      return `TLS${shown}`;
    default: {
      const known = chain.flatMap(codesOf).find((one) => Object.hasOwn(CONNECTION, one));
      if (known !== undefined) return `${CONNECTION[known]} (${known})`;
      return egress === undefined ? null : `not connected${shown}`;
    }
  }
}

/** The error and what caused it, outermost first. */
function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && chain.length < 8; one = one.cause) chain.push(one);
  return chain;
}

/** The code of an error, and those of the errors that it gathers: one for each address or kind of record that was tried. */
function codesOf(error: Error): string[] {
  const gathered = error instanceof AggregateError ? error.errors.map(codeOf) : [];
  return [codeOf(error), ...gathered];
}
