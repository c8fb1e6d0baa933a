import { STEP_TYPES, type Step } from "../../domain/sequences/sequence.ts";
import { counter, instant, type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

export const ACT_STATES = ["WAITING", "APPROVED", "POSTING", "DONE", "FAILED"] as const;
export type ActState = (typeof ACT_STATES)[number];

/**
 * One document for each recipient and step that is not an email. It ensures that the step is executed only once, or
 * requests approval only once. `_id` is the idempotency key of a WEBHOOK.
 */
export interface StepExecution extends Owned {
  campaignId: string;
  recipientId: string;
  leadId: string;
  stepId: string;
  type: Step["type"];
  /**
   * WAITING and APPROVED apply to an APPROVAL step, POSTING to a WEBHOOK step. After DONE and FAILED the recipient has
   * passed the step.
   */
  state: ActState;
  doneAt: Date | null;
  /** How many requests a WEBHOOK has made so far. */
  attempts: number;
  /** Why the last request failed. */
  failure: string | null;
}

export const StepExecution = tenantModel<StepExecution>(
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
