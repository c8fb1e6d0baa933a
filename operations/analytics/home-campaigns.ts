import { isStuck, restingCode, type SendingCode } from "../../domain/campaigns/sending-status.ts";
import type { CampaignStatus } from "../../domain/states.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import { readMetrics } from "../campaigns/metrics.ts";
import { type SendingStatus, sendingStatusesOf } from "../campaigns/sending-status.ts";

const SHOWN = 8;
/** What is shown after the campaigns that need a person, and how many of each status are considered. */
const CONSIDERED: readonly (readonly [CampaignStatus, number])[] = [
  ["ACTIVE", 50],
  ["SCHEDULED", SHOWN],
  ["PAUSED", 50],
  ["DRAFT", SHOWN],
];

/** The campaigns that send or are stuck, those that need a person first, with their figures. */
export async function readYourCampaigns(workspaceId: string) {
  const { Campaign } = scoped(workspaceId);
  const found = await Promise.all(
    CONSIDERED.map(([status, limit]) => Campaign.find({ status }, { sort: { _id: -1 }, limit })),
  );
  const campaigns = found.flat();
  // Only an active campaign needs a read: the code of any other follows from its status
  const active = campaigns.filter(({ status }) => status === "ACTIVE");
  const known = await statusesById(active);
  const codeOf = ({ _id, status, pauseReason }: Campaign) =>
    restingCode(status, pauseReason) ?? known.get(_id)?.code ?? null;
  const shown = campaigns.toSorted((one, other) => rankOf(one, codeOf(one)) - rankOf(other, codeOf(other)));
  const page = shown.slice(0, SHOWN);
  const others = await statusesById(page.filter(({ _id }) => !known.has(_id)));
  const metrics = await readMetrics(page);
  return page.map((campaign, index) => {
    const sendingStatus = known.get(campaign._id) ?? others.get(campaign._id) ?? null;
    const figures = metrics[index] ?? null;
    return { ...campaign, sendingStatus, metrics: figures, partial: sendingStatus === null || figures === null };
  });
}

async function statusesById(campaigns: readonly Campaign[]): Promise<Map<string, SendingStatus | null>> {
  const statuses = await sendingStatusesOf(campaigns);
  return new Map(campaigns.map(({ _id }, index) => [_id, statuses[index] ?? null]));
}

function rankOf({ status }: Campaign, code: SendingCode | null): number {
  if (code !== null && isStuck(code)) return -1;
  return CONSIDERED.findIndex(([one]) => one === status);
}
