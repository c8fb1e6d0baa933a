import { type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * Instants of a campaign at which something was recorded, changed or undone long after (rules/analytics 3.1). Only ever
 * inserted, so that writers do not wait for each other; gone once the days are counted anew.
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
