import { DRAWS, draw } from "../draw.ts";

/** The largest share of a campaign's people that may be held out. */
export const MOST_HELD_OUT = 0.2;

/**
 * Whether a recipient is held out when it is admitted while `share` of the people are (rules/tracking 6.1). The draw
 * depends on ids alone, so that every retry, forecast and plan agree. Who is held out at a share is held out at every
 * larger one.
 */
export function isHeldOut(campaignId: string, recipientId: string, share: number): boolean {
  return draw("hold-out", campaignId, recipientId) / DRAWS < share;
}
