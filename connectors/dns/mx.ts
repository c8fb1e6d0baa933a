import type { MxFacts } from "../../domain/deliverability/mx.ts";
import type { MailHostFacts } from "../../domain/verification/judge-address.ts";
import type { Ask } from "../net/records.ts";
import { recordsOf, resolveAddresses } from "./answers.ts";

/** The MX records of a domain, and whether the domain itself has an address. Rejects when no name server answers. */
export async function readMx(ask: Ask, domain: string): Promise<MxFacts> {
  const exchanges = (await recordsOf(ask, domain, "MX")).flatMap((record) => (isExchange(record) ? [record] : []));
  const hasAddress = exchanges.length === 0 && (await resolveAddresses(ask, domain)).length > 0;
  return {
    exchanges: exchanges.map(({ exchange, priority }) => ({ exchange: exchange.toLowerCase(), priority })),
    hasAddress,
  };
}

/**
 * The server to which email for a domain is delivered first (RFC 5321 5.1): that of the MX record with the lowest
 * preference, or the domain itself if it has no MX. Rejects when no name server answers.
 */
export async function readMailHost(ask: Ask, domain: string): Promise<MailHostFacts> {
  const exchanges = (await recordsOf(ask, domain, "MX")).flatMap((record) => (isExchange(record) ? [record] : []));
  if (exchanges.length === 0) {
    const hasAddress = (await resolveAddresses(ask, domain)).length > 0;
    return hasAddress ? { kind: "HOST", exchange: domain } : { kind: "NONE" };
  }
  const [first] = exchanges
    .map(({ exchange, priority }) => ({ exchange: exchange.toLowerCase().replace(/\.$/, ""), priority }))
    .filter(({ exchange }) => exchange !== "")
    .sort((one, other) => one.priority - other.priority || (one.exchange < other.exchange ? -1 : 1));
  return first === undefined ? { kind: "NULL_MX" } : { kind: "HOST", exchange: first.exchange };
}

function isExchange(value: unknown): value is { exchange: string; priority: number } {
  if (typeof value !== "object" || value === null || !("exchange" in value) || !("priority" in value)) return false;
  return typeof value.exchange === "string" && typeof value.priority === "number";
}
