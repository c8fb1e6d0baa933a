import type { LeadProvider } from "../sending/rotation.ts";
import { type MailProviders, PROVIDERS } from "./provider.ts";

/**
 * The hosts that receive the mail of a domain, of its answers to a question for MX as node:dns gives them: lower-cased, without a
 * last dot, the most preferred alone (RFC 5321 5.1). None where it says that it takes no mail (RFC 7505), or nothing that can be read.
 */
export function preferredHosts(answers: readonly unknown[]): string[] {
  const exchanges = answers.filter(isExchange);
  const best = Math.min(...exchanges.map(({ priority }) => priority));
  const hosts = exchanges.filter(({ priority }) => priority === best).map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ""));
  return [...new Set(hosts)].filter((host) => host !== "");
}

/**
 * At whom a domain is whose mail these hosts receive (B23), by what the installation knows of its providers' hosts. OTHER takes
 * knowing both: while one is not known, a host that is not the other's may be its.
 */
export function providerOf(hosts: readonly string[], providers: MailProviders): LeadProvider {
  const isAt = (suffix: string) => hosts.some((host) => host === suffix || host.endsWith(`.${suffix}`));
  const found = PROVIDERS.find((name) => providers[name].mx.some(isAt));
  if (found !== undefined) return `PROVIDER${found}`;
  return hosts.length > 0 && PROVIDERS.every((name) => providers[name].mx.length > 0) ? "OTHER" : "UNKNOWN";
}

function isExchange(value: unknown): value is { exchange: string; priority: number } {
  if (typeof value !== "object" || value === null || !("exchange" in value) || !("priority" in value)) return false;
  return typeof value.exchange === "string" && typeof value.priority === "number";
}
