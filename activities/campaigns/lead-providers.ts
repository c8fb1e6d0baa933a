import type { Logger } from "pino";
import type { Egress } from "../../connectors/net/egress.ts";
import { providerOf } from "../../domain/mailboxes/mail-exchange.ts";
import { type MailProviders, PROVIDERS } from "../../domain/mailboxes/provider.ts";
import type { LeadProvider } from "../../domain/sending/rotation.ts";
import type { Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { findMailHosts } from "../mail-hosts.ts";

export interface LeadProviderDeps {
  egress: Pick<Egress, "records">;
  providers: MailProviders;
  log: Pick<Logger, "debug">;
}

type Located = Pick<Lead, "_id" | "emailDomain" | "emailProvider">;

/** Returns the leads it is given, each with its mailbox provider if it is known now; changes are stored. */
export type FindProviders = <L extends Located>(workspaceId: string, leads: L[]) => Promise<L[]>;

/**
 * Milliseconds for all lookups of one admission round together, so that a name server that hangs cannot delay a
 * campaign for longer.
 */
const ROUND_MS = 10_000;

/**
 * Finds out which mailbox provider leads use (rules/sending 4.2): by the MX records of their domains, with one lookup
 * per domain, kept for a week. A lookup without an answer leaves the lead unchanged. A lead with an unknown provider
 * can still be emailed. Created anew for each admission round.
 */
export function leadProviders({ egress, providers, log }: LeadProviderDeps): () => FindProviders {
  const findHosts = findMailHosts(egress);
  const isConfigured = PROVIDERS.some((name) => providers[name].mx.length > 0);

  return () => {
    let leftMs = ROUND_MS;

    return async (workspaceId, leads) => {
      if (!isConfigured) return leads;
      const startedAt = Date.now();
      const { hosts: hostsByDomain, asked: lookups } = await findHosts(
        leads.map(({ emailDomain }) => emailDomain),
        leftMs,
      );
      if (lookups > 0) leftMs -= Date.now() - startedAt;
      log.debug({ asked: lookups, leftMs }, "looked up the mail servers of lead domains");
      const located = leads.map((lead) => {
        const hosts = hostsByDomain.get(lead.emailDomain) ?? null;
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

/** A lead whose address moved to another domain meanwhile is not changed; a later round handles it. */
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
