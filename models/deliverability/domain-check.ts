import type { DomainReport } from "../../domain/deliverability/sending-domain.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * What the checks of a sending domain found on one UTC day. Later checks of the day replace earlier ones. `_id` is
 * `<workspaceId>:<domain>:<day>`.
 */
export interface DomainCheck extends Owned, DomainReport {
  domain: string;
  day: string;
  checkedAt: Date;
}

const KEPT_SECONDS = 400 * DAY_SECONDS;

export const DomainCheck = tenantModel<DomainCheck>(
  "DomainCheck",
  "domain_checks",
  {
    domain: required,
    day: required,
    checkedAt: { type: Date, required: true },
    findings: { type: [Object], required: true, default: [] },
    listings: { type: [Object], required: true, default: [] },
    isAligned: { type: Boolean, default: null },
  },
  [{ fields: { workspaceId: 1, domain: 1, day: -1 } }, { fields: { checkedAt: 1 }, expireAfterSeconds: KEPT_SECONDS }],
);
