import { flag, mixed, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/** Counts for one combination of dimensions on a day; see domain/analytics/cells.ts. */
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
 * The results of a campaign on one day in the time zone of its workspace (rules/analytics 2). They are stored as
 * several lists with different dimensions, so that a report can read the shortest list that it needs. `_id` is
 * `<campaignId>:<zone>:<day>`.
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
 * The period of a campaign that `report_days` covers in this zone: from the day `first` up to the instant `until`. A
 * day without events has no document. `_id` is the campaign id.
 */
export interface ReportedDays extends Owned {
  zone: string;
  first: number;
  until: Date;
  /** Whether documents for a time zone that the workspace used earlier are still stored. */
  hasOthers: boolean;
}

export const ReportedDays = tenantModel<ReportedDays>("ReportedDays", "reported_days", {
  zone: required,
  first: { type: Number, required: true },
  until: { type: Date, required: true },
  hasOthers: flag,
});
