import { settingsOf } from "../../domain/campaigns/settings.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { loadSequence } from "../../store/campaigns/load.ts";
import { countMetrics, readMetrics } from "./metrics.ts";
import { sendingStatusOf } from "./sending-status.ts";

/** The campaign as creating, copying and changing it return it. */
export async function loadInFull(campaign: Campaign) {
  const [metrics = null] = await readMetrics([campaign]);
  return { ...(await loadWithoutFigures(campaign)), metrics: metrics ?? (await countMetrics(campaign)) };
}

/** The campaign as reading it returns it. It does not fail because of a figure that takes too long. */
export async function loadWithFigures(campaign: Campaign) {
  const [metrics = null] = await readMetrics([campaign]);
  return { ...(await loadWithoutFigures(campaign)), metrics, partial: metrics === null };
}

/** The campaign without its metrics, which have to be counted. */
export async function loadWithoutFigures(campaign: Campaign) {
  const sequence = await loadSequence(campaign.workspaceId, campaign._id);
  return {
    ...campaign,
    settings: settingsOf(campaign.settings),
    sequence: withVersion(sequence, campaign),
    sendingStatus: await sendingStatusOf(campaign),
  };
}

/** Campaign and sequence share one version, so a caller can pass the version of either as `expectedVersion`. */
export function withVersion(sequence: Sequence, { version }: Campaign): Sequence {
  return { ...sequence, version };
}
