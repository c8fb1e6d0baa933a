import { OUTBOX_KINDS, type OutboxCommand, type OutboxKind } from "../domain/outbox.ts";
import { DAY_SECONDS } from "../domain/time/durations.ts";
import { IS_INSTANT, instant, mixed, number, type Owned, oneOf, tenantModel, text } from "../mongo/schema.ts";

/**
 * A task that follows from a state change and is written in the same transaction. `_id` sorts by time. `trace` is the
 * W3C traceparent of the trace in which the task was written; null without tracing. `part` follows from the workspace
 * (`outboxPartOf`); rows of version 1.1 have none.
 */
export type OutboxRow<K extends OutboxKind = OutboxKind> = Owned & {
  doneAt: Date | null;
  part: number | null;
  trace: string | null;
} & OutboxCommand<K>;

export const OutboxRow = tenantModel<OutboxRow>(
  "OutboxRow",
  "outbox",
  { kind: oneOf(OUTBOX_KINDS, "EVENT"), payload: mixed, doneAt: instant, part: number, trace: text },
  [
    { fields: { doneAt: 1, _id: 1 } },
    // The oldest open rows of some parts, for processes that share the outbox
    { fields: { part: 1, _id: 1 }, where: { doneAt: null } },
    { fields: { updatedAt: 1 }, expireAfterSeconds: DAY_SECONDS, where: { doneAt: IS_INSTANT } },
  ],
);
