import type { ConductLimits } from "../../domain/access/conduct.ts";
import type { NewcomerLimits } from "../../domain/access/newcomer.ts";
import { type Base, globalModel, mixed } from "../../mongo/schema.ts";

/**
 * The limits by which this deployment judges workspaces. Every start of the API writes them again, so that every process
 * uses the same. There is one document, `ABUSE_LIMITS`.
 */
export interface AbuseLimits extends Base {
  /** Null: workspaces are not judged. */
  conduct: ConductLimits | null;
  /** Null: new workspaces have no limits of their own. */
  newcomer: NewcomerLimits | null;
}

export const ABUSE_LIMITS = "deployment";

export const AbuseLimits = globalModel<AbuseLimits>("AbuseLimits", "abuse_limits", {
  conduct: mixed,
  newcomer: mixed,
});
