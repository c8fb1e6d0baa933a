import { z } from "zod";
import { RECIPIENT_STATUSES, type RecipientStatus } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { campaignId } from "../campaigns/find.ts";
import { operation } from "../operation.ts";
import { Stats } from "./record.ts";

export const stats = operation({
  summary: "Count a campaign's recipients by status",
  scope: "recipients:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ campaignId }),
  output: Stats,
  async run({ workspaceId }, { campaignId }) {
    await loadCampaign(workspaceId, campaignId);
    return statsOf(workspaceId, campaignId);
  },
});

export interface StatusCounts {
  campaignId: string;
  total: number;
  byStatus: Record<RecipientStatus, number>;
}

/** Smaller campaigns are counted every time. The count of a larger one is cached for `KEPT` times its counting time. */
const LARGE = 10_000;
const KEPT = 10;
const MOST_KEPT = 1_000;

const kept = new Map<string, { counts: StatusCounts; until: number }>();

/** The counts of all statuses, from the index, without recipients that were removed before any email. */
export async function statsOf(workspaceId: string, campaignId: string): Promise<StatusCounts> {
  const cached = kept.get(campaignId);
  if (cached !== undefined && performance.now() < cached.until) return cached.counts;
  const since = performance.now();
  const counts = await countNow(workspaceId, campaignId);
  kept.delete(campaignId);
  if (counts.total >= LARGE)
    keep(campaignId, { counts, until: performance.now() + KEPT * (performance.now() - since) });
  return counts;
}

/**
 * Drops the cached counts of a campaign whose recipients this process has changed, so that the caller who made the
 * change reads new ones.
 */
export function forgetStats(campaignId: string): void {
  kept.delete(campaignId);
}

function keep(campaignId: string, entry: { counts: StatusCounts; until: number }): void {
  kept.set(campaignId, entry);
  const [oldest] = kept.keys();
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}

/**
 * The number of recipients that were removed before any email. They appear in no list and no count (rules/states 3.2).
 */
export function hiddenIn(workspaceId: string, campaignId: string): Promise<number> {
  return scoped(workspaceId).Recipient.count({ campaignId, stopReason: "REMOVED", sentCount: 0 });
}

async function countNow(workspaceId: string, campaignId: string): Promise<StatusCounts> {
  const groups = await scoped(workspaceId).Recipient.aggregate<{ _id: RecipientStatus; count: number }>(
    { campaignId },
    { $project: { _id: 0, status: 1 } },
    { $group: { _id: "$status", count: { $sum: 1 } } },
  );
  const counts = new Map(groups.map(({ _id, count }) => [_id, count]));
  counts.set("SKIPPED", (counts.get("SKIPPED") ?? 0) - (await hiddenIn(workspaceId, campaignId)));
  const byStatus = Object.fromEntries(RECIPIENT_STATUSES.map((status) => [status, counts.get(status) ?? 0])) as Record<
    RecipientStatus,
    number
  >; // built from all statuses
  return { campaignId, total: Object.values(byStatus).reduce((sum, count) => sum + count, 0), byStatus };
}
