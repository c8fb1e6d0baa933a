import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { type Owned, required, tenantModel, texts } from "../../mongo/schema.ts";

/** Some leads or addresses that a verification job has not processed yet. Kept until the job has ended. */
export interface VerificationBatch extends Owned {
  jobId: string;
  number: number;
  leadIds: string[];
  /** Addresses without a lead, as the caller entered them. */
  emails: string[];
}

export const VerificationBatch = tenantModel<VerificationBatch>(
  "VerificationBatch",
  "verification_batches",
  { jobId: required, number: { type: Number, required: true }, leadIds: texts, emails: texts },
  [
    { fields: { workspaceId: 1, jobId: 1, number: 1 }, unique: true },
    { fields: { createdAt: 1 }, expireAfterSeconds: 90 * DAY_SECONDS },
  ],
);
