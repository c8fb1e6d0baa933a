import type { HealthPoint } from "../../domain/mailboxes/health-facts.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { counter, flag, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * The bounces, refusals, complaints and folder findings of a mailbox on one UTC day, counted on the day they happened.
 * `_id` is `<mailboxId>:<YYYY-MM-DD>`. Sent emails are counted in `mailbox_days`.
 */
export interface MailboxFacts extends Owned {
  mailboxId: string;
  day: string;
  bounced: number;
  refused: number;
  complained: number;
  seen: number;
  inSpam: number;
  /** Whether something was counted that no point includes yet. */
  isNew: boolean;
  /** The counts at each time when the mailbox was judged after a change. Only these points decide its health band. */
  points: HealthPoint[];
}

/** Longer than the longest period that a health replay may cover. */
const KEPT_SECONDS = 200 * DAY_SECONDS;

export const MailboxFacts = tenantModel<MailboxFacts>(
  "MailboxFacts",
  "mailbox_facts",
  {
    mailboxId: required,
    day: required,
    bounced: counter,
    refused: counter,
    complained: counter,
    seen: counter,
    inSpam: counter,
    isNew: flag,
    points: { type: [Object], required: true, default: [] },
  },
  [
    { fields: { workspaceId: 1, mailboxId: 1, day: 1 } },
    // The hourly task pages through the new facts of all workspaces in this index
    { fields: { mailboxId: 1 }, name: "new_facts", where: { isNew: true } },
    { fields: { createdAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
);
