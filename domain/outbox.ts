import { createHash } from "node:crypto";

/**
 * The tasks that must follow a state change. Kinds and shapes are stored, and rows that the previous version wrote are
 * still dispatched. New fields must therefore be optional, and no field may change its meaning.
 */
export interface OutboxPayloads {
  /** Creates a delivery of the event for each webhook subscription. */
  EVENT: EventPayload;
  /** Nudges the campaign's feeder. */
  CAMPAIGN: { campaignId: string };
  RECIPIENT: RecipientCommand;
  MAILBOX: MailboxCommand;
  /** Starts the feed of a webhook delivery's subscription. */
  DELIVERY: { deliveryId: string };
  /** Begins a placement test. */
  PLACEMENT: { testId: string };
  /** Starts the workflow of a job. */
  JOB: { jobId: string };
  /** Starts the inbox agent for an email. */
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
  /**
   * Signals the warmup workflow of a mailbox: its settings changed, something is due at an instant (epoch
   * milliseconds), or it must stop.
   */
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
/**
 * Raise it in each version that adds a kind or a signal. Processes of a lower level leave the shared work to those of
 * the highest, because they would not execute the new rows.
 */
export const OUTBOX_LEVEL = 1;
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
 * First the recipient's booked slots are released, except for `finished`, which follows the last email and has no
 * slots. Then `stop` stops the recipient's workflow, and `replan` makes it plan again. `stop`, `ended` and `finished`
 * check whether the campaign is over.
 */
export type RecipientCommand = { recipientId: string; campaignId: string } & (
  | { signal: "stop" | "ended"; reason: string }
  | { signal: "finished" | "replan" }
);

/**
 * `start` and `stop`: starts or stops reading the mailbox. `lost`: the mailbox must be connected again. `verify`:
 * checks the DNS records, and the probe email if there is one. `freed`: wakes the recipients that wait for the mailbox.
 * `health`: the health band or recovery step of the mailbox changed.
 */
export type MailboxCommand = { mailboxId: string } & (
  | { signal: "start" | "stop" | "freed" | "lost" | "health" }
  | { signal: "verify"; probeId?: string | null }
);

/** How many parts the outbox has. The number is stored with the leases and never changes. */
export const OUTBOX_PARTS = 64;

/** The part of the outbox with the rows of a workspace. It is stored with each row, so it never changes either. */
export function outboxPartOf(workspaceId: string): number {
  return createHash("sha256").update(workspaceId).digest().readUInt32BE() % OUTBOX_PARTS;
}

/** The items in such an order that their groups take turns. Within a group the order stays. */
export function inTurns<T>(items: readonly T[], groupOf: (item: T) => string): T[] {
  const places = new Map<string, number>();
  const turned = items.map((item) => {
    const group = groupOf(item);
    const place = places.get(group) ?? 0;
    places.set(group, place + 1);
    return { item, place };
  });
  return turned.sort((one, other) => one.place - other.place).map(({ item }) => item);
}
