import type { PostmasterPoint } from "../../domain/deliverability/postmaster.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { mixed, number, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * What Google's Postmaster Tools reported about a sending domain for one day. The day is read again as long as Google
 * may still change it. `_id` is `<workspaceId>:<domain>:<day>`.
 */
export interface PostmasterDay extends Owned, PostmasterPoint {
  domain: string;
  /** The day as Google names it. */
  day: string;
  /** The beginning of the day, by which it expires. */
  at: Date;
}

const KEPT_SECONDS = 400 * DAY_SECONDS;

export const PostmasterDay = tenantModel<PostmasterDay>(
  "PostmasterDay",
  "postmaster_days",
  {
    domain: required,
    day: required,
    at: { type: Date, required: true },
    spamRate: number,
    spfRate: number,
    dkimRate: number,
    dmarcRate: number,
    tlsRate: number,
    deliveryErrorRate: number,
    feedbackLoops: mixed,
  },
  [{ fields: { workspaceId: 1, domain: 1, day: 1 } }, { fields: { at: 1 }, expireAfterSeconds: KEPT_SECONDS }],
);
