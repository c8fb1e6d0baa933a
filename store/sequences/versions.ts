import type { SequenceChange } from "../../domain/sequences/changes.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import type { CampaignVersion } from "../../models/sequences/campaign-version.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";

/** How many versions of a campaign are kept. Older ones are deleted. */
export const MOST_VERSIONS = 200;

/** An edit: its author, its changes, and the version that it restored. */
export interface RecordedEdit extends Pick<CampaignVersion, "action" | "by"> {
  changes: SequenceChange[];
  revertedTo?: number;
}

/**
 * Records an edit of a campaign's sequence as a version. The state before the first recorded edit becomes a version
 * too, so that it can be restored. Call it in the transaction of the edit.
 */
export async function recordSequenceEdit(
  campaign: Campaign,
  before: Sequence,
  after: Pick<Sequence, "mode" | "steps" | "version">,
  edit: RecordedEdit,
): Promise<void> {
  const { workspaceId, _id: campaignId } = campaign;
  const { CampaignVersion } = scoped(workspaceId);
  const hasSnapshot = await CampaignVersion.findOne(
    { campaignId, steps: trusted({ $ne: null }) },
    { select: { _id: 1 } },
  );
  if (hasSnapshot === null) {
    const { mode, steps, updatedAt: at } = before;
    await CampaignVersion.insert({
      _id: newId("cvr"),
      campaignId,
      version: before.version,
      action: "SNAPSHOT",
      at,
      mode,
      steps,
    });
  }
  const { mode, steps, version } = after;
  await CampaignVersion.insert({ _id: newId("cvr"), campaignId, version, at: new Date(), ...edit, mode, steps });
  await forgetOldest(workspaceId, campaignId);
}

/** Records an edit of a campaign's settings. Call it in the transaction of the edit. */
export async function recordSettingsEdit(campaign: Campaign, version: number, edit: RecordedEdit): Promise<void> {
  const { workspaceId, _id: campaignId } = campaign;
  await scoped(workspaceId).CampaignVersion.insert({ _id: newId("cvr"), campaignId, version, at: new Date(), ...edit });
  await forgetOldest(workspaceId, campaignId);
}

async function forgetOldest(workspaceId: string, campaignId: string): Promise<void> {
  const { CampaignVersion } = scoped(workspaceId);
  const [last] = await CampaignVersion.find(
    { campaignId },
    { sort: { version: -1 }, skip: MOST_VERSIONS, limit: 1, select: { version: 1 } },
  );
  if (last !== undefined) await CampaignVersion.deleteMany({ campaignId, version: trusted({ $lte: last.version }) });
}

/**
 * The sequence at a version of its campaign, as the last edit up to that version left it. Null when that version is no
 * longer stored.
 */
export function findSequenceAt(
  workspaceId: string,
  campaignId: string,
  version: number,
): Promise<CampaignVersion | null> {
  const upTo = { campaignId, version: trusted({ $lte: version }), steps: trusted({ $ne: null }) };
  return scoped(workspaceId).CampaignVersion.findOne(upTo, { sort: { version: -1 } });
}
