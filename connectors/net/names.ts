import dns from "node:dns/promises";
import { type Allow, canonicalHost, isAddress, isAllowed } from "../../domain/access/allowed-hosts.ts";
import { EgressError } from "./egress-error.ts";

const MAX_ADDRESSES = 20;

export interface NameRules {
  allow: readonly Allow[];
  /** `host:port` of the resolvers to query; when it is missing or empty, the system's resolvers are used. */
  dnsServers?: readonly string[] | undefined;
  isBlocked(address: string): boolean;
}

export interface Names {
  resolve(host: string, port: number): Promise<string[]>;
  /** Cancels the queries that are still open. */
  cancel(): void;
}

/**
 * Builds the only way from a name to addresses. It queries without the thread pool, because getaddrinfo occupies one of
 * four threads while a name server hangs. The exception are names that the configuration allows, which may be in
 * /etc/hosts.
 */
export function createNames({ allow, dnsServers = [], isBlocked }: NameRules): Names {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
  if (dnsServers.length > 0) resolver.setServers([...dnsServers]);
  return { resolve, cancel: () => resolver.cancel() };

  async function resolve(host: string, port: number): Promise<string[]> {
    const name = canonicalHost(host);
    if (name === undefined) throw new EgressError("DNS_FAILED");
    const isExempt = isAllowed(name, port, allow);
    const found = isAddress(name) ? [name] : await resolveHost(name, isExempt);
    const open = isExempt ? found : found.filter((address) => !isBlocked(address));
    if (open.length === 0) throw new EgressError("ADDRESS_BLOCKED");
    return open.slice(0, MAX_ADDRESSES);
  }

  async function resolveHost(name: string, isExempt: boolean): Promise<string[]> {
    const asksSystem = isExempt && (dnsServers.length === 0 || name === "localhost");
    try {
      return asksSystem ? await lookup(name) : await query(name);
    } catch (error) {
      if (!isExempt || asksSystem) throw new EgressError("DNS_FAILED", { cause: error });
      return await lookup(name);
    }
  }

  async function query(name: string): Promise<string[]> {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    throw new AggregateError(
      answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : [])),
      "no address",
    );
  }
}

async function lookup(name: string): Promise<string[]> {
  try {
    const found = await dns.lookup(name, { all: true, order: "verbatim" });
    return found.map(({ address }) => address);
  } catch (error) {
    throw new EgressError("DNS_FAILED", { cause: error });
  }
}
