import { settingsOf } from "../../domain/campaigns/settings.ts";
import { OPEN } from "../../domain/states.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { CampaignIds } from "../../domain/workflow-contract.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { runMaintenance } from "../../store/campaigns/maintenance.ts";
import { moveCampaign } from "../../store/campaigns/status.ts";
import { bringForwardCampaign } from "../../store/recipients/bring-forward.ts";
import { endRecipient } from "../../store/recipients/stop.ts";
import { wakeParked, wakeUnbooked } from "../../store/recipients/waking.ts";
import { settleEdit } from "../../store/sequences/settle-edit.ts";
import { withHeartbeat } from "../beat.ts";
import { createWake } from "../mailboxes/freed.ts";
import { type Admitted, admit } from "./admit.ts";
import type { FindProviders } from "./lead-providers.ts";

export interface CampaignActivities {
  standingOf(ids: CampaignIds): Promise<{ status: "ACTIVE" | "WAITING" | "ENDED" | "GONE"; wakeAt: number }>;
  resumeParked(ids: CampaignIds): Promise<number>;
  admitRecipients(ids: CampaignIds): Promise<Admitted>;
  checkCompletion(ids: CampaignIds): Promise<boolean>;
  stopRecipients(ids: CampaignIds): Promise<number>;
}

/** The longest timer in milliseconds: a start may be centuries ahead, and Temporal refuses timers of that length. */
const LONGEST_SLEEP_MS = 365 * DAY_MS;
const PAGE = 200;

/** The errors that prevent a launch; a scheduled campaign is validated again when its start is due. */
type Validate = (campaign: Campaign) => Promise<{ valid: boolean; errors: { code: string }[] }>;

export interface CampaignDependencies {
  validate: Validate;
  /** Creates the provider lookup of one round of admission. */
  findProviders: () => FindProviders;
  log: { warn(fields: object, message: string): void };
}

/**
 * The activities of the feeder, the workflow that admits a campaign's recipients. They use MongoDB and signal
 * recipients' workflows.
 */
export function campaignActivities(dependencies: CampaignDependencies): CampaignActivities {
  return {
    standingOf: (ids) => withHeartbeat(() => standingOf(ids, dependencies)),
    resumeParked: (ids) => withHeartbeat(() => resume(ids)),
    admitRecipients: (ids) => withHeartbeat(() => admit(ids, dependencies.findProviders())),
    checkCompletion: (ids) => withHeartbeat(() => checkCompletion(ids)),
    stopRecipients: (ids) => withHeartbeat(() => stopRecipients(ids)),
  };
}

/**
 * Returns the campaign's state; it also opens a scheduled campaign whose start is due, and closes an active one past
 * its end.
 */
async function standingOf(
  { workspaceId, campaignId }: CampaignIds,
  { validate, log }: CampaignDependencies,
): ReturnType<CampaignActivities["standingOf"]> {
  const campaign = await scoped(workspaceId).Campaign.get(campaignId);
  const now = Date.now();
  if (campaign === null) return { status: "GONE", wakeAt: now };
  const settings = settingsOf(campaign.settings);
  const endAt = settings.endAt === null ? Infinity : Date.parse(settings.endAt);
  if (campaign.status === "COMPLETED" || campaign.status === "ARCHIVED")
    return { status: campaign.status === "COMPLETED" ? "ENDED" : "GONE", wakeAt: now };
  if (campaign.status === "ACTIVE" && endAt <= now) {
    await complete(workspaceId, campaignId, "SCHEDULE_ENDED");
    return { status: "ENDED", wakeAt: now };
  }
  if (campaign.status === "SCHEDULED") {
    const startAt = settings.startAt === null ? now : Date.parse(settings.startAt);
    if (startAt > now) return { status: "WAITING", wakeAt: Math.min(startAt, now + LONGEST_SLEEP_MS) };
    // Null when the campaign was changed meanwhile; the next call finds its new state
    const moved = await startScheduled(campaign, validate);
    return { status: moved?.status === "ACTIVE" ? "ACTIVE" : "WAITING", wakeAt: moved === null ? now : now + DAY_MS };
  }
  if (campaign.status !== "ACTIVE") return { status: "WAITING", wakeAt: now + DAY_MS };
  // A failed check must not delay anyone's emails
  await runMaintenance(campaign).catch((error) =>
    log.warn({ err: error, workspaceId, campaignId }, "the recurring checks of a campaign failed"),
  );
  return { status: "ACTIVE", wakeAt: now };
}

