import type { MailTracking } from "../../domain/hits.ts";
import type { ProviderDraft } from "../../domain/mailboxes/transport.ts";
import { SEND_PHASES, SEND_STATES, type SendPhase, type SendState } from "../../domain/states.ts";
import {
  counter,
  flag,
  IS_INSTANT,
  IS_TEXT,
  instant,
  mixed,
  number,
  type Owned,
  oneOf,
  required,
  tenantModel,
  text,
  texts,
} from "../../mongo/schema.ts";

/** The ledger: one row for each email that may ever be sent. It is never deleted while its campaign exists. */
export interface Send extends Owned {
  kind: "CAMPAIGN" | "TEST" | "REPLY" | "SCHEDULED" | "WARMUP" | "PLACEMENT";
  /** The idempotency key of an email that does not belong to a recipient's step. */
  sendKey: string | null;
  argumentHash: string | null;
  campaignId: string | null;
  recipientId: string | null;
  leadId: string | null;
  mailboxId: string | null;
  stepId: string | null;
  variantId: string | null;
  /**
   * The share of the people that each variant of the step had when this one was drawn; null when there was nothing to
   * draw.
   */
  variantShares: Record<string, number> | null;
  to: string;
  state: SendState;
  phase: SendPhase | null;
  generation: number;
  /** The booked slot, and the day document (UTC) that contains it. */
  slotAt: Date | null;
  day: string | null;
  /** The day in the campaign's zone that is counted in `campaign_days`, when a limit requires it. */
  campaignDay: string | null;
  /** Whether the email counts among the new leads of that day. */
  countsAsNew: boolean;
  /** Its entries in `throttle_counts`, and until when they count; null when no throttle is set. */
  throttled: { ids: string[]; until: Date } | null;
  attemptId: string | null;
  leaseUntil: Date | null;
  fence: number | null;
  claimedAt: Date | null;
  /** When its last look allowed the content to be sent, by the database's clock. */
  dataAt: Date | null;
  /** Milliseconds after that look within which its content had to begin; null in rows of earlier versions. */
  entersWithinMs: number | null;
  /**
   * The provider's draft from which it was sent last, stored by the last look; null over SMTP. Rows of earlier versions
   * have none.
   */
  draft?: ProviderDraft | null;
  /**
   * How often in a row the slow database delayed it, when that happened last, and until when it waits; null while it is
   * not delayed.
   */
  heldBack: { times: number; at: Date; until: Date } | null;
  /**
   * Failed attempts in a row that may be repeated, and how often it was planned again because of a fault of the
   * recipient (rules/sending 10.2).
   */
  attempts: number;
  softFailures: number;
  /**
   * How often an unknown policy delayed it, and the end of the cool-down after which it was refused as one of the first
   * emails (rules/sending 10.2, 10.9).
   */
  policyRefusals: number;
  triedAfterRest: Date | null;
  messageId: string | null;
  /** Our message id and the provider's, to recognise our own email. */
  messageIds: string[];
  /** The ids that the relay which accepted it may use for it (rules/mail 2.5). */
  relayIds: string[];
  mailRef: string | null;
  subject: string | null;
  /** The content that was sent, for readers of its thread. */
  content: { text: string; html: string | null } | null;
  /** The inbox thread that it answers. */
  threadId: string | null;
  bytesHash: string | null;
  /** The approval that was asked for last. */
  approvalId: string | null;
  /** The result of every check that the claim made (rules/sending 1.4). */
  checks: Record<string, unknown> | null;
  sentAt: Date | null;
  response: string | null;
  failure: { reason: string; code: string | null; text: string | null; resetsAt?: Date | null } | null;
  unknownAt: Date | null;
  evidence: string | null;
  /** What the email carries for tracking; null when it carries nothing. */
  tracking: MailTracking | null;
  /**
   * When a person, or a program that may be one, first opened it, and first followed one of its links (rules/tracking
   * 3).
   */
  openedAt: Date | null;
  clickedAt: Date | null;
  /** When a prefetching privacy proxy first asked for its pixel. */
  proxyOpenedAt: Date | null;
}

