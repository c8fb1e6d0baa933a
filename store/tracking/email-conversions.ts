import pLimit from "p-limit";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { type EmailEvent, type EmailEventReason, readEmailEvent } from "../../domain/tracking/email-event.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { newId } from "../../mongo/ids.ts";

/** The outcome of one event. */
export interface EmailEventResult {
  eventId: string | null;
  status: "accepted" | "duplicate" | "rejected";
  reason: EmailEventReason | null;
}

const writes = pLimit(8);

/**
 * Records conversions that are reported by the hash of an address, in the order of the batch. Each counts for every
 * recipient of the address that was admitted or held out before it, within its campaign's attribution window. Only
 * accepted events use up an event id.
 */
export async function recordEmailConversions(
  workspaceId: string,
  raw: readonly unknown[],
  receivedAt: Date,
): Promise<EmailEventResult[]> {
  const read = raw.map((one) => readEmailEvent(one, receivedAt));
  const events = read.flatMap((one) => ("event" in one ? [one.event] : []));
  const matched = await matchesOf(workspaceId, events);
  const taken = await idsTaken(workspaceId, events);
  const judged = read.map((one): EmailEventResult | Accepted => {
    if ("reason" in one) return rejectedResult(one.eventId, one.reason);
    const { event } = one;
    const recipients = matched(event);
    if (recipients === null) return rejectedResult(event.eventId, "unknown_address");
    if (recipients.length === 0) return rejectedResult(event.eventId, "outside_attribution_window");
    if (taken.has(event.eventId)) return { eventId: event.eventId, status: "duplicate", reason: null };
    taken.add(event.eventId);
    return { event, recipients };
  });
  const results = judged.map((one) => ("event" in one ? writes(() => store(workspaceId, one, receivedAt)) : one));
  return Promise.all(results);
}

interface Accepted {
  event: EmailEvent;
  recipients: Match[];
}

function rejectedResult(eventId: string | null, reason: EmailEventReason): EmailEventResult {
  return { eventId, status: "rejected", reason };
}

type Match = Pick<Recipient, "campaignId"> & { recipientId: string };

/**
 * Stores an accepted event. Another call may have stored the same id meanwhile; then the unique index makes this one a
 * duplicate.
 */
async function store(
  workspaceId: string,
  { event, recipients }: Accepted,
  receivedAt: Date,
): Promise<EmailEventResult> {
  const { addressHash: _, ...facts } = event;
  try {
    await scoped(workspaceId).EmailConversion.insert({ _id: newId("ecv"), ...facts, receivedAt, recipients });
    return { eventId: event.eventId, status: "accepted", reason: null };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return { eventId: event.eventId, status: "duplicate", reason: null };
  }
}

async function idsTaken(workspaceId: string, events: readonly EmailEvent[]): Promise<Set<string>> {
  const ids = events.map(({ eventId }) => eventId);
  const storedEvents = await scoped(workspaceId).EmailConversion.find(
    { eventId: trusted({ $in: ids }) },
    { select: { eventId: 1 } },
  );
  return new Set(storedEvents.flatMap(({ eventId }) => (eventId === null ? [] : [eventId])));
}

/** Returns a function that gives the recipients for which an event counts, or null when no one has the address. */
async function matchesOf(
  workspaceId: string,
  events: readonly EmailEvent[],
): Promise<(event: EmailEvent) => Match[] | null> {
  const { Campaign, Recipient } = scoped(workspaceId);
  const hashes = [...new Set(events.map(({ addressHash }) => addressHash))];
  const select = { campaignId: 1, addressHash: 1, assignedAt: 1, sentCount: 1 } as const;
  const people = hashes.length === 0 ? [] : await Recipient.find({ addressHash: trusted({ $in: hashes }) }, { select });
  const campaigns = await Campaign.find({
    _id: trusted({ $in: [...new Set(people.map(({ campaignId }) => campaignId))] }),
  });
  const windows = new Map(
    campaigns.map(({ _id, settings }) => [_id, settingsOf(settings).attributionWindowDays * DAY_MS]),
  );
  const admitted = await admissionsOf(workspaceId, people);
  const byHash = Map.groupBy(people, ({ addressHash }) => addressHash ?? "");
  return ({ addressHash, occurredAt }) => {
    const found = byHash.get(addressHash);
    if (found === undefined) return null;
    const isWithin = ({ _id, campaignId }: Recipient) => {
      const since = occurredAt.getTime() - (admitted.get(_id) ?? Number.NaN);
      return since >= 0 && since <= (windows.get(campaignId) ?? -1);
    };
    return found.filter(isWithin).map(({ _id: recipientId, campaignId }) => ({ recipientId, campaignId }));
  };
}

/**
 * When each person was admitted. For people admitted by earlier versions, which did not store it, this is when the
 * first email was sent.
 */
async function admissionsOf(workspaceId: string, people: readonly Recipient[]): Promise<Map<string, number>> {
  const admissions = people.flatMap(({ _id, assignedAt }) =>
    assignedAt ? [[_id, assignedAt.getTime()] as const] : [],
  );
  const older = people.flatMap(({ _id, assignedAt, sentCount }) => (!assignedAt && sentCount > 0 ? [_id] : []));
  const first = { recipientId: { $in: older }, state: { $in: ["SENT", "BOUNCED"] } };
  const mails =
    older.length === 0
      ? []
      : await scoped(workspaceId).Send.aggregate<{ _id: string; at: Date }>(first, {
          $group: { _id: "$recipientId", at: { $min: "$sentAt" } },
        });
  return new Map([...admissions, ...mails.map(({ _id, at }) => [_id, at.getTime()] as const)]);
}
