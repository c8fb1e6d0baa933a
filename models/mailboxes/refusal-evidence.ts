import type { RefusalAttempt } from "../../domain/mailboxes/refusals.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { counter, instant, type Owned, required, tenantModel, text } from "../../mongo/schema.ts";

export interface RecentAttempt extends Pick<RefusalAttempt, "verdict" | "text"> {
  at: Date;
  sendId: string;
}

/**
 * How the servers of one recipient organisation have answered the emails of a mailbox (rules/sending 10.8). `_id` is
 * `<mailboxId>:<organisation>`, so that no two mailboxes and no two organisations share a document.
 */
export interface RefusalEvidence extends Owned {
  mailboxId: string;
  /** The registrable domain of the recipients. */
  organisation: string;
  /** The domain of the last recipient. Its MX identifies the mail provider. */
  domain: string;
  /** The registrable domain of the MX host; null until it was first needed. */
  provider: string | null;
  accepted: number;
  /** The number of refusals, by what each refusal is evidence about. */
  recipient: number;
  organisationRule: number;
  content: number;
  policy: number;
  sender: number;
  rate: number;
  lastAt: Date;
  lastAcceptedAt: Date | null;
  lastSenderAt: Date | null;
  /**
   * The newest attempts, oldest first. The list is long enough to find the mailbox's last twenty attempts, whichever
   * organisations they went to.
   */
  recent: RecentAttempt[];
}

const KEPT_SECONDS = 30 * DAY_SECONDS;

export const RefusalEvidence = tenantModel<RefusalEvidence>(
  "RefusalEvidence",
  "refusal_evidence",
  {
    mailboxId: required,
    organisation: required,
    domain: required,
    provider: text,
    accepted: counter,
    recipient: counter,
    organisationRule: counter,
    content: counter,
    policy: counter,
    sender: counter,
    rate: counter,
    lastAt: { type: Date, required: true },
    lastAcceptedAt: instant,
    lastSenderAt: instant,
    recent: { type: [Object], required: true, default: [] },
  },
  [
    { fields: { workspaceId: 1, mailboxId: 1, lastAt: -1 } },
    { fields: { lastAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
);
