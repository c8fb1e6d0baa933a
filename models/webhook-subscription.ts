import type { Sealed } from "../domain/access/seal.ts";
import {
  counter,
  flag,
  instant,
  number,
  type Owned,
  required,
  secret,
  tenantModel,
  text,
  texts,
} from "../mongo/schema.ts";

export interface WebhookSubscription extends Owned {
  url: string;
  events: string[];
  enabled: boolean;
  disabledReason: string | null;
  sealedSecret: Sealed;
  sealedNextSecret: Sealed | null;
  rotationEndsAt: Date | null;
  lastDeliveryAt: Date | null;
  lastDeliveryStatus: string | null;
  /**
   * How many first attempts may run at the same time (rules/webhooks 3.1), and the number of consecutive failures that
   * reduced it.
   */
  admissionWindow: number;
  failuresInRow: number;
  failingSince: Date | null;
  failedAttempts: number;
  deletedAt: Date | null;
}

export const WebhookSubscription = tenantModel<WebhookSubscription>(
  "WebhookSubscription",
  "webhook_subscriptions",
  {
    url: required,
    events: texts,
    enabled: { ...flag, default: true },
    disabledReason: text,
    sealedSecret: secret,
    sealedNextSecret: secret,
    rotationEndsAt: instant,
    lastDeliveryAt: instant,
    lastDeliveryStatus: text,
    admissionWindow: { ...number, default: 4 },
    failuresInRow: counter,
    failingSince: instant,
    failedAttempts: counter,
    deletedAt: instant,
  },
  [{ fields: { workspaceId: 1, _id: -1 } }],
);
