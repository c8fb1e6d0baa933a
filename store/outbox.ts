import { context, isSpanContextValid, trace } from "@opentelemetry/api";
import type { OutboxCommand, OutboxKind, OutboxPayloads } from "../domain/outbox.ts";
import type { HistoryEvent } from "../domain/states.ts";
import { scoped } from "../models/scoped.ts";
import { newId } from "../mongo/ids.ts";

export interface Happening {
  type: HistoryEvent;
  at?: Date;
  leadId?: string | null;
  campaignId?: string | null;
  recipientId?: string | null;
  /** The credential that did it; null for the service itself. */
  actor?: string | null;
  data?: Record<string, unknown>;
  /** What subscribers read as `data`; absent when the event is no webhook event. */
  webhook?: Record<string, unknown>;
}

/**
 * Writes what happened to the lead's history and, if there are subscribers, to the outbox. Call it in the transaction
 * of the fact.
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

/** Whether anything subscribes to it now; a later subscriber gets no earlier events. */
async function isHeard(workspaceId: string, event: string): Promise<boolean> {
  const wanting = { enabled: true, deletedAt: null, $or: [{ events: [] }, { events: event }] };
  return (await scoped(workspaceId).WebhookSubscription.read(wanting, { select: { _id: 1 }, limit: 1 })).length > 0;
}

/** Asks the dispatcher for the work that must follow: at least once, after the commit (rules/sending 11.1). */
export async function nudge<K extends OutboxKind>(
  workspaceId: string,
  kind: K,
  payload: OutboxPayloads[K],
): Promise<void> {
  await scoped(workspaceId).OutboxRow.store({ _id: newId("out"), kind, payload, trace: currentTrace() });
}

/** The same for many, in one command. */
export async function nudgeAll(workspaceId: string, commands: readonly OutboxCommand[]): Promise<void> {
  if (commands.length === 0) return;
  const traced = currentTrace();
  await scoped(workspaceId).OutboxRow.storeAll(
    commands.map((command) => ({ _id: newId("out"), ...command, trace: traced })),
  );
}

/**
 * The trace in which this code runs, as W3C traceparent; null where nothing is traced. The driver's callbacks run
 * outside of the trace.
 */
function currentTrace(): string | null {
  const span = trace.getSpanContext(context.active());
  if (span === undefined || !isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-0${span.traceFlags}`;
}
