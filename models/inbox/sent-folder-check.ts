import { type Owned, tenantModel } from "../../mongo/schema.ts";

/**
 * Exists after a restore while the Sent folder of this mailbox (`_id`) may hold emails that the database does not know.
 * While it exists, the mailbox sends nothing and no campaign of the workspace is active. It is deleted once the folder
 * and the database have been compared (rules/sending 12.2).
 */
export interface SentFolderCheck extends Owned {
  /** The instant of the backup. */
  since: Date;
  /**
   * If the mailbox still cannot be reached after this instant, it is treated as one that stores no copies of sent
   * email.
   */
  giveUpAt: Date;
}

export const SentFolderCheck = tenantModel<SentFolderCheck>("Comparison", "comparisons", {
  since: { type: Date, required: true },
  giveUpAt: { type: Date, required: true },
});
