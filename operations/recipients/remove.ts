import { z } from "zod";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../../store/outbox.ts";
import { endRecipient } from "../../store/recipients/stop.ts";
import { campaignId, loadEditable } from "../campaigns/find.ts";
import { ids } from "../fields.ts";
import { operation } from "../operation.ts";
import { forgetStats, statsOf } from "./stats.ts";

const PAGE = 50;

export const bulkRemove = operation({
  summary: "Remove recipients from a campaign; those never emailed disappear from its lists and counts",
  scope: "recipients:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  input: z.strictObject({ campaignId, recipientIds: ids.describe("1 to 1,000 recipients") }),
  output: z.object({
    removed: z.number().int().describe("Recipients that were removed"),
    notFound: z.array(z.string()).describe("Ids that match no recipient of this campaign"),
    total: z.number().int().describe("Recipients of the campaign now"),
  }),
  async run({ workspaceId }, { campaignId, recipientIds }) {
    await loadEditable(workspaceId, campaignId, undefined);
    const wanted = [...new Set(recipientIds)];
    const found = await scoped(workspaceId).Recipient.find(
      { _id: trusted({ $in: wanted }), campaignId },
      { select: { _id: 1 } },
    );
    const known = new Set(found.map(({ _id }) => _id));
    const present = wanted.filter((id) => known.has(id));
    let removed = 0;
    for (let start = 0; start < present.length; start += PAGE) {
      removed += await inTransaction(() => removePage(workspaceId, campaignId, present.slice(start, start + PAGE)));
    }
    forgetStats(campaignId);
    const { total } = await statsOf(workspaceId, campaignId);
    return { removed, notFound: wanted.filter((id) => !known.has(id)), total };
  },
});

async function removePage(workspaceId: string, campaignId: string, recipientIds: string[]): Promise<number> {
  let removed = 0;
  let neverMailed = 0;
  for (const id of recipientIds) {
    const before = await endRecipient(workspaceId, id, { status: "SKIPPED", stopReason: "REMOVED" });
    if (before === null) continue;
    removed++;
    if (before.sentCount === 0) neverMailed++;
  }
  if (neverMailed > 0)
    await scoped(workspaceId).Campaign.updateOne({ _id: campaignId }, { $inc: { recipientCount: -neverMailed } });
  if (removed > 0) await nudge(workspaceId, "CAMPAIGN", { campaignId });
  return removed;
}
