import pLimit from "p-limit";
import type { Egress } from "../connectors/net/egress.ts";
import { codeOf } from "../connectors/net/egress-error.ts";
import { DNS_LIMIT_MS } from "../domain/mailboxes/dns-check.ts";
import { preferredHosts } from "../domain/mailboxes/mail-exchange.ts";
import { DAY_MS, HOUR_MS } from "../domain/time/durations.ts";
import { MailDomain } from "../models/deliverability/mail-domain.ts";
import { trusted } from "../mongo/collection.ts";

/** Null when the name server could not be queried. */
type MailHosts = MailDomain["hosts"];

interface FoundHosts {
  hosts: Map<string, MailHosts>;
  /** How many domains were looked up; the hosts of the others were already stored. */
  asked: number;
}

/** Finds the mail hosts of domains. Domains that are not looked up within `limitMs` are left out. */
export type FindMailHosts = (domains: readonly string[], limitMs: number) => Promise<FoundHosts>;

const AT_ONCE = 20;
const KEPT_MS = 7 * DAY_MS;
/** Milliseconds after which a failed lookup is repeated. */
const RETRY_MS = HOUR_MS;

/** Asks a name server for each domain once a week, for all workspaces together. */
export function findMailHosts(egress: Pick<Egress, "records">): FindMailHosts {
  async function askAll(domains: readonly string[], limitMs: number): Promise<Map<string, MailHosts>> {
    const startedAt = Date.now();
    const slots = pLimit(AT_ONCE);
    const answers = new Map<string, MailHosts>();
    const askInTime = async (domain: string) => {
      // When the time is over, the remaining domains are left to a later call
      if (Date.now() - startedAt < limitMs) answers.set(domain, await lookupMailHosts(domain));
    };
    await Promise.all(domains.map((domain) => slots(() => askInTime(domain))));
    return answers;
  }

  /**
   * Null when no server answered. A domain without MX receives its email itself (RFC 5321 5.1); one that does not exist
   * has no hosts.
   */
  async function lookupMailHosts(domain: string): Promise<MailHosts> {
    try {
      return preferredHosts(await egress.records(DNS_LIMIT_MS, (ask) => ask(domain, "MX")));
    } catch (error) {
      const code = codeOf(error);
      return code === "ENODATA" ? [domain] : code === "ENOTFOUND" ? [] : null;
    }
  }

  return async (domains, limitMs) => {
    const distinct = [...new Set(domains)];
    const storedHosts = await loadKnownHosts(distinct);
    const unknown = distinct.filter((domain) => !storedHosts.has(domain));
    if (unknown.length === 0) return { hosts: storedHosts, asked: 0 };
    const newHosts = await askAll(unknown, limitMs);
    await remember(newHosts);
    return { hosts: new Map([...storedHosts, ...newHosts]), asked: newHosts.size };
  };
}

async function loadKnownHosts(domains: string[]): Promise<Map<string, MailHosts>> {
  const fresh = { _id: trusted({ $in: domains }), staleAt: trusted({ $gt: new Date() }) };
  const rows = await MailDomain.find(fresh, { hosts: 1 }).lean<MailDomain[]>();
  return new Map(rows.map(({ _id, hosts }) => [_id, hosts]));
}

async function remember(answers: ReadonlyMap<string, MailHosts>): Promise<void> {
  const now = Date.now();
  const writes = [...answers].map(([_id, hosts]) => {
    const isTold = hosts !== null && hosts.length > 0;
    const $set = { hosts, staleAt: new Date(now + (isTold ? KEPT_MS : RETRY_MS)) };
    return { updateOne: { filter: { _id }, update: { $set }, upsert: true } };
  });
  if (writes.length > 0) await MailDomain.bulkWrite(writes, { ordered: false });
}
