import { DAY_MS } from "../../domain/time/durations.ts";
import { KEPT_MS } from "../../domain/verification/etiquette.ts";
import type { MailHostFacts } from "../../domain/verification/judge-address.ts";
import { VerifiedDomain } from "../../models/verified-domain.ts";
import { trusted } from "../../mongo/collection.ts";

/** What is known of a domain and not too old. */
export interface DomainKnowledge {
  /** Undefined: DNS is to be asked. */
  host: MailHostFacts | undefined;
  isCatchAll: boolean | null;
  distrustedAt: number | null;
}

/** Longer than an answer is kept, so that a domain whose addresses bounce stays known as such. */
const REMEMBERED_MS = 90 * DAY_MS;

export async function loadDomains(domains: readonly string[], now: number): Promise<Map<string, DomainKnowledge>> {
  const found = await VerifiedDomain.find({ _id: trusted({ $in: [...domains] }) }).lean<VerifiedDomain[]>();
  return new Map(found.map((domain) => [domain._id, knowledgeOf(domain, now)]));
}

function knowledgeOf({ kind, exchange, lookedUpAt, isCatchAll, catchAllAt, distrustedAt }: VerifiedDomain, now: number): DomainKnowledge {
  const isFresh = (at: Date | null) => at !== null && at.getTime() > now - KEPT_MS;
  const host = kind === "HOST" && exchange !== null ? { kind, exchange } : kind === "NONE" || kind === "NULL_MX" ? { kind } : undefined;
  const isBelieved = isFresh(catchAllAt) && (distrustedAt === null || (catchAllAt?.getTime() ?? 0) > distrustedAt.getTime());
  return {
    host: isFresh(lookedUpAt) ? host : undefined,
    isCatchAll: isBelieved ? isCatchAll : null,
    distrustedAt: distrustedAt?.getTime() ?? null,
  };
}

/** Remembers what DNS said of domains. */
export async function noteMailHosts(answers: ReadonlyMap<string, MailHostFacts>, now: number): Promise<void> {
  const writes = [...answers].map(([_id, facts]) => {
    const exchange = facts.kind === "HOST" ? facts.exchange : null;
    const $set = { kind: facts.kind, exchange, lookedUpAt: new Date(now), expiresAt: new Date(now + REMEMBERED_MS) };
    return { updateOne: { filter: { _id }, update: { $set }, upsert: true } };
  });
  if (writes.length > 0) await VerifiedDomain.bulkWrite(writes, { ordered: false });
}

/** Remembers whether a domain takes any address. */
export async function noteCatchAll(domain: string, isCatchAll: boolean, now: number): Promise<void> {
  const $set = { isCatchAll, catchAllAt: new Date(now), expiresAt: new Date(now + REMEMBERED_MS) };
  await VerifiedDomain.updateOne({ _id: domain }, { $set }, { upsert: true });
}
