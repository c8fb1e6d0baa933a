import { type Base, globalModel, instant, mixed } from "../../mongo/schema.ts";

/**
 * What one mailbox has asked of its provider's API lately, in all processes and workspaces. Its id is a hash of the API
 * and the mailbox's user. It is deleted a day after the last request.
 */
export interface ApiQuota extends Base {
  /** Units by slot, a twelfth of the window, counted since 1970. */
  spent: { slot: number; units: number }[];
  /** Requests that have begun and not ended. The lease of a killed process ends by itself. */
  leases: { id: string; until: Date }[];
  /** The provider wants no request before. */
  blockedUntil: Date | null;
  /** When the last request was allowed or refused, by the database's clock, and the id of the last one allowed. */
  at: Date;
  takenBy: string | null;
  expire: Date;
}

export const ApiQuota = globalModel<ApiQuota>(
  "ApiQuota",
  "api_quotas",
  { spent: mixed, leases: mixed, blockedUntil: instant, at: instant, takenBy: mixed, expire: instant },
  [{ fields: { expire: 1 }, expireAfterSeconds: 0 }],
);
