import { counter, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * How much of its daily budget a credential has spent on one day of the workspace. `_id` is the credential and the day.
 */
export interface SendBudget extends Owned {
  credentialId: string;
  /** YYYY-MM-DD in the zone of the workspace. */
  day: string;
  spent: number;
  expiresAt: Date;
}

export const SendBudget = tenantModel<SendBudget>(
  "SendBudget",
  "send_budgets",
  { credentialId: required, day: required, spent: counter, expiresAt: { type: Date, required: true } },
  [{ fields: { expiresAt: 1 }, expireAfterSeconds: 0 }],
);
