import { firstRateDay, type GoogleRate } from "../../domain/deliverability/google-rate.ts";
import type { ComplianceRow, PostmasterError, PostmasterPoint } from "../../domain/deliverability/postmaster.ts";
import type { SendingDomain } from "../../domain/deliverability/sending-domain.ts";
import type { PostmasterDay } from "../../models/deliverability/postmaster-day.ts";
import type { PostmasterDomain } from "../../models/deliverability/postmaster-domain.ts";
import { scoped } from "../../models/scoped.ts";

/** The result of one attempt to read a domain from Google. A field is null when it could not be read. */
export interface PostmasterReading {
  /** By day. */
  points: ReadonlyMap<string, PostmasterPoint> | null;
  compliance: ComplianceRow[] | null;
  error: PostmasterError | null;
}

/**
 * The names of the domains whose figures a workspace may see: those that its own mailboxes send from. A domain that the
 * workspace only monitors may belong to anyone, and the Google credentials are those of the whole deployment
 * (rules/deliverability 7.2).
 */
export function namesOfSenders(domains: readonly SendingDomain[]): string[] {
  return domains.filter(({ mailboxIds }) => mailboxIds.length > 0).map(({ domain }) => domain);
}

/**
 * Stores the result of a reading. Each day replaces the stored values of the same day. Values that could not be read do
 * not change.
 */
export async function savePostmasterReading(
  workspaceId: string,
  domain: string,
  reading: PostmasterReading,
  now: Date,
): Promise<void> {
  const { PostmasterDay, PostmasterDomain } = scoped(workspaceId);
  for (const [day, point] of reading.points ?? []) {
    const fields = { domain, day, at: new Date(`${day}T00:00:00Z`), ...point };
    await PostmasterDay.updateOne({ _id: `${workspaceId}:${domain}:${day}` }, { $set: fields }, { upsert: true });
  }
  // The days are stored first, so that a reading that fails among them is repeated from the last complete one
  const fields = {
    domain,
    triedAt: now,
    error: reading.error,
    ...(reading.points !== null && { readAt: now }),
    ...(reading.compliance !== null && { compliance: reading.compliance }),
  };
  const known = reading.compliance === null ? { $setOnInsert: { compliance: [] } } : {};
  await PostmasterDomain.updateOne({ _id: `${workspaceId}:${domain}` }, { $set: fields, ...known }, { upsert: true });
}

/** The state of the reading of each domain, by domain. Domains that were never read are absent. */
export async function loadPostmasterDomains(
  workspaceId: string,
  domains: readonly string[],
): Promise<Map<string, PostmasterDomain>> {
  if (domains.length === 0) return new Map();
  const found = await scoped(workspaceId).PostmasterDomain.read({ domain: { $in: [...domains] } });
  return new Map(found.map((row) => [row.domain, row]));
}

/** The stored figures of these domains since `since`, oldest first. */
export async function loadPostmasterDays(
  workspaceId: string,
  domains: readonly string[],
  since: string,
): Promise<PostmasterDay[]> {
  if (domains.length === 0) return [];
  const filter = { domain: { $in: [...domains] }, day: { $gte: since } };
  return scoped(workspaceId).PostmasterDay.read(filter, { sort: { day: 1 } });
}

/** The newest spam rate that Google reports for each domain. Domains without a recent rate are absent. */
export async function loadGoogleRates(
  workspaceId: string,
  domains: readonly string[],
  now: number,
): Promise<Map<string, GoogleRate>> {
  const days = await loadPostmasterDays(workspaceId, domains, firstRateDay(now));
  return new Map(
    days.flatMap(({ domain, day, spamRate }) =>
      spamRate === null ? [] : [[domain, { day, rate: spamRate }] as const],
    ),
  );
}
