import { type Effect as Caused, EFFECTS } from "../../domain/access/policy.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import type { Context } from "../context.ts";
import type { Effects } from "../effects.ts";

type OfCampaign = { campaignId: string };

/** Statuses in which a campaign sends by itself, now or from its start time on. */
const RUNS: Campaign["status"][] = ["ACTIVE", "SCHEDULED"];
/** Statuses of a launched campaign. Changing it changes emails that recipients still wait for. */
const BEGUN: Campaign["status"][] = [...RUNS, "PAUSED"];

/** Returns true when the campaign of the call sends by itself. */
export function runs({ workspaceId }: Context, { campaignId }: OfCampaign): Promise<boolean> {
  return hasCampaign(workspaceId, { _id: campaignId, status: trusted({ $in: RUNS }) });
}

/** Returns true when the campaign of the call was launched and has not ended. */
export function hasBegun({ workspaceId }: Context, { campaignId }: OfCampaign): Promise<boolean> {
  return hasCampaign(workspaceId, { _id: campaignId, status: trusted({ $in: BEGUN }) });
}

/** Returns true when the campaign of the call sends, or would send again once a recipient is resumed. */
export function runsAgain({ workspaceId }: Context, { campaignId }: OfCampaign): Promise<boolean> {
  return hasCampaign(workspaceId, { _id: campaignId, status: trusted({ $in: [...RUNS, "COMPLETED"] }) });
}

/** A campaign that adds the members of its lists automatically. */
export const ENROLS = {
  status: trusted({ $in: [...RUNS, "COMPLETED"] }),
  "settings.autoRefreshAudience": true,
  audienceListIds: trusted({ $ne: [] }),
};

/**
 * Returns true when any campaign adds the members of its lists automatically, so that a new member may get an email.
 */
export function enrols({ workspaceId }: Context): Promise<boolean> {
  return hasCampaign(workspaceId, ENROLS);
}

/**
 * Returns true when any campaign was launched and has not ended, so that workspace data still appears in its emails.
 */
export function anyHasBegun({ workspaceId }: Context): Promise<boolean> {
  return hasCampaign(workspaceId, { status: trusted({ $in: BEGUN }) });
}

/** Returns true when one of these leads waits for an email, which is rendered with the lead's fields. */
export async function isWaitedFor({ workspaceId }: Context, leadIds: string[]): Promise<boolean> {
  const open = { leadId: trusted({ $in: leadIds }), status: trusted({ $in: ["PENDING", "IN_PROGRESS", "PAUSED"] }) };
  return (await scoped(workspaceId).Recipient.count(open)) > 0;
}

async function hasCampaign(workspaceId: string, filter: Record<string, unknown>): Promise<boolean> {
  return (await scoped(workspaceId).Campaign.findOne(filter, { select: { _id: 1 } })) !== null;
}

/** The effects that a call has in the current state. */
export async function causedBy<In>(
  ctx: Context,
  effects: Effects<In>,
  input: In,
  among: readonly Caused[] = EFFECTS,
): Promise<Caused[]> {
  const caused: Caused[] = [];
  for (const effect of among) {
    const cause = effects[effect];
    if (typeof cause === "function" ? await cause(ctx, input) : cause === true) caused.push(effect);
  }
  return caused;
}
