import { choice } from "../choice.ts";
import { deadLetters, requeue, test } from "./deliveries.ts";
import { create, list, remove } from "./subscriptions.ts";

export const manage = choice(
  "webhooks:read",
  "List, create, test or delete webhook subscriptions",
  { list, create, test, delete: remove },
  "list",
);

export const deadLetterQueue = choice(
  "webhooks:read",
  "List dead-lettered deliveries, or requeue one",
  { list: deadLetters, requeue },
  "list",
);
