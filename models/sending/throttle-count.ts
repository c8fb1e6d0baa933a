import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { counter, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * How many emails were booked or sent under one throttle in one period. `_id` is `<workspaceId>:<scope>:<start, epoch
 * ms>`. The count is kept only while the throttle is set.
 */
export interface ThrottleCount extends Owned {
  /**
   * The scope of a throttle (domain/sending/throttle.ts): `<kind>:<key>`. Emails with the same key are counted
   * together.
   */
  scope: string;
  kind: string;
  count: number;
  /** The end of the period. */
  until: Date;
}

export const ThrottleCount = tenantModel<ThrottleCount>(
  "ThrottleCount",
  "throttle_counts",
  { scope: required, kind: required, count: counter, until: { type: Date, required: true } },
  [
    { fields: { workspaceId: 1, scope: 1, until: 1 } },
    { fields: { workspaceId: 1, kind: 1, until: 1 } },
    { fields: { until: 1 }, expireAfterSeconds: DAY_SECONDS },
  ],
);
