import mongoose from "mongoose";
import { DELIVERY_STATUSES, type DeliveryStatus } from "../domain/states.ts";
import { DAY_SECONDS } from "../domain/time/durations.ts";
import {
  counter,
  IS_INSTANT,
  instant,
  number,
  type Owned,
  oneOf,
  required,
  tenantModel,
  text,
} from "../mongo/schema.ts";

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
  /**
   * When the delivery's own workflow makes the next attempt. Null while the delivery waits for the first-attempt feed
   * of its subscription, and once it has ended.
   */
  nextAttemptAt: Date | null;
  lastAttemptAt: Date | null;
  lastStatusCode: number | null;
  lastError: string | null;
  /** The exact bytes that every attempt sends. */
  body: Buffer;
  host: string;
  /** The subscription whose feed must make the first attempt; null once the feed has taken the delivery. */
  waitsFor: string | null;
  /** The round of the feed that took the delivery. No other round records its first attempt. */
  takenBy: string | null;
  /** When the feed took it. */
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
    takenBy: text,
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
    { fields: { nextAttemptAt: 1 }, where: { nextAttemptAt: { $type: "date" } } },
    // Partial indexes, because most deliveries lack one of these instants and a full index would contain them too
    { fields: { deadLetteredAt: 1 }, where: { deadLetteredAt: IS_INSTANT }, expireAfterSeconds: KEPT_SECONDS },
    { fields: { deliveredAt: 1 }, where: { deliveredAt: IS_INSTANT }, expireAfterSeconds: KEPT_SECONDS },
  ],
);

/** The stored body. A lean document contains it in the driver's own wrapper. */
export function bytesOf({ body }: { body: Buffer | mongoose.mongo.Binary }): Buffer {
  return body instanceof mongoose.mongo.Binary ? Buffer.from(body.value()) : body;
}
