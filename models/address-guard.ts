import { counter, type Owned, tenantModel, texts } from "../mongo/schema.ts";

/**
 * Why an address must not receive email. `_id` is `<workspaceId>:<keyed hash of the address>`. A claim also writes this
 * document, so that a claim and a suppression at the same time conflict.
 */
export interface AddressGuard extends Owned {
  reasons: GuardReason[];
  /**
   * The ids of open questions about whether the person has opted out. No campaign sends to the address until they are
   * decided.
   */
  heldBy: string[];
  claims: number;
}

/** A suppression reason, or BLOCK_LISTED for an address on the block list. */
export type GuardReason = "MANUAL" | "UNSUBSCRIBED" | "OPT_OUT_REPLY" | "HARD_BOUNCE" | "COMPLAINT" | "BLOCK_LISTED";

export const AddressGuard = tenantModel<AddressGuard>("Guard", "guards", {
  reasons: texts,
  heldBy: texts,
  claims: counter,
});
