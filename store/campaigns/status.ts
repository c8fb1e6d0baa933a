import type { CampaignStatus, CompletedReason, PauseReason } from "../../domain/states.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { emit, nudge } from "../outbox.ts";
import { closeGates, openGates } from "./gates.ts";

export interface Move {
  /** The move happens only from one of these statuses. */
  from: readonly CampaignStatus[];
  /** The move happens only if the campaign is paused for this reason. */
  pausedFor?: PauseReason;
  to: CampaignStatus;
  pauseReason?: PauseReason;
  completedReason?: CompletedReason;
  /** The move happens only if the campaign still has this version. */
  version?: number;
  /** The credential of the caller; null for the service itself. */
  actor: string | null;
  /** Until this instant the campaign is not paused automatically (rules/campaigns 5.1). */
  guardOverrideUntil?: Date;
  /**
   * The reason for the history, as numbers or codes: what was measured for an automatic pause, or why a launch was
   * refused.
   */
  because?: Record<string, unknown>;
}

/**
 * Changes the status of a campaign and opens or closes its gates (rules/sending 7.1). Once this has committed, no claim
 * that was made under the old status can commit. Returns null when the campaign's status is no longer in `from`, or its
 * version or the reason of its pause differs. Call it in a transaction.
 */
export async function moveCampaign(workspaceId: string, campaignId: string, move: Move): Promise<Campaign | null> {
  const { from, pausedFor, completedReason = null, version, actor, guardOverrideUntil, because } = move;
  const { Campaign } = scoped(workspaceId);
  const { to, pauseReason = null } = await allowed(workspaceId, move);
  const before = await Campaign.findOne({
    _id: campaignId,
    status: trusted({ $in: [...from] }),
    ...(pausedFor !== undefined && { pauseReason: pausedFor }),
    ...(version !== undefined && { version }),
  });
  if (before === null) return null;
  const now = new Date();
  const set = {
    status: to,
    pauseReason,
    completedReason,
    statusChangedAt: now,
    ...(to === "ACTIVE" && before.launchedAt === null && { launchedAt: now }),
    ...(to === "COMPLETED" ? { completedAt: now } : to === "ACTIVE" || to === "SCHEDULED" ? { completedAt: null } : {}),
    archivedAt: to === "ARCHIVED" ? now : null,
    ...(guardOverrideUntil !== undefined && { guardOverrideUntil }),
  };
  const after = await Campaign.findOneAndUpdate({ _id: campaignId }, { $set: set, $inc: { version: 1, fence: 1 } });
  await (to === "ACTIVE" ? openGates(workspaceId, campaignId) : closeGates(workspaceId, campaignId));
  const data = { from: before.status, to, pauseReason, completedReason, ...(because !== undefined && { because }) };
  await emit(workspaceId, { type: "STATUS_CHANGED", campaignId, actor, data });
  await nudge(workspaceId, "CAMPAIGN", { campaignId });
  return after;
}

/**
 * The status that the campaign really gets. It becomes PAUSED instead of ACTIVE while the workspace is suspended
 * (rules/states 2.4, rules/access 7.1), and after a restore until the sent emails are known (rules/sending 12.2).
 */
async function allowed(workspaceId: string, { to, pauseReason }: Move): Promise<Pick<Move, "to" | "pauseReason">> {
  if (to === "ACTIVE") {
    const { matchedCount } = await Workspace.updateOne(
      { _id: workspaceId, isSuspended: false, suspension: null },
      { $inc: { openings: 1 } },
      sessionOption(),
    );
    if (matchedCount === 0) return { to: "PAUSED", pauseReason: "WORKSPACE_SUSPENDED" };
    if ((await scoped(workspaceId).SentFolderCheck.findOne({})) !== null)
      return { to: "PAUSED", pauseReason: "RESTORED" };
  }
  return { to, ...(pauseReason !== undefined && { pauseReason }) };
}
