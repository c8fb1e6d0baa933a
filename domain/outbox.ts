/**
 * What must follow a state change. Kinds and shapes are stored: a row that the version before wrote is still dispatched, so fields
 * are added as optional ones and none changes its meaning.
 */
export interface OutboxPayloads {
  /** Is fanned out to the webhook subscribers. */
  EVENT: EventPayload;
  /** Nudges the campaign's feeder. */
  CAMPAIGN: { campaignId: string };
  RECIPIENT: RecipientCommand;
  MAILBOX: MailboxCommand;
  /** Starts a webhook delivery. */
  DELIVERY: { deliveryId: string };
  /** Has a reply sent. */
  REPLY: { sendId: string };
  /** Starts the timer of a scheduled reply, or cancels it. */
  SCHEDULED_REPLY: { scheduledId: string; signal: "start" | "cancel" };
}

export const OUTBOX_KINDS = ["EVENT", "CAMPAIGN", "RECIPIENT", "MAILBOX", "DELIVERY", "REPLY", "SCHEDULED_REPLY"] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

/** One of them with the payload that its kind has: a union over `kind`. */
export type OutboxCommand<K extends OutboxKind = OutboxKind> = { [Kind in K]: { kind: Kind; payload: OutboxPayloads[Kind] } }[K];

/** `data` has exactly the fields that subscribers read; `at` is the time of the event as an ISO text. */
export interface EventPayload {
  event: string;
  eventId: string;
  at: string;
  data: Record<string, unknown>;
}

/**
 * First frees what was released, except after `finished`, by whose last mail nothing was booked. Then `stop` stops the recipient's run
 * and `replan` has it look again; `stop`, `ended` and `finished` see whether the campaign is over.
 */
export type RecipientCommand = { recipientId: string; campaignId: string } & (
  | { signal: "stop" | "ended"; reason: string }
  | { signal: "finished" | "replan" }
);

/** `start` or `stop` the sync, `verify` the DNS (with a probe mail where there is one), or wake whoever waited for it (`freed`). */
export type MailboxCommand = { mailboxId: string } & (
  | { signal: "start" | "stop" | "freed" }
  | { signal: "verify"; probeId?: string | null }
);
