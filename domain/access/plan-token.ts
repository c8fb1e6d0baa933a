import { MINUTE_MS } from "../time/durations.ts";
import { addressToken } from "./address-token.ts";

/** Milliseconds for which a plan may be committed (rules/access 4.2). */
export const PLAN_MS = 15 * MINUTE_MS;

/** What the token of a plan says. `until` is in epoch milliseconds. */
export interface PlanAddress {
  /** Drawn for each plan: what it commits goes by this id, once. */
  id: string;
  until: number;
  workspaceId: string;
  credentialId: string;
  /** The verb by its name in the audit log. */
  verb: string;
  /** Digests of the fields that were asked, and of the effect that was shown. */
  asked: string;
  effect: string;
}

export const { sign: signPlan, read: readPlan } = addressToken<PlanAddress>("plan");
