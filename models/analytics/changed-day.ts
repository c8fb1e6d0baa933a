import { type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * Past instants of a campaign for which something was recorded, changed or undone later (rules/analytics 3.1). These
 * documents are only inserted, so that writers never wait for each other. They are deleted once the days of the
 * instants have been counted again.
 */
export interface ChangedDay extends Owned {
  campaignId: string;
  instants: Date[];
}

export const ChangedDay = tenantModel<ChangedDay>(
  "ChangedDay",
  "changed_days",
  { campaignId: required, instants: { type: [Date], required: true, default: [] } },
  [{ fields: { workspaceId: 1, campaignId: 1 } }],
);
