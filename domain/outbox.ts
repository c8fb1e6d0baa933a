/**
 * The tasks that must follow a state change. Kinds and shapes are stored, and rows that the previous version wrote are
 * still dispatched. New fields must therefore be optional, and no field may change its meaning.
 */
export interface OutboxPayloads {
  /** Fans the event out to the webhook subscribers. */
  EVENT: EventPayload;
  /** Nudges the campaign's feeder. */
  CAMPAIGN: { campaignId: string };
  RECIPIENT: RecipientCommand;
  MAILBOX: MailboxCommand;
  /** Starts the feed of a webhook delivery's subscription. */
  DELIVERY: { deliveryId: string };
  /** Begins a placement test. */
  PLACEMENT: { testId: string };
  /** Begins the work on a job. */
  JOB: { jobId: string };
  /** Has the inbox agent look at an email. */
  AGENT_REPLY: { messageId: string };
  /** Sends a reply. */
  REPLY: { sendId: string };
  /** Starts the timer of a scheduled reply, or cancels it. */
  SCHEDULED_REPLY: { scheduledId: string; signal: "start" | "cancel" };
  /** Starts the work of a verification job. */
  VERIFICATION: { jobId: string };
  /** Asks for the verification of leads. Requests with the same `key` share a job while it is in progress. */
  VERIFY_LEADS: { requestId: string; key: string; source: "IMPORT" | "REVEAL"; leadIds: string[] };
  /** The address of a lead bounced permanently although it had been found VALID. */
  VERIFIED_BOUNCE: { leadId: string };
  /** Tells the warmup of a mailbox to look again, to do something at an instant (epoch milliseconds), or to end. */
  WARMUP: { mailboxId: string } & ({ signal: "changed" | "stop" } | { signal: "due"; at: number });
}

export const OUTBOX_KINDS = [
  "EVENT",
  "CAMPAIGN",
  "RECIPIENT",
  "MAILBOX",
  "DELIVERY",
  "PLACEMENT",
  "JOB",
  "AGENT_REPLY",
  "REPLY",
  "SCHEDULED_REPLY",
  "VERIFICATION",
  "VERIFIED_BOUNCE",
  "VERIFY_LEADS",
  "WARMUP",
] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

/** One task with the payload of its kind: a union over `kind`. */
export type OutboxCommand<K extends OutboxKind = OutboxKind> = {
  [Kind in K]: { kind: Kind; payload: OutboxPayloads[Kind] };
}[K];

/** `data` has exactly the fields that subscribers read; `at` is the time of the event as an ISO text. */
export interface EventPayload {
  event: string;
  eventId: string;
  at: string;
  data: Record<string, unknown>;
}

/**
 * First frees the released slots, except after `finished`, when the last email has been sent and no slot is booked.
 * Then `stop` stops the recipient's run, and `replan` makes it look again. `stop`, `ended` and `finished` check whether
 * the campaign is over.
 */
export type RecipientCommand = { recipientId: string; campaignId: string } & (
  | { signal: "stop" | "ended"; reason: string }
  | { signal: "finished" | "replan" }
);

/**
 * `start` and `stop` the sync, `lost` when it has to be connected again, `verify` the DNS records (with a probe email
 * if there is one), wake the recipients that waited for the mailbox (`freed`), or follow a change of its band or step
 * (`health`).
 */
export type MailboxCommand = { mailboxId: string } & (
  | { signal: "start" | "stop" | "freed" | "lost" | "health" }
  | { signal: "verify"; probeId?: string | null }
);
