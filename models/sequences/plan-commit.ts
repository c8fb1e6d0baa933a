import { type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * Records that a plan was carried out, so that it is not carried out twice. `_id` is the id of the plan's token. The
 * record is kept for a day after the token expires.
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
