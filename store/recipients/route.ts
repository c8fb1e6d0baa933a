import { conditionsOf, type Facts, type MailEvent } from "../../domain/sequences/conditions.ts";
import { type Route, routeFrom } from "../../domain/sequences/graph.ts";
import type { ActivityEvent } from "../../models/event.ts";
import type { Lead } from "../../models/lead.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/send.ts";
import type { Sequence } from "../../models/sequence.ts";
import { trusted } from "../../mongo/collection.ts";
import { nudge } from "../outbox.ts";

/** More than anybody opens and clicks; the oldest are read, and they decide. */
const MOST_EVENTS = 1_000;
const EVENTS = ["OPEN", "CLICK", "REPLIED", "CATEGORY_SET", "AUTO_REPLIED"];

/** Where a recipient goes as things stand: past what is behind it, along the branches of its sequence. `now` in epoch milliseconds. */
export async function routeOf(recipient: Recipient, sequence: Sequence, lead: Lead, now: number): Promise<Route> {
  const { workspaceId, _id: recipientId, passed, nextStepId } = recipient;
  const { Act, Send } = scoped(workspaceId);
  const sends = await Send.find({ recipientId }, { select: { stepId: 1, state: 1, sentAt: 1, updatedAt: 1 } });
  const acts = await Act.find(
    { recipientId, state: trusted({ $in: ["DONE", "FAILED"] }) },
    { select: { stepId: 1, doneAt: 1, updatedAt: 1 } },
  );
  const asksForEvents = sequence.steps.some((step) => conditionsOf(step).some((condition) => !TIMELESS.includes(condition.if)));
  const events = asksForEvents ? await eventsOf(recipient) : [];
  const done = new Map([
    ...sends.flatMap(({ stepId, state, sentAt, updatedAt }): [string, number][] =>
      stepId !== null && BEHIND.includes(state) ? [[stepId, (sentAt ?? updatedAt).getTime()]] : [],
    ),
    ...acts.map(({ stepId, doneAt, updatedAt }): [string, number] => [stepId, (doneAt ?? updatedAt).getTime()]),
  ]);
  const place = sequence.mode === "VISUAL" ? passed : null;
  return routeFrom(sequence.steps, place, nextStepId, done, factsOf(recipient, lead, sends, events, now));
}

/** Judged without any event. */
const TIMELESS = ["FIELD_MATCHES", "RANDOM", "ALWAYS"];
/** States of a mail that was sent, refused for good or passed by; in any other it is still to come, or on its way. */
export const BEHIND: readonly string[] = ["SENT", "BOUNCED", "FAILED"];

function eventsOf({ workspaceId, _id: recipientId, leadId }: Recipient): Promise<ActivityEvent[]> {
  return scoped(workspaceId).ActivityEvent.find(
    { leadId, recipientId, type: trusted({ $in: EVENTS }) },
    { sort: { _id: 1 }, limit: MOST_EVENTS, select: { type: 1, at: 1, data: 1 } },
  );
}

function factsOf(recipient: Recipient, lead: Lead, sends: Pick<Send, "stepId" | "sentAt">[], events: ActivityEvent[], now: number): Facts {
  const sentAt = new Map(sends.flatMap(({ stepId, sentAt }): [string, number][] => (stepId && sentAt ? [[stepId, sentAt.getTime()]] : [])));
  return {
    recipientId: recipient._id,
    lead,
    sentAt,
    lastMailId: recipient.currentStepId,
    firstAt: (event, stepId) => firstAt(recipient, events, event, stepId, sentAt.get(stepId) ?? 0),
    category: categoryOf(events),
    now,
  };
}

/** A click tells of an open, and so does an answer to that very mail. */
function firstAt(recipient: Recipient, events: ActivityEvent[], event: MailEvent, stepId: string, sentAt: number): number | null {
  const { openedAt, clickedAt, repliedAt } = recipient;
  switch (event) {
    case "REPLIED":
      // An answer to a later mail answers the earlier ones too
      return earliest(
        events.filter(({ type, at }) => type === "REPLIED" && at.getTime() >= sentAt).map(({ at }) => at),
        repliedAt,
        sentAt,
      );
    case "CLICKED":
      return earliest(of(events, "CLICK", stepId), fallback(events, "CLICK", clickedAt), sentAt);
    case "OPENED":
      return earliest(
        [...of(events, "OPEN", stepId), ...of(events, "CLICK", stepId), ...of(events, "REPLIED", stepId)],
        fallback(events, "OPEN", openedAt) ?? fallback(events, "CLICK", clickedAt),
        sentAt,
      );
  }
}

function of(events: ActivityEvent[], type: string, stepId: string): Date[] {
  return events.filter((event) => event.type === type && event.data["stepId"] === stepId).map(({ at }) => at);
}

/** The recipient's own instant counts while no event says which mail it was. */
function fallback(events: ActivityEvent[], type: string, at: Date | null): Date | null {
  return events.some((event) => event.type === type && typeof event.data["stepId"] === "string") ? null : at;
}

function earliest(known: Date[], otherwise: Date | null, from: number): number | null {
  const instants = [...known, ...(otherwise === null ? [] : [otherwise])].map((at) => at.getTime()).filter((at) => at >= from);
  return instants.length === 0 ? null : Math.min(...instants);
}

function categoryOf(events: ActivityEvent[]): string | null {
  const named = events.findLast(({ type }) => type === "CATEGORY_SET" || type === "AUTO_REPLIED");
  const category = named?.data[named.type === "CATEGORY_SET" ? "category" : "subKind"];
  return typeof category === "string" ? category : null;
}

/**
 * An open, a click, an answer or a category counts at once (behaviours 5): a recipient whose conditions may ask for it looks again.
 * Call it in the transaction of the fact, with the recipient as it is after it.
 */
export async function heedEvent({ workspaceId, _id: recipientId, campaignId, status, passed }: Recipient): Promise<void> {
  if (passed === null || (status !== "PENDING" && status !== "IN_PROGRESS")) return;
  await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
}