export const Send = tenantModel<Send>(
  "Send",
  "sends",
  {
    kind: oneOf(["CAMPAIGN", "TEST", "REPLY", "SCHEDULED", "WARMUP", "PLACEMENT"], "CAMPAIGN"),
    sendKey: text,
    argumentHash: text,
    campaignId: text,
    recipientId: text,
    leadId: text,
    mailboxId: text,
    stepId: text,
    variantId: text,
    variantShares: mixed,
    to: required,
    state: oneOf(SEND_STATES, "RESERVED"),
    phase: oneOf(SEND_PHASES),
    generation: counter,
    slotAt: instant,
    day: text,
    campaignDay: text,
    countsAsNew: flag,
    throttled: mixed,
    attemptId: text,
    leaseUntil: instant,
    fence: number,
    claimedAt: instant,
    dataAt: instant,
    entersWithinMs: number,
    draft: mixed,
    heldBack: mixed,
    attempts: counter,
    softFailures: counter,
    policyRefusals: counter,
    triedAfterRest: instant,
    messageId: text,
    messageIds: texts,
    relayIds: texts,
    mailRef: text,
    subject: text,
    content: mixed,
    threadId: text,
    bytesHash: text,
    approvalId: text,
    checks: mixed,
    sentAt: instant,
    response: text,
    failure: mixed,
    unknownAt: instant,
    evidence: text,
    tracking: mixed,
    openedAt: instant,
    clickedAt: instant,
    proxyOpenedAt: instant,
  },
  [
    { fields: { recipientId: 1, stepId: 1 }, unique: true, where: { recipientId: IS_TEXT } },
    { fields: { workspaceId: 1, sendKey: 1 }, unique: true, where: { sendKey: IS_TEXT } },
    { fields: { messageIds: 1 } },
    { fields: { mailboxId: 1, relayIds: 1 }, where: { relayIds: IS_TEXT } },
    { fields: { mailRef: 1 }, where: { mailRef: IS_TEXT } },
    // Stops name this index (store/sending/revoke.ts), so it must be there in every version
    { fields: { workspaceId: 1, campaignId: 1, state: 1, stepId: 1 } },
    // The figures of steps, variants, mailboxes and days are counted from this index alone
    {
      name: "figures",
      fields: { workspaceId: 1, campaignId: 1, state: 1, sentAt: 1, stepId: 1, variantId: 1, mailboxId: 1 },
      where: { state: { $in: ["SENT", "BOUNCED"] } },
    },
    // Shows whether a campaign's opens and clicks are known at all. Emails without tracking are in neither index
    { fields: { workspaceId: 1, campaignId: 1, "tracking.opens": 1 }, where: { "tracking.opens": true } },
    { fields: { workspaceId: 1, campaignId: 1, "tracking.clicks": 1 }, where: { "tracking.clicks": true } },
    // Mailbox and campaign last, so that a calendar of one of them reads no other rows
    {
      fields: { workspaceId: 1, slotAt: 1, _id: 1, mailboxId: 1, campaignId: 1 },
      name: "calendar",
      where: { slotAt: IS_INSTANT },
    },
    { fields: { workspaceId: 1, campaignId: 1, _id: -1 } },
    { fields: { workspaceId: 1, mailboxId: 1, to: 1, sentAt: -1 } },
    { fields: { leaseUntil: 1 }, where: { state: "SENDING" } },
    { fields: { unknownAt: 1 }, where: { state: "UNKNOWN" } },
    { fields: { "heldBack.until": 1 }, where: { "heldBack.until": IS_INSTANT } },
    { fields: { threadId: 1 }, where: { threadId: IS_TEXT } },
    { name: "answers_waiting", fields: { updatedAt: 1 }, where: { state: "RESERVED", threadId: IS_TEXT } },
  ],
);
