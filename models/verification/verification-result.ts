import { VERIFICATION_STATUSES, type VerificationStatus } from "../../domain/states.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { VERIFICATION_RESULTS, type VerificationResultName } from "../../domain/verification/results.ts";
import type { VerificationEvidence } from "../../domain/verification.ts";
import { counter, instant, mixed, type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

/**
 * WAITING: the mail server has not been probed yet. ASKING: a worker is probing it. LEFT: the job ended before the
 * probe.
 */
const VERIFICATION_STATES = ["WAITING", "ASKING", "DONE", "LEFT"] as const;

/**
 * One address of a verification job and its result. `_id` is `<jobId>:<hash of the address>`, so that a job has each
 * address only once.
 */
export interface VerificationResult extends Owned {
  jobId: string;
  /** Null for an address without a lead. */
  leadId: string | null;
  email: string;
  state: (typeof VERIFICATION_STATES)[number];
  result: VerificationResultName | null;
  evidence: VerificationEvidence | null;
  /** The lead's status before it became PENDING. */
  before: VerificationStatus | null;
  /** While the address waits: the server to probe, and the organisation that the server belongs to. */
  exchange: string | null;
  host: string | null;
  dueAt: Date | null;
  /** How often the server was probed, including probes that may not have taken place. */
  attempts: number;
  /**
   * The worker that probes the server, the end of its lease, and when it sent the address to the server. After a crash
   * the address is not sent again.
   */
  leaseId: string | null;
  leaseUntil: Date | null;
  askedAt: Date | null;
}

export const VerificationResult = tenantModel<VerificationResult>(
  "VerificationResult",
  "verification_results",
  {
    jobId: required,
    leadId: text,
    email: required,
    state: oneOf(VERIFICATION_STATES, "DONE"),
    result: oneOf(VERIFICATION_RESULTS),
    evidence: mixed,
    before: oneOf(VERIFICATION_STATUSES),
    exchange: text,
    host: text,
    dueAt: instant,
    attempts: counter,
    leaseId: text,
    leaseUntil: instant,
    askedAt: instant,
  },
  [
    { fields: { workspaceId: 1, jobId: 1, email: 1 } },
    { fields: { workspaceId: 1, jobId: 1, result: 1, email: 1 } },
    {
      fields: { workspaceId: 1, jobId: 1, host: 1, dueAt: 1 },
      name: "open",
      where: { state: { $in: ["WAITING", "ASKING"] } },
    },
    { fields: { createdAt: 1 }, expireAfterSeconds: 90 * DAY_SECONDS },
  ],
);
