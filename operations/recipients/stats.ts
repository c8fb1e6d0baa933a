import { z } from "zod";
import { RECIPIENT_STATUSES, type RecipientStatus } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { campaignId, campaignOf } from "../campaigns/find.ts";
import { operation } from "../operation.ts";
import { Stats } from "./record.ts";

export const stats = operation({
  summary: "Count a campaign's recipients by status",
  scope: "recipients:read",
  input: z.strictObject({ campaignId }),
  output: Stats,
  async run({ workspaceId }, { campaignId }) {
    await campaignOf(workspaceId, campaignId);
    return statsOf(workspaceId, campaignId);
  },
});

/** All ten statuses, counted in the index; who was removed before any mail is not there. */
export async function statsOf(workspaceId: string, campaignId: string) {
  const { Recipient } = scoped(workspaceId);
  const groups = await Recipient.aggregate<{ _id: RecipientStatus; count: number }>(
    { campaignId },
    { $project: { _id: 0, status: 1 } },
    { $group: { _id: "$status", count: { $sum: 1 } } },
  );
  const counts = new Map(groups.map(({ _id, count }) => [_id, count]));
  const hidden = await Recipient.count({ campaignId, stopReason: "REMOVED", sentCount: 0 });
  counts.set("SKIPPED", (counts.get("SKIPPED") ?? 0) - hidden);
  const byStatus = Object.fromEntries(RECIPIENT_STATUSES.map((status) => [status, counts.get(status) ?? 0])) as Record<
    RecipientStatus,
    number
  >; // built from all of them
  return { campaignId, total: Object.values(byStatus).reduce((sum, count) => sum + count, 0), byStatus };
}
