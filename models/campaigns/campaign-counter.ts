import type mongoose from "mongoose";
import type { CountName } from "../../domain/campaigns/counts.ts";
import { instant, mixed, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/** How many counters of a campaign are changed by events. Two transactions that change the same one conflict. */
export const COUNTER_PARTS = 16;
/** The part that a comparison with the records changes. */
export const COMPARED_PART = "compared";

/**
 * One of the counters whose sum is the numbers of a campaign (rules/campaigns 6.1). `_id` is `<campaignId>:<part>`. An
 * event changes one of 16 parts in its own transaction. The numbers are complete once the part `compared` exists.
 */
export interface CampaignCounter extends Owned {
  campaignId: string;
  counts: Partial<Record<CountName, number>>;
  /** By currency. */
  revenue: Record<string, { people: number; amount: mongoose.mongo.Decimal128 }>;
  /** When the numbers must be compared with the records again; null in the other parts. */
  compareAt: Date | null;
}

export const CampaignCounter = tenantModel<CampaignCounter>(
  "CampaignCounter",
  "campaign_counters",
  { campaignId: required, counts: { ...mixed, default: {} }, revenue: { ...mixed, default: {} }, compareAt: instant },
  [
    { fields: { workspaceId: 1, campaignId: 1 } },
    { fields: { compareAt: 1 }, where: { compareAt: { $gt: new Date(0) } } },
  ],
);
