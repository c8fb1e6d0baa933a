import { counter, type Owned, required, tenantModel, text } from "../../mongo/schema.ts";

/**
 * The clicks on one address in emails of a step on one day (rules/analytics 4). It belongs to the day's document in
 * `report_days`.
 */
export interface ReportLink extends Owned {
  campaignId: string;
  zone: string;
  day: number;
  stepId: string | null;
  url: string;
  clicks: number;
  uniqueClicks: number;
  conversions: number;
}

export const ReportLink = tenantModel<ReportLink>(
  "ReportLink",
  "report_links",
  {
    campaignId: required,
    zone: required,
    day: { type: Number, required: true },
    stepId: text,
    url: required,
    clicks: counter,
    uniqueClicks: counter,
    conversions: counter,
  },
  [{ fields: { workspaceId: 1, campaignId: 1, zone: 1, day: 1 } }],
);
