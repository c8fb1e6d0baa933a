import { flag, mixed, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/** Counts of one place of a day; see domain/analytics/cells.ts. */
interface ReportCell {
  stepId?: string | null;
  variantId?: string | null;
  mailboxId?: string | null;
  hour?: number;
  currency: string | null;
  amount: string | null;
  counts: Record<string, number>;
}

/**
 * The results of a campaign on one day of its workspace's zone (rules/analytics 2), in lists by different dimensions,
 * so that a report can read the shortest list that it needs. `_id` is `<campaignId>:<zone>:<day>`.
 */
export interface ReportDay extends Owned {
  campaignId: string;
  zone: string;
  /** Days since 1970-01-01. */
  day: number;
  lists: Record<string, ReportCell[]>;
}

export const ReportDay = tenantModel<ReportDay>(
  "ReportDay",
  "report_days",
  { campaignId: required, zone: required, day: { type: Number, required: true }, lists: mixed },
  [{ fields: { workspaceId: 1, campaignId: 1, zone: 1, day: 1 } }],
);

/**
 * How much of a campaign `report_days` covers: every day from `first` in this zone up to an instant. A day without
 * events has no document. `_id` is the campaign's.
 */
export interface ReportedDays extends Owned {
  zone: string;
  first: number;
  until: Date;
  /** Whether the days of an older zone are still stored. */
  hasOthers: boolean;
}

export const ReportedDays = tenantModel<ReportedDays>("ReportedDays", "reported_days", {
  zone: required,
  first: { type: Number, required: true },
  until: { type: Date, required: true },
  hasOthers: flag,
});
