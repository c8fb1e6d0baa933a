import {
  type MailReceiver,
  PLACEMENT_FOLDERS,
  type PlacementFolder,
  RECEIVERS,
} from "../../domain/deliverability/placement.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { IS_INSTANT, instant, mixed, type Owned, oneOf, required, tenantModel } from "../../mongo/schema.ts";

/** One email of a placement test. `_id` is the id of its send, which says whether it went out. */
export interface PlacementMail extends Owned {
  testId: string;
  /** The sender. */
  mailboxId: string;
  testMailboxId: string;
  /** The address of the test mailbox, and the mail service that receives its email. */
  address: string;
  provider: MailReceiver;
  /** Null while the folder is not known, and permanently when there is an error. */
  folder: PlacementFolder | null;
  judgedAt: Date | null;
  /** Why the email could not be sent, or why its folder could not be found. */
  error: { code: string; message: string } | null;
}

export const PlacementMail = tenantModel<PlacementMail>(
  "PlacementMail",
  "placement_mails",
  {
    testId: required,
    mailboxId: required,
    testMailboxId: required,
    address: required,
    provider: oneOf(RECEIVERS, "OTHER"),
    folder: oneOf(PLACEMENT_FOLDERS),
    judgedAt: instant,
    error: mixed,
  },
  [
    { fields: { workspaceId: 1, testId: 1, _id: 1 } },
    // The daily figures are counted from this index
    { fields: { workspaceId: 1, judgedAt: 1 }, where: { judgedAt: IS_INSTANT } },
    { fields: { createdAt: 1 }, expireAfterSeconds: 400 * DAY_SECONDS },
  ],
);
