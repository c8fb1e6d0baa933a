import mongoose from "mongoose";
import { DELIVERY_STATUSES, type DeliveryStatus } from "../domain/states.ts";
import { DAY_SECONDS } from "../domain/time/durations.ts";
import { counter, instant, number, type Owned, oneOf, required, tenantModel, text } from "../mongo/schema.ts";

export interface DeliveryAttempt {
  attempt: number;
  startedAt: Date;
  ms: number;
  statusCode: number | null;
  cause: string | null;
  bodyExcerpt: string | null;
  /** The target of a redirect, which is never followed. */
  location: string | null;
}

export interface WebhookDelivery extends Owned {
  subscriptionId: string;
  event: string;
  eventId: string;
  status: DeliveryStatus;
  attempts: number;
  totalAttempts: number;
  /** When the running workflow posts next; null while the delivery waits to be admitted and once it has ended. */
  nextAttemptAt: Date | null;
  lastAttemptAt: Date | null;
  lastStatusCode: number | null;
  lastError: string | null;
  /** The exact bytes that every attempt sends. */
  body: Buffer;
  host: string;
  /** The subscription for whose window it waits; null once it is admitted. */
  waitsFor: string | null;
  /** When it was admitted and its workflow started. */
  startedAt: Date | null;
  deliveredAt: Date | null;
  deadLetteredAt: Date | null;
  attemptLog: DeliveryAttempt[];
}

const KEPT_SECONDS = 30 * DAY_SECONDS;

export const WebhookDelivery = tenantModel<WebhookDelivery>(
  "WebhookDelivery",
  "webhook_deliveries",
  {
    subscriptionId: required,
    event: required,
    eventId: required,
    status: oneOf(DELIVERY_STATUSES, "PENDING"),
    attempts: counter,
    totalAttempts: counter,
    nextAttemptAt: instant,
    lastAttemptAt: instant,
    lastStatusCode: number,
    lastError: text,
    body: { type: Buffer, required: true },
    host: required,
    waitsFor: text,
    startedAt: instant,
    deliveredAt: instant,
    deadLetteredAt: instant,
    attemptLog: { type: [Object], required: true, default: [] },
  },
  [
    { fields: { subscriptionId: 1, eventId: 1 }, unique: true },
    { fields: { workspaceId: 1, status: 1, _id: -1 } },
    { fields: { workspaceId: 1, _id: -1 } },
    { fields: { waitsFor: 1, _id: 1 }, where: { waitsFor: { $gt: "" } } },
    { fields: { startedAt: 1 }, where: { status: "PENDING", startedAt: { $type: "date" } } },
    { fields: { nextAttemptAt: 1 }, where: { nextAttemptAt: { $type: "date" } } },
    { fields: { deadLetteredAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
    { fields: { deliveredAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
);

/** The stored bytes. A lean document holds them in the driver's own wrapper. */
export function bytesOf({ body }: { body: Buffer | mongoose.mongo.Binary }): Buffer {
  return body instanceof mongoose.mongo.Binary ? Buffer.from(body.value()) : body;
}
