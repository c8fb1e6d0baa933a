import { type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * A plan that was carried out, so that it is not carried out again. `_id` is the id of its token. It outlives the token
 * by a day.
 */
export interface PlanCommit extends Owned {
  credentialId: string;
  verb: string;
  expiresAt: Date;
}

export const PlanCommit = tenantModel<PlanCommit>(
  "PlanCommit",
  "plan_commits",
  { credentialId: required, verb: required, expiresAt: { type: Date, required: true } },
  [{ fields: { expiresAt: 1 }, expireAfterSeconds: 0 }],
);
