import { useRef } from "react";
import { useRead } from "../../api/query.ts";
import type { Campaign } from "../campaign/reads.ts";

/** The outcome of a change that should be made without a plan. */
type Outcome = "DONE" | "REFUSED" | "NEEDS_PLAN";

interface Direct {
  /** Whether a change of a campaign with this status needs a plan. */
  needsPlan: (status: Campaign["status"]) => boolean;
  /** Makes the change if the campaign still has this version; false if it was refused. */
  write: (expectedVersion: number) => Promise<boolean>;
}

/**
 * Makes changes without a plan, and only while none is needed. The page may be some seconds old, so the server compares
 * the version; if it differs, the campaign is read again, and its status by then decides. A second change while one is running is not made.
 */
export function useDirect(campaign: Campaign): (change: Direct) => Promise<Outcome> {
  const read = useRead();
  const present = useRef(campaign);
  const isBusy = useRef(false);
  if (campaign.id !== present.current.id || campaign.version >= present.current.version) present.current = campaign;
  const decide = async ({ needsPlan, write }: Direct): Promise<Outcome> => {
    const { id: campaignId, status, version } = present.current;
    if (needsPlan(status)) return "NEEDS_PLAN";
    if (await write(version)) return "DONE";
    const now = await read("get /campaigns/:campaignId", { campaignId }).catch(() => null);
    if (now === null || now.version === version) return "REFUSED";
    present.current = now;
    return decide({ needsPlan, write });
  };
  return async (change) => {
    if (isBusy.current) return "REFUSED";
    isBusy.current = true;
    const outcome = await decide(change);
    isBusy.current = false;
    return outcome;
  };
}
