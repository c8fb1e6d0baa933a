import { choice } from "../choice.ts";
import { deadLetters, list as listDeliveries, requeue, test } from "./deliveries.ts";
import { create, enable, list, remove, update } from "./subscriptions.ts";

export const manage = choice(
  "webhooks:read",
  "List, create, change, test or delete webhook subscriptions, and list their deliveries",
  { list, create, update, enable, test, deliveries: listDeliveries, delete: remove },
  "list",
);

export const deadLetterQueue = choice(
  "webhooks:read",
  "List dead-lettered deliveries, or requeue one",
  { list: deadLetters, requeue },
  "list",
);
