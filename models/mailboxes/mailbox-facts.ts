import type { HealthPoint } from "../../domain/mailboxes/health-facts.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { counter, flag, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/**
 * The results of a mailbox's emails on one UTC day, counted when they happened. `_id` is `<mailboxId>:<YYYY-MM-DD>`.
 * Emails that went out are counted in `mailbox_days`.
 */
export interface MailboxFacts extends Owned {
  mailboxId: string;
  day: string;
  bounced: number;
  refused: number;
  complained: number;
  seen: number;
  inSpam: number;
  /** Something was counted that no point includes yet. */
  isNew: boolean;
  /** The counts at each time when the mailbox was judged and something had changed. Only these decide bands. */
  points: HealthPoint[];
}

/** Longer than the period that a replay may ask for. */
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
    // The hourly round pages through these, whatever their workspace
    { fields: { mailboxId: 1 }, name: "new_facts", where: { isNew: true } },
    { fields: { createdAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
);
