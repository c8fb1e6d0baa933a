import { expect } from "@jest/globals";
import { type CampaignCounts, subtractCounts } from "../../domain/campaigns/counts.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { readCounts } from "../../store/campaign-counters.ts";
import { countFromRecords } from "../../store/campaign-metrics.ts";

/** The records only say whether an email was tracked, so the counters are compared by the same. */
function comparable({ counts, revenue }: CampaignCounts): CampaignCounts {
  const { withPixel = 0, withLinks = 0 } = counts;
  const tracked = { withPixel: Math.min(withPixel, 1), withLinks: Math.min(withLinks, 1) };
  return subtractCounts({ counts: { ...counts, ...tracked }, revenue }, { counts: {}, revenue: {} });
}

/** Expects the counters of campaigns to equal what their records say, and returns the numbers. */
export async function expectCounted(workspaceId: string, ids: readonly string[]): Promise<CampaignCounts[]> {
  const complete = { campaignId: trusted({ $in: [...ids] }), compareAt: trusted({ $ne: null }) };
  expect(await scoped(workspaceId).CampaignCounter.count(complete)).toBe(ids.length);
  const [counters, records] = [await readCounts(workspaceId, ids), await countFromRecords(workspaceId, ids)];
  const [kept, counted] = [counters, records].map((all) => ids.map((id) => comparable(found(all.get(id)))));
  expect(kept).toEqual(counted);
  return kept ?? [];
}

function found(counts: CampaignCounts | undefined): CampaignCounts {
  if (counts === undefined) throw new Error("A campaign has no numbers");
  return counts;
}

export function personOf(campaignId: string) {
  const _id = newId("rcp");
  return { _id, campaignId, leadId: newId("led"), email: `${_id.toLowerCase()}@b.test`, cid: newId("rcp"), shard: 0 };
}

export function sendTo(person: { _id: string; campaignId: string; email: string }) {
  return {
    _id: newId("snd"),
    campaignId: person.campaignId,
    recipientId: person._id,
    stepId: newId("stp"),
    to: person.email,
  };
}

export function threadOf(person: { _id: string; campaignId: string }) {
  const { _id: recipientId, campaignId } = person;
  return { _id: newId("thr"), mailboxId: newId("mbx"), campaignId, recipientId, lastMessageAt: new Date() };
}
