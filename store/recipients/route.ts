import { hadOf } from "../../domain/recipients/had.ts";
import { conditionsOf, type Facts, type MailEvent } from "../../domain/sequences/conditions.ts";
import { type RecipientRoute, routeFrom } from "../../domain/sequences/graph.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { ActivityEvent } from "../../models/recipients/event.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { trusted } from "../../mongo/collection.ts";
import { nudge } from "../outbox.ts";

/**
 * The maximum number of events of one recipient that are read. The oldest are read, because they decide the conditions.
 */
const MOST_EVENTS = 1_000;
const EVENTS = ["OPEN", "CLICK", "REPLIED", "CATEGORY_SET", "AUTO_REPLIED"];

/**
 * The recipient's next step at present. The facts for conditions are read only when the sequence has conditions. `now`
 * is in epoch milliseconds.
 */
export async function loadRoute(
  recipient: Recipient,
  { steps }: Sequence,
  lead: Lead,
  now: number,
): Promise<RecipientRoute> {
  const { workspaceId, _id: recipientId } = recipient;
  const conditions = steps.flatMap(conditionsOf);
  const hasConditions = conditions.length > 0;
  const sends = hasConditions
    ? await scoped(workspaceId).Send.find({ recipientId }, { select: { stepId: 1, sentAt: 1 } })
    : [];
  const events = conditions.some((condition) => !TIMELESS.includes(condition.if)) ? await eventsOf(recipient) : [];
  return routeFrom(steps, hadOf(recipient), routeFactsOf(recipient, lead, sends, events, now));
}

/** Conditions that need no events. */
const TIMELESS = ["FIELD_MATCHES", "RANDOM", "ALWAYS"];
/**
 * States in which an email is finished: sent, refused permanently or skipped. In any other state it is not sent yet, or
 * is being sent.
 */
export const BEHIND: readonly string[] = ["SENT", "BOUNCED", "FAILED"];

function eventsOf({ workspaceId, _id: recipientId, leadId }: Recipient): Promise<ActivityEvent[]> {
  return scoped(workspaceId).ActivityEvent.find(
    { leadId, recipientId, type: trusted({ $in: EVENTS }) },
    { sort: { _id: 1 }, limit: MOST_EVENTS, select: { type: 1, at: 1, data: 1 } },
  );
}

function routeFactsOf(
  recipient: Recipient,
  lead: Lead,
  sends: Pick<Send, "stepId" | "sentAt">[],
  events: ActivityEvent[],
  now: number,
): Facts {
  const sentAt = new Map(
    sends.flatMap(({ stepId, sentAt }): [string, number][] => (stepId && sentAt ? [[stepId, sentAt.getTime()]] : [])),
  );
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

/** When the event happened first. A click counts as an open, and so does a reply to the same email. */
function firstAt(
  recipient: Recipient,
  events: ActivityEvent[],
  event: MailEvent,
  stepId: string,
  sentAt: number,
): number | null {
  const { openedAt, clickedAt, repliedAt } = recipient;
  switch (event) {
    case "REPLIED":
      // A reply to a later email counts for the earlier emails too
      return earliestFrom(
        events.filter(({ type, at }) => type === "REPLIED" && at.getTime() >= sentAt).map(({ at }) => at),
        repliedAt,
        sentAt,
      );
    case "CLICKED":
      return earliestFrom(instantsOf(events, "CLICK", stepId), fallback(events, "CLICK", clickedAt), sentAt);
    case "OPENED":
      return earliestFrom(
        [
          ...instantsOf(events, "OPEN", stepId),
          ...instantsOf(events, "CLICK", stepId),
          ...instantsOf(events, "REPLIED", stepId),
        ],
        fallback(events, "OPEN", openedAt) ?? fallback(events, "CLICK", clickedAt),
        sentAt,
      );
  }
}

function instantsOf(events: ActivityEvent[], type: string, stepId: string): Date[] {
  return events.filter((event) => event.type === type && event.data["stepId"] === stepId).map(({ at }) => at);
}

/** The instant that is stored with the recipient. It is used only when no event says to which email it belongs. */
function fallback(events: ActivityEvent[], type: string, at: Date | null): Date | null {
  return events.some((event) => event.type === type && typeof event.data["stepId"] === "string") ? null : at;
}

function earliestFrom(dates: Date[], otherwise: Date | null, from: number): number | null {
  const instants = [...dates, ...(otherwise === null ? [] : [otherwise])]
    .map((at) => at.getTime())
    .filter((at) => at >= from);
  return instants.length === 0 ? null : Math.min(...instants);
}

function categoryOf(events: ActivityEvent[]): string | null {
  const named = events.findLast(({ type }) => type === "CATEGORY_SET" || type === "AUTO_REPLIED");
  const category = named?.data[named.type === "CATEGORY_SET" ? "category" : "subKind"];
  return typeof category === "string" ? category : null;
}

/**
 * Wakes a recipient whose conditions may depend on an event, because an open, a click, a reply or a category has an
 * immediate effect (rules/campaigns 2.2). Call it in the transaction of the event, with the recipient as it is after
 * the event.
 */
export async function heedEvent({ workspaceId, _id: recipientId, campaignId, status }: Recipient): Promise<void> {
  if (status !== "PENDING" && status !== "IN_PROGRESS") return;
  const branches = { campaignId, mode: "VISUAL" } as const;
  if ((await scoped(workspaceId).Sequence.findOne(branches, { select: { _id: 1 } })) === null) return;
  await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
}