/**
 * Validates a scheduled campaign and starts it, or pauses it if it is invalid; neither happens if the campaign changed
 * since it was validated (rules/states 2.1).
 */
async function startScheduled(campaign: Campaign, validate: Validate): Promise<Campaign | null> {
  const { workspaceId, _id, version } = campaign;
  const { valid, errors } = await validate(campaign);
  const refused = {
    to: "PAUSED" as const,
    pauseReason: "LAUNCH_INVALID" as const,
    because: { errors: [...new Set(errors.map(({ code }) => code))] },
  };
  const outcome = valid ? { to: "ACTIVE" as const } : refused;
  return inTransaction(() => moveCampaign(workspaceId, _id, { from: ["SCHEDULED"], ...outcome, version, actor: null }));
}

function complete(
  workspaceId: string,
  campaignId: string,
  completedReason: "FINISHED" | "SCHEDULE_ENDED",
): Promise<boolean> {
  return inTransaction(async () => {
    const open = { campaignId, status: trusted({ $in: [...OPEN] }) };
    if (completedReason === "FINISHED" && (await scoped(workspaceId).Recipient.findOne(open)) !== null) return false;
    return (
      (await moveCampaign(workspaceId, campaignId, {
        from: ["ACTIVE"],
        to: "COMPLETED",
        completedReason,
        actor: null,
      })) !== null
    );
  });
}

/** Completes the campaign when no open recipient is left (rules/states 2.2). */
async function checkCompletion({ workspaceId, campaignId }: CampaignIds): Promise<boolean> {
  const campaign = await scoped(workspaceId).Campaign.get(campaignId);
  if (campaign === null || campaign.recipientCount === 0 || settingsOf(campaign.settings).autoRefreshAudience)
    return false;
  return complete(workspaceId, campaignId, "FINISHED");
}

/** Ends every recipient that is still open in a completed campaign, in pages. */
async function stopRecipients({ workspaceId, campaignId }: CampaignIds): Promise<number> {
  const { Campaign, Recipient } = scoped(workspaceId);
  const campaign = await Campaign.get(campaignId);
  if (campaign?.status !== "COMPLETED") return 0;
  const stopReason = campaign.completedReason === "SCHEDULE_ENDED" ? "SCHEDULE_ENDED" : "CAMPAIGN_COMPLETED";
  let stopped = 0;
  for (;;) {
    const page = await Recipient.find(
      { campaignId, status: trusted({ $in: [...OPEN] }) },
      { limit: PAGE, select: { _id: 1 } },
    );
    if (page.length === 0) return stopped;
    for (const { _id } of page)
      await inTransaction(() => endRecipient(workspaceId, _id, { status: "COMPLETED", stopReason }));
    stopped += page.length;
  }
}

/**
 * Wakes the recipients of an active campaign: those that were parked while it was not active and, if its limits, gaps
 * or hours have changed, those whose emails had been delayed by the old ones. Before that, it finishes applying an edit
 * of the sequence. Returns how many were woken.
 */
async function resume({ workspaceId, campaignId }: CampaignIds): Promise<number> {
  const { Campaign } = scoped(workspaceId);
  const edited = await Campaign.get(campaignId);
  if (edited?.status === "ACTIVE" && edited.unsettled) await settleEdit(workspaceId, campaignId);
  const parked = await wakeParked(workspaceId, campaignId, createWake());
  const campaign = await Campaign.get(campaignId);
  if (campaign?.status !== "ACTIVE" || campaign.freedAt == null) return parked;
  const wokenCount =
    (await wakeUnbooked(workspaceId, campaignId, createWake())) +
    (await bringForwardCampaign(workspaceId, campaignId, createWake()));
  // A change that happened meanwhile is handled on its own
  await Campaign.updateOne({ _id: campaignId, freedAt: campaign.freedAt }, { $set: { freedAt: null } });
  return parked + wokenCount;
}
