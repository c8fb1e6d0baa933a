import { IS_INSTANT, instant, mixed, type Owned, oneOf, tenantModel } from "../mongo/schema.ts";

/** What must follow a state change, written in its transaction. `_id` sorts by time. */
export interface OutboxRow extends Owned {
  kind: OutboxKind;
  payload: Record<string, unknown>;
  doneAt: Date | null;
}

/**
 * EVENT {event, eventId, at, data}: fan out to the subscribers. CAMPAIGN {campaignId}: nudge its feeder.
 * RECIPIENT {recipientId, campaignId, signal, reason}: free what was released, then `stop` its run, `replan` it, or see whether its
 * campaign is over (`ended`; `finished` by its last mail, so that nothing was booked). MAILBOX {mailboxId, signal}: `start` or `stop`
 * its sync, `verify` its DNS, or wake whoever waited for it (`freed`). DELIVERY {deliveryId}: start it. REPLY {sendId}: have it sent. SCHEDULED_REPLY {scheduledId, signal}:
 * start its timer, or `cancel` it.
 */
export const OUTBOX_KINDS = ["EVENT", "CAMPAIGN", "RECIPIENT", "MAILBOX", "DELIVERY", "REPLY", "SCHEDULED_REPLY"] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

export const OutboxRow = tenantModel<OutboxRow>(
  "OutboxRow",
  "outbox",
  { kind: oneOf(OUTBOX_KINDS, "EVENT"), payload: mixed, doneAt: instant },
  [{ fields: { doneAt: 1, _id: 1 } }, { fields: { updatedAt: 1 }, expireAfterSeconds: 86_400, where: { doneAt: IS_INSTANT } }],
);
