import { CRM_DEEDS, type CrmDeed } from "../../domain/crm/activity.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { counter, instant, type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

/** UNKNOWN: the activity may have been written to the CRM, so it is not written again. */
const CRM_ACTIVITY_STATES = ["PENDING", "WRITING", "DONE", "UNKNOWN", "FAILED"] as const;
export type CrmActivityState = (typeof CRM_ACTIVITY_STATES)[number];

/**
 * An event of a contact that we report to a CRM. `_id` is `<connectionId>:<eventId>`, so that each event is reported
 * once.
 */
export interface CrmActivity extends Owned {
  connectionId: string;
  recordId: string;
  email: string;
  deed: CrmDeed;
  at: Date;
  campaignId: string | null;
  state: CrmActivityState;
  attempts: number;
  /** When the next attempt is made; null once the activity needs no more attempts. */
  dueAt: Date | null;
  /** What the vendor called it. */
  externalId: string | null;
  /** The code of the reason why the activity was not written. */
  error: string | null;
}

export const CrmActivity = tenantModel<CrmActivity>(
  "CrmActivity",
  "crm_activities",
  {
    connectionId: required,
    recordId: required,
    email: required,
    deed: oneOf(CRM_DEEDS, CRM_DEEDS[0]),
    at: { type: Date, required: true },
    campaignId: text,
    state: oneOf(CRM_ACTIVITY_STATES, "PENDING"),
    attempts: counter,
    dueAt: instant,
    externalId: text,
    error: text,
  },
  [
    { fields: { workspaceId: 1, connectionId: 1, dueAt: 1 } },
    { fields: { createdAt: 1 }, expireAfterSeconds: 90 * DAY_SECONDS },
  ],
);
