import { counter, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * How many emails of a campaign are booked for one local day. `_id` is `<campaignId>:<YYYY-MM-DD>` in the campaign's
 * zone.
 */
export interface CampaignDay extends Owned {
  campaignId: string;
  day: string;
  total: number;
  newLeads: number;
}

export const CampaignDay = tenantModel<CampaignDay>(
  "CampaignDay",
  "campaign_days",
  { campaignId: required, day: required, total: counter, newLeads: counter },
  [{ fields: { workspaceId: 1, campaignId: 1, day: 1 } }],
);
