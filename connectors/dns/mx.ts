import type { MxFacts } from "../../domain/deliverability/mx.ts";
import type { Ask } from "../net/records.ts";
import { addressesOf, recordsOf } from "./answers.ts";

/** Where the mail of a domain is received. Rejects when the name server does not answer. */
export async function readMx(ask: Ask, domain: string): Promise<MxFacts> {
  const exchanges = (await recordsOf(ask, domain, "MX")).flatMap((record) => (isExchange(record) ? [record] : []));
  const hasAddress = exchanges.length === 0 && (await addressesOf(ask, domain)).length > 0;
  return { exchanges: exchanges.map(({ exchange, priority }) => ({ exchange: exchange.toLowerCase(), priority })), hasAddress };
}

function isExchange(value: unknown): value is { exchange: string; priority: number } {
  if (typeof value !== "object" || value === null || !("exchange" in value) || !("priority" in value)) return false;
  return typeof value.exchange === "string" && typeof value.priority === "number";
}
