import { settingsOf } from "../../domain/campaigns/settings.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { loadSequence } from "../../store/campaigns/load.ts";
import { metricsOf } from "./metrics.ts";
import { sendingStatusOf } from "./sending-status.ts";

/** The campaign as creating and reading it return it. */
export async function loadInFull(campaign: Campaign) {
  return { ...(await loadWithoutFigures(campaign)), metrics: await metricsOf(campaign) };
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
