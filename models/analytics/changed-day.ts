import { type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * Instants of a campaign for which something was recorded, changed or undone much later (rules/analytics 3.1). They are
 * only inserted, so that writers do not wait for each other. They are deleted once their days have been counted again.
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
