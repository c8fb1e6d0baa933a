import { counter, number, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/** What a mailbox's warmup did on one day in the mailbox's time zone. `_id` is `<mailboxId>:<YYYY-MM-DD>`. */
export interface WarmupDay extends Owned {
  mailboxId: string;
  date: string;
  /** How many warmup emails the mailbox sent and received. */
  sent: number;
  received: number;
  /**
   * What happened to the sent warmup emails: answered; read or otherwise handled by the receiver; found in any folder;
   * found in Junk; moved out of Junk; found in no folder; bounced.
   */
  replied: number;
  engaged: number;
  seen: number;
  inSpam: number;
  rescued: number;
  missing: number;
  bounced: number;
  /** The score of the seven days up to this one; null without enough facts, and before the day has ended. */
  score: number | null;
}

export const WarmupDay = tenantModel<WarmupDay>(
  "WarmupDay",
  "warmup_days",
  {
    mailboxId: required,
    date: required,
    sent: counter,
    received: counter,
    replied: counter,
    engaged: counter,
    seen: counter,
    inSpam: counter,
    rescued: counter,
    missing: counter,
    bounced: counter,
    score: number,
  },
  [{ fields: { workspaceId: 1, mailboxId: 1, date: 1 } }],
);
