import { STEP_TYPES, type Step } from "../domain/sequences/sequence.ts";
import { counter, instant, type Owned, oneOf, required, tenantModel, text } from "../mongo/schema.ts";

export const ACT_STATES = ["WAITING", "APPROVED", "POSTING", "DONE", "FAILED"] as const;
export type ActState = (typeof ACT_STATES)[number];

/** One row per recipient and step that is no mail: what acts once, or asks once. `_id` is the idempotency key of a WEBHOOK. */
export interface Act extends Owned {
  campaignId: string;
  recipientId: string;
  leadId: string;
  stepId: string;
  type: Step["type"];
  /** WAITING and APPROVED of an APPROVAL, POSTING of a WEBHOOK; DONE and FAILED are behind the recipient. */
  state: ActState;
  doneAt: Date | null;
  /** Requests of a WEBHOOK so far. */
  attempts: number;
  /** Why the last of them failed. */
  failure: string | null;
}

export const Act = tenantModel<Act>(
  "Act",
  "acts",
  {
    campaignId: required,
    recipientId: required,
    leadId: required,
    stepId: required,
    type: oneOf(STEP_TYPES, "WAIT"),
    state: oneOf(ACT_STATES, "DONE"),
    doneAt: instant,
    attempts: counter,
    failure: text,
  },
  [{ fields: { recipientId: 1, stepId: 1 }, unique: true }],
);
