import { context, isSpanContextValid, trace } from "@opentelemetry/api";
import { type OutboxCommand, type OutboxKind, type OutboxPayloads, outboxPartOf } from "../domain/outbox.ts";
import type { HistoryEvent } from "../domain/states.ts";
import { scoped } from "../models/scoped.ts";
import { newId } from "../mongo/ids.ts";

export interface Happening {
  type: HistoryEvent;
  at?: Date;
  leadId?: string | null;
  campaignId?: string | null;
  recipientId?: string | null;
  /** The credential that caused the event; null for the service itself. */
  actor?: string | null;
  data?: Record<string, unknown>;
  /** The `data` that webhook subscribers receive; absent when the event is no webhook event. */
  webhook?: Record<string, unknown>;
}

/**
 * Writes an event to the lead's history and, if there are webhook subscribers, to the outbox. Call it in the
 * transaction of the event.
 */
export async function emit(workspaceId: string, { webhook, ...happening }: Happening): Promise<string> {
  const eventId = newId("evt");
  const {
    type,
    at = new Date(),
    leadId = null,
    campaignId = null,
    recipientId = null,
    actor = null,
    data = {},
  } = happening;
  await scoped(workspaceId).ActivityEvent.store({
    _id: eventId,
    type,
    at,
    leadId,
    campaignId,
    recipientId,
    actor,
    data,
  });
  if (webhook !== undefined && (await isHeard(workspaceId, type))) {
    await nudge(workspaceId, "EVENT", { event: type, eventId, at: at.toISOString(), data: webhook });
  }
  return eventId;
}

/** Whether a webhook subscribes to the event now. A later subscriber does not receive earlier events. */
async function isHeard(workspaceId: string, event: string): Promise<boolean> {
  const wanting = { enabled: true, deletedAt: null, $or: [{ events: [] }, { events: event }] };
  return (await scoped(workspaceId).WebhookSubscription.read(wanting, { select: { _id: 1 }, limit: 1 })).length > 0;
}

/** Stores a command in the outbox. The dispatcher executes it at least once after the commit (rules/sending 11.1). */
export async function nudge<K extends OutboxKind>(
  workspaceId: string,
  kind: K,
  payload: OutboxPayloads[K],
): Promise<void> {
  await scoped(workspaceId).OutboxRow.store({
    _id: newId("out"),
    kind,
    payload,
    part: outboxPartOf(workspaceId),
    trace: currentTrace(),
  });
}

/** Stores several commands in the outbox at once. */
export async function nudgeAll(workspaceId: string, commands: readonly OutboxCommand[]): Promise<void> {
  if (commands.length === 0) return;
  const common = { part: outboxPartOf(workspaceId), trace: currentTrace() };
  await scoped(workspaceId).OutboxRow.storeAll(
    commands.map((command) => ({ _id: newId("out"), ...command, ...common })),
  );
}

/** The W3C traceparent of the running trace; null without tracing. Callbacks of the driver run outside of the trace. */
function currentTrace(): string | null {
  const span = trace.getSpanContext(context.active());
  if (span === undefined || !isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-0${span.traceFlags}`;
}
