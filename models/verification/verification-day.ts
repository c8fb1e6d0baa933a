import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { counter, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/** How many addresses were checked for a workspace on a UTC day. `_id` is `<workspaceId>:<day>`. */
export interface VerificationDay extends Owned {
  day: string;
  count: number;
}

export const VerificationDay = tenantModel<VerificationDay>(
  "VerificationDay",
  "verification_days",
  { day: required, count: counter },
  [{ fields: { workspaceId: 1, day: 1 } }, { fields: { createdAt: 1 }, expireAfterSeconds: 400 * DAY_SECONDS }],
);
