import { type ComplianceRow, POSTMASTER_ERRORS, type PostmasterError } from "../../domain/deliverability/postmaster.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { instant, mixed, type Owned, oneOf, required, tenantModel } from "../../mongo/schema.ts";

/**
 * The state of reading a sending domain's figures from Google's Postmaster Tools, and the domain's compliance with
 * Google's guidelines. `_id` is `<workspaceId>:<domain>`.
 */
export interface PostmasterDomain extends Owned {
  domain: string;
  /** The compliance rows that were last read. */
  compliance: ComplianceRow[];
  /** When figures were last read; null before. */
  readAt: Date | null;
  triedAt: Date;
  /** Why the last attempt did not return everything; null when it did. */
  error: PostmasterError | null;
}

const KEPT_SECONDS = 400 * DAY_SECONDS;

export const PostmasterDomain = tenantModel<PostmasterDomain>(
  "PostmasterDomain",
  "postmaster_domains",
  {
    domain: required,
    compliance: mixed,
    readAt: instant,
    triedAt: { type: Date, required: true },
    error: oneOf(POSTMASTER_ERRORS),
  },
  [{ fields: { workspaceId: 1, domain: 1 } }, { fields: { triedAt: 1 }, expireAfterSeconds: KEPT_SECONDS }],
);
