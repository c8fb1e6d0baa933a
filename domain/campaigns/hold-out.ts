import { DRAWS, draw } from "../draw.ts";

/** The largest share of a campaign's people that may be held out. */
export const MOST_HELD_OUT = 0.2;

/**
 * Whether a recipient that is admitted at this `share` is held out (rules/tracking 6.1). The draw depends only on ids,
 * so every retry, forecast and plan gets the same result. A recipient that is held out at one share is held out at
 * every larger one.
 */
export function isHeldOut(campaignId: string, recipientId: string, share: number): boolean {
  return draw("hold-out", campaignId, recipientId) / DRAWS < share;
}
