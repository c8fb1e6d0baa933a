import { parsePolicy, validateMx } from "mailauth/lib/mta-sts.js";
import type { StsPolicy } from "../../domain/deliverability/policies.ts";
import type { EgressResponse } from "../net/egress.ts";

/** RFC 8461 3.3 advises 64 KiB. */
export const MOST_POLICY_BYTES = 64 * 1_024;

/** Reads the file of a MTA-STS policy for the exchanges of a domain. A text says why it cannot be used. */
export function policyIn({ statusCode, bodyExcerpt, isBodyComplete }: EgressResponse, exchanges: readonly string[]): StsPolicy | string {
  if (statusCode !== 200) return `its address answers ${statusCode}`;
  if (!isBodyComplete) return "it is too long or broke off";
  try {
    const policy = parsePolicy(bodyExcerpt.toString("utf8"), { strict: true });
    const unnamed = exchanges.filter((exchange) => !validateMx(exchange, policy).valid);
    return { mode: policy.mode === "enforce" || policy.mode === "testing" ? policy.mode : "none", unnamed };
  } catch {
    return "it is not well formed";
  }
}
