import { type Owned, tenantModel } from "../mongo/schema.ts";

/**
 * After a restore: the Sent folder of this mailbox (`_id`) may hold mails that the ledger does not know. While it is there, nothing
 * leaves the mailbox and no campaign of the workspace is active; it goes once the two have been compared (security.md 8.7).
 */
export interface Comparison extends Owned {
  /** The instant of the backup. */
  since: Date;
  /** From then on a mailbox that cannot be reached is one that files no copies. */
  giveUpAt: Date;
}

export const Comparison = tenantModel<Comparison>("Comparison", "comparisons", {
  since: { type: Date, required: true },
  giveUpAt: { type: Date, required: true },
});
