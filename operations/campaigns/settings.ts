import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { changesPace, readSettings, settingChanges } from "../../domain/campaigns/read-settings.ts";
import { issuesOfPatch, patchSettings, settingsOf, settingsPatch } from "../../domain/campaigns/settings.ts";
import { AppError, type Issue, invalid } from "../../domain/errors.ts";
import { issuesBy } from "../../domain/issues.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { renewGates } from "../../store/campaigns/gates.ts";
import { loadCampaign, loadWorkspace } from "../../store/campaigns/load.ts";
import { shortenGaps } from "../../store/mailboxes/faults.ts";
import { loadKnownMailboxes } from "../../store/mailboxes/known.ts";
import { nudge } from "../../store/outbox.ts";
import { recordSettingsEdit } from "../../store/sequences/versions.ts";
import { freeForm } from "../fields.ts";
import { operation } from "../operation.ts";
import { hasBegun } from "../sending/causes.ts";
import { authorOf } from "../sequences/edit.ts";
import { shownAs } from "../shown-as.ts";
import { campaignId, expectedVersion, loadEditable } from "./find.ts";
import { SettingsRecord } from "./record.ts";

const MAX_BYTES = 100_000;

export const get = operation({
  summary: "Read every setting of a campaign; unset settings have their defaults",
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ campaignId }),
  output: SettingsRecord,
  async run({ workspaceId }, { campaignId }) {
    return settingsOf((await loadCampaign(workspaceId, campaignId)).settings);
  },
});

const PATCH =
  "The settings to change: omitted settings stay the same, null restores the default, unknown names are stored without effect";

export const update = operation({
  summary:
    "Change some settings: objects merge, arrays are replaced, null restores the default, unknown keys are stored without effect",
  scope: "campaigns:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION", "LIMIT_EXCEEDED", "MAILBOX_NOT_FOUND", "VERSION_CONFLICT"],
  effects: { CHANGES_SENDING: hasBegun, DISCLOSES: (_ctx, { settings }) => "bccList" in settings },
  input: z.strictObject({
    campaignId,
    expectedVersion,
    settings: shownAs(
      z.record(z.string(), z.unknown()),
      settingsPatch.meta({ id: "SettingsPatch", description: PATCH }),
    ),
  }),
  output: SettingsRecord,
  async run(ctx, { campaignId, expectedVersion, settings: patch }) {
    const { workspaceId } = ctx;
    refuse(issuesBy(freeForm, patch));
    return inTransaction(async () => {
      const campaign = await loadEditable(workspaceId, campaignId, expectedVersion);
      const { timezone } = await loadWorkspace(workspaceId);
      const settings = patchSettings(campaign.settings, readSettings(patch, campaign.settings, timezone));
      refuse(issuesOfPatch(settings, patch));
      refuseGaps(settings);
      if (Buffer.byteLength(JSON.stringify(settings)) > MAX_BYTES) {
        throw new AppError("LIMIT_EXCEEDED", "The settings of a campaign must have at most 100 kB", {
          limit: MAX_BYTES,
        });
      }
      if (Array.isArray(patch["mailboxIds"])) await loadKnownMailboxes(workspaceId, patch["mailboxIds"].map(String));
      if (isDeepStrictEqual(settings, { ...campaign.settings })) return settingsOf(settings);
      const isAskedAnew = settingsOf(settings).approvalMode !== settingsOf(campaign.settings).approvalMode;
      const moves = isAskedAnew ? { version: 1, fence: 1 } : { version: 1 };
      const freed = changesPace(patch) && { freedAt: new Date() };
      await scoped(workspaceId).Campaign.updateOne({ _id: campaignId }, { $set: { settings, ...freed }, $inc: moves });
      const recorded = {
        action: "UPDATE_SETTINGS",
        by: await authorOf(ctx),
        changes: settingChanges(campaign.settings, settings),
      } as const;
      await recordSettingsEdit(campaign, campaign.version + 1, recorded);
      if ("maxGapSeconds" in patch) await shortenGaps(workspaceId, campaignId, settingsOf(settings).maxGapSeconds);
      if (isAskedAnew) await renewGates(workspaceId, campaignId);
      if (campaign.status === "ACTIVE" || campaign.status === "SCHEDULED")
        await nudge(workspaceId, "CAMPAIGN", { campaignId });
      return settingsOf(settings);
    });
  },
});

function refuse(issues: Issue[]): void {
  if (issues.length === 0) return;
  throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues });
}

function refuseGaps(settings: Record<string, unknown>): void {
  const { minGapSeconds, maxGapSeconds } = settingsOf(settings);
  if (minGapSeconds > maxGapSeconds)
    throw invalid("minGapSeconds", `must be at most maxGapSeconds, which is ${maxGapSeconds}`, "GAPS_CROSSED");
}
