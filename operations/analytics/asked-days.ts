import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import { isZone } from "../../domain/time/schedule.ts";
import { dateOf, dayAt, dayOf } from "../../domain/time/zone.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import type { DaysAsked } from "../../store/analytics/read-report.ts";
import { loadWorkspace } from "../../store/campaigns/load.ts";

/** Days of a report when the request names none. */
const USUAL_DAYS = 30;
const MOST_DAYS = 3_660;

const date = z.iso.date();

/** The request fields that select the days. */
export const daysAsked = {
  from: date.optional().describe("The first day, in the workspace's zone. Default 29 days before `to`"),
  to: date.optional().describe("The last day, included. Default today"),
};

/** The response fields that name the days. */
export const daysShown = {
  from: date.describe("The first day"),
  to: date.describe("The last day, included"),
  timezone: z.string().describe("The time zone of the days: the workspace's"),
};

interface Asked {
  from?: string | undefined;
  to?: string | undefined;
  campaignIds?: readonly string[] | undefined;
}

export interface AskedCampaign {
  _id: string;
  name: string;
  recipientCount: number;
}

/**
 * The days and campaigns of a report; by default all campaigns, including archived ones.
 * @throws AppError VALIDATION_FAILED for days in the wrong order or too many, CAMPAIGN_NOT_FOUND
 */
export async function readDays(workspaceId: string, asked: Asked): Promise<DaysAsked & { campaigns: AskedCampaign[] }> {
  const { timezone } = await loadWorkspace(workspaceId);
  const zone = isZone(timezone) ? timezone : "UTC";
  const today = dayAt(zone, Date.now());
  const first = asked.from === undefined ? null : dayOf(asked.from);
  const to = asked.to === undefined ? Math.max(today, first ?? today) : dayOf(asked.to);
  const from = first ?? to - USUAL_DAYS + 1;
  if (from > to) throw invalid("from", "must not be after `to`", "OUT_OF_ORDER");
  if (to - from >= MOST_DAYS) throw invalid("from", `must be at most ${MOST_DAYS} days before \`to\``, "TOO_LONG");
  const campaigns = await campaignsOf(workspaceId, asked.campaignIds);
  return { workspaceId, zone, from, to, campaigns, campaignIds: campaigns.map(({ _id }) => _id) };
}

export function shownDays({ from, to, zone }: Pick<DaysAsked, "from" | "to" | "zone">) {
  return { from: dateOf(from), to: dateOf(to), timezone: zone };
}

async function campaignsOf(workspaceId: string, ids: readonly string[] | undefined): Promise<AskedCampaign[]> {
  const wanted = ids === undefined ? {} : { _id: trusted({ $in: [...ids] }) };
  const found = await scoped(workspaceId).Campaign.find(wanted, { select: { name: 1, recipientCount: 1 } });
  const missing = ids?.filter((id) => !found.some(({ _id }) => _id === id)) ?? [];
  if (missing.length > 0)
    throw new AppError("CAMPAIGN_NOT_FOUND", "No campaign of this workspace has this id", { campaignIds: missing });
  return found;
}
