import pLimit from "p-limit";
import type { Logger } from "pino";
import type { Egress } from "../../connectors/net/egress.ts";
import { codeOf } from "../../connectors/net/egress-error.ts";
import { DNS_LIMIT_MS } from "../../domain/mailboxes/dns-check.ts";
import { preferredHosts, providerOf } from "../../domain/mailboxes/mail-exchange.ts";
import { type MailProviders, PROVIDERS } from "../../domain/mailboxes/provider.ts";
import type { LeadProvider } from "../../domain/sending/rotation.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import type { Lead } from "../../models/lead.ts";
import { MailDomain } from "../../models/mail-domain.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

export interface LeadProviderDeps {
  egress: Pick<Egress, "records">;
  providers: MailProviders;
  log: Pick<Logger, "debug">;
}

type Located = Pick<Lead, "_id" | "emailDomain" | "emailProvider">;

/** Returns the same leads, each with its mailbox provider as far as it is known now; changes are stored. */
export type FindProviders = <L extends Located>(workspaceId: string, leads: L[]) => Promise<L[]>;

type Hosts = MailDomain["hosts"];

/** Milliseconds for all lookups of one round together, so that a name server that hangs delays no campaign for longer. */
const ROUND_MS = 10_000;
const AT_ONCE = 20;
const KEPT_MS = 7 * DAY_MS;
/** Milliseconds after which a failed lookup is repeated. */
const RETRY_MS = HOUR_MS;

/**
 * Finds out which mailbox provider leads use (rules/sending 4.2): by the MX of their domains, with one lookup per domain, kept for a week.
 * A lookup
 * without an answer leaves the lead as it was, and an unknown provider blocks nothing. Created anew for each round.
 */
export function leadProviders({ egress, providers, log }: LeadProviderDeps): () => FindProviders {
  const isConfigured = PROVIDERS.some((name) => providers[name].mx.length > 0);

  return () => {
    let leftMs = ROUND_MS;

    async function askAll(domains: string[]): Promise<Map<string, Hosts>> {
      const startedAt = Date.now();
      const slots = pLimit(AT_ONCE);
      const answers = new Map<string, Hosts>();
      const askInTime = async (domain: string) => {
        // A domain that is not looked up now is looked up in a later round
        if (Date.now() - startedAt < leftMs) answers.set(domain, await hostsOf(egress, domain));
      };
      await Promise.all(domains.map((domain) => slots(() => askInTime(domain))));
      leftMs -= Date.now() - startedAt;
      log.debug({ asked: answers.size, of: domains.length, leftMs }, "looked up the mail servers of lead domains");
      return answers;
    }

    return async (workspaceId, leads) => {
      if (!isConfigured) return leads;
      const domains = [...new Set(leads.map(({ emailDomain }) => emailDomain))];
      const known = await remembered(domains);
      const unknown = domains.filter((domain) => !known.has(domain));
      const asked = unknown.length === 0 ? known : await askAll(unknown);
      if (asked !== known) await remember(asked);
      const located = leads.map((lead) => {
        const hosts = known.get(lead.emailDomain) ?? asked.get(lead.emailDomain) ?? null;
        return hosts === null ? lead : { ...lead, emailProvider: providerOf(hosts, providers) };
      });
      const before = new Map(leads.map(({ _id, emailProvider }) => [_id, emailProvider]));
      await store(
        workspaceId,
        located.filter(({ _id, emailProvider }) => before.get(_id) !== emailProvider),
      );
      return located;
    };
  };
}

/** Null when nobody answered. A domain without MX receives its mail itself (RFC 5321 5.1); one that does not exist has no hosts. */
async function hostsOf(egress: LeadProviderDeps["egress"], domain: string): Promise<Hosts> {
  try {
    return preferredHosts(await egress.records(DNS_LIMIT_MS, (ask) => ask(domain, "MX")));
  } catch (error) {
    const code = codeOf(error);
    return code === "ENODATA" ? [domain] : code === "ENOTFOUND" ? [] : null;
  }
}

async function remembered(domains: string[]): Promise<Map<string, Hosts>> {
  const fresh = { _id: trusted({ $in: domains }), staleAt: trusted({ $gt: new Date() }) };
  const known = await MailDomain.find(fresh, { hosts: 1 }).lean<MailDomain[]>();
  return new Map(known.map(({ _id, hosts }) => [_id, hosts]));
}

async function remember(answers: ReadonlyMap<string, Hosts>): Promise<void> {
  const now = Date.now();
  const writes = [...answers].map(([_id, hosts]) => {
    const isTold = hosts !== null && hosts.length > 0;
    const $set = { hosts, staleAt: new Date(now + (isTold ? KEPT_MS : RETRY_MS)) };
    return { updateOne: { filter: { _id }, update: { $set }, upsert: true } };
  });
  if (writes.length > 0) await MailDomain.bulkWrite(writes, { ordered: false });
}

/** A lead that has moved to another domain meanwhile is left to a later round. */
async function store(workspaceId: string, changed: readonly Located[]): Promise<void> {
  const byProvider = Map.groupBy(changed, ({ emailProvider }): LeadProvider => emailProvider);
  for (const [emailProvider, leads] of byProvider) {
    const ids = leads.map(({ _id }) => _id);
    const domains = leads.map(({ emailDomain }) => emailDomain);
    await scoped(workspaceId).Lead.updateMany(
      { _id: trusted({ $in: ids }), emailDomain: trusted({ $in: domains }) },
      { $set: { emailProvider } },
    );
  }
}
