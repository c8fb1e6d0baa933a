import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { type Owned, required, tenantModel, texts } from "../../mongo/schema.ts";

/** Some leads or addresses that a verification job has not looked at yet. Kept until the job has ended. */
export interface VerificationBatch extends Owned {
  jobId: string;
  number: number;
  leadIds: string[];
  /** Addresses as they were given, for which no lead is known. */
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
