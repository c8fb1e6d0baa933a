import { organisationOf } from "../mail/message.ts";
import type { LeadProvider } from "../sending/rotation.ts";
import { type MailProviders, PROVIDERS } from "./provider.ts";

/**
 * The hosts that receive a domain's email, from the answers to an MX query as node:dns gives them: in lower case,
 * without a final dot, and only those of the best preference (RFC 5321 5.1). Empty when the domain states that it
 * accepts no email (RFC 7505), or when no answer can be read.
 */
export function preferredHosts(answers: readonly unknown[]): string[] {
  const exchanges = answers.filter(isExchange);
  const best = Math.min(...exchanges.map(({ priority }) => priority));
  const hosts = exchanges
    .filter(({ priority }) => priority === best)
    .map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ""));
  return [...new Set(hosts)].filter((host) => host !== "");
}

/**
 * The provider of a domain whose email these hosts receive (rules/sending 4.2), by the host names that this deployment
 * has configured for the providers. OTHER is returned only if the hosts of both providers are configured: otherwise a
 * host may belong to the provider without hosts.
 */
export function providerOf(hosts: readonly string[], providers: MailProviders): LeadProvider {
  const isAt = (suffix: string) => hosts.some((host) => host === suffix || host.endsWith(`.${suffix}`));
  const found = PROVIDERS.find((name) => providers[name].mx.some(isAt));
  if (found !== undefined) return `PROVIDER${found}`;
  return hosts.length > 0 && PROVIDERS.every((name) => providers[name].mx.length > 0) ? "OTHER" : "UNKNOWN";
}

/**
 * The provider that receives a domain's email, as the registrable domain of its MX. A domain without an MX receives its
 * email itself (RFC 5321 5.1). A domain whose name server did not answer is treated the same way.
 */
export function providerKeyOf(domain: string, hosts: readonly string[] | null): string {
  const [first = domain] = [...(hosts ?? [])].sort();
  return organisationOf(first);
}

function isExchange(value: unknown): value is { exchange: string; priority: number } {
  if (typeof value !== "object" || value === null || !("exchange" in value) || !("priority" in value)) return false;
  return typeof value.exchange === "string" && typeof value.priority === "number";
}
