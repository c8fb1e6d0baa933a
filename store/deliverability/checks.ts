import type { DomainReport } from "../../domain/deliverability/sending-domain.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { DomainCheck } from "../../models/domain-check.ts";
import { scoped } from "../../models/scoped.ts";

/** Stores what was found about a domain, in the place of what was found earlier on the same day. */
export async function saveCheck(
  workspaceId: string,
  domain: string,
  { findings, listings, isAligned }: DomainReport,
  now: Date,
): Promise<void> {
  const day = utcDay(now.getTime());
  const fields = { domain, day, checkedAt: now, findings, listings, isAligned };
  await scoped(workspaceId).DomainCheck.updateOne({ _id: `${workspaceId}:${domain}:${day}` }, { $set: fields }, { upsert: true });
}

/** The newest check of each of these domains that was ever checked, by domain. */
export async function loadLatestChecks(workspaceId: string, domains: readonly string[]): Promise<Map<string, DomainCheck>> {
  if (domains.length === 0) return new Map();
  const found = await scoped(workspaceId).DomainCheck.aggregate<{ latest: DomainCheck }>(
    { domain: { $in: [...domains] } },
    { $sort: { workspaceId: 1, domain: 1, day: -1 } },
    { $group: { _id: "$domain", latest: { $first: "$$ROOT" } } },
  );
  return new Map(found.map(({ latest }) => [latest.domain, latest]));
}
