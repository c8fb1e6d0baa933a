import type { Credits } from "../../domain/credits.ts";
import { counter, type Owned, tenantModel } from "../../mongo/schema.ts";

/**
 * The credits that a workspace can spend: the sum of its ledger. `_id` is the workspace. Everything that spends credits
 * writes this document, so that no credit is spent twice.
 */
export interface CreditBalance extends Owned, Credits {
  /** How many entries the ledger has. */
  entries: number;
}

export const CreditBalance = tenantModel<CreditBalance>("CreditBalance", "credit_balances", {
  monthly: counter,
  granted: counter,
  held: counter,
  month: { type: String, default: "" },
  entries: counter,
});
