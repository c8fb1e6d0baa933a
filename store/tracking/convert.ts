import type { ConversionChannel, ConversionResult, RejectionReason } from "../../domain/conversions.ts";
import { sumOfDecimals } from "../../domain/decimals.ts";
import { isOpenStatus } from "../../domain/states.ts";
import { readConversion } from "../../domain/tracking/conversion-event.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Conversion } from "../../models/tracking/conversion.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { heedMeeting } from "../inbox/meeting.ts";
import { nudge } from "../outbox.ts";
import { endRecipient } from "../recipients/stop.ts";
import { type ConversionGround, loadGrounds } from "./conversion-ground.ts";
import { conversionRowOf, refusedRow } from "./judge-conversion.ts";

export interface ConversionAnswer {
  eventId: string | null;
  status: ConversionResult;
  reason: RejectionReason | null;
}

/** How many events one transaction records. */
const CHUNK = 250;
/** How often a chunk is tried again because another request has used one of its keys at the same moment. */
const MOST_TRIES = 20;

/**
 * Records a batch of conversions for any workspaces (rules/tracking 5), and returns one answer per event, in order.
 * Each chunk commits with all its effects, so an interrupted batch may be sent again; events that were already recorded
 * are then duplicates.
 */
export async function receiveConversions(
  events: readonly unknown[],
  channel: ConversionChannel,
  now = new Date(),
): Promise<ConversionAnswer[]> {
  const answers: ConversionAnswer[] = [];
  for (let from = 0; from < events.length; from += CHUNK)
    answers.push(...(await receiveChunk(events.slice(from, from + CHUNK), channel, now)));
  return answers;
}

/**
 * Records one conversion in the running transaction. If another transaction records the same key at that moment, this
 * one is undone and the caller's transaction is repeated. For a sign-up at the service itself (rules/tracking 5.7).
 */
export async function recordConversion(
  event: unknown,
  channel: ConversionChannel,
  now = new Date(),
): Promise<ConversionAnswer> {
  const [answer] = await receiveChunk([event], channel, now);
  if (answer === undefined) throw new Error("A conversion was not answered");
  return answer;
}

async function receiveChunk(
  events: readonly unknown[],
  channel: ConversionChannel,
  now: Date,
): Promise<ConversionAnswer[]> {
  const readings = events.map(readConversion);
  const cids = readings.flatMap((reading) => ("reported" in reading ? reading.reported.cid : (reading.cid ?? [])));
  for (let tries = 1; ; tries++) {
    try {
      return await inTransaction(async () => {
        const grounds = await loadGrounds(cids);
        const judged = readings.map((reading): Judged => {
          if ("reported" in reading) {
            const ground = grounds.get(reading.reported.cid);
            return ground === undefined
              ? unknownCid(reading.reported.eventId)
              : { row: conversionRowOf(reading.reported, ground, channel, now), ground };
          }
          const { cid, reason, eventId } = reading;
          const ground = cid === null ? undefined : grounds.get(cid);
          return ground === undefined || cid === null
            ? { answer: { eventId, status: "rejected", reason } }
            : { row: refusedRow({ reason, eventId, cid }, ground, channel, now), ground };
        });
        await recordConversions(judged.flatMap((one) => ("row" in one ? [one] : [])));
        return judged.map((one) => ("row" in one ? conversionAnswerOf(one.row) : one.answer));
      });
    } catch (error) {
      // Another request recorded one of these keys. Read again, the event is a duplicate
      if (!isDuplicateKey(error) || tries >= MOST_TRIES) throw error;
    }
  }
}

type Known = { row: Conversion; ground: ConversionGround };
type Judged = Known | { answer: ConversionAnswer };

function unknownCid(eventId: string | null): { answer: ConversionAnswer } {
  return { answer: { eventId, status: "rejected", reason: "invalid_cid" } };
}

function conversionAnswerOf({ eventId, status, reason }: Conversion): ConversionAnswer {
  return { eventId: eventId === "" ? null : eventId, status, reason };
}

/**
 * Writes conversions with their effects. A conversion whose key is already recorded, or came earlier in the chunk,
 * becomes a duplicate.
 */
async function recordConversions(conversions: readonly Known[]): Promise<void> {
  for (const [workspaceId, own] of Map.groupBy(conversions, ({ row }) => row.workspaceId)) {
    const { Conversion } = scoped(workspaceId);
    const candidates = own.filter(({ row }) => row.status === "accepted");
    const keys = candidates.map(({ row }) => row.eventId);
    const taken = new Set(
      (await Conversion.find({ status: "accepted", eventId: trusted({ $in: keys }) }, { select: { eventId: 1 } })).map(
        ({ eventId }) => eventId,
      ),
    );
    for (const { row } of candidates) {
      if (taken.has(row.eventId)) row.status = "duplicate";
      taken.add(row.eventId);
    }
    await Conversion.bulk(
      own.map(({ row: { workspaceId: _, createdAt: __, updatedAt: ___, ...insert } }) => ({ insert })),
    );
    await applyConversions(
      workspaceId,
      own.filter(({ row }) => row.status === "accepted"),
    );
  }
}

interface Accepted {
  row: Conversion;
  ground: ConversionGround;
}

/** The actor that is recorded when a conversion sets a lead's status. */
const ACTOR = "conversion";

/**
 * Applies the effects of accepted conversions of one workspace (rules/tracking 5.5): history, outcome, revenue and
 * stop. Call it in the transaction that records them.
 */
async function applyConversions(workspaceId: string, accepted: readonly Accepted[]): Promise<void> {
  if (accepted.length === 0) return;
  const { ActivityEvent, Recipient } = scoped(workspaceId);
  await ActivityEvent.bulk(accepted.map(({ row }) => ({ insert: happeningOf(row) })));
  const currency = accepted.some(({ row }) => row.type === "PURCHASE") ? await currencyOf(workspaceId) : "";
  const changes = [...Map.groupBy(accepted, ({ row }) => row.recipientId)].flatMap(([_id, own]) => {
    const [first] = own;
    const change =
      first === undefined
        ? {}
        : outcomeOf(
            first.ground.recipient,
            own.map(({ row }) => row),
            currency,
          );
    return Object.keys(change).length === 0
      ? []
      : [{ filter: { _id }, change: { $set: { ...change, updatedAt: new Date() } } }];
  });
  await Recipient.wroteAll(changes);
  const stopped = new Set<string>();
  for (const { row, ground } of accepted) await stop(row, ground, stopped);
  for (const campaignId of stopped) await nudge(workspaceId, "CAMPAIGN", { campaignId });
}

function happeningOf({
  leadId,
  campaignId,
  recipientId,
  stepId,
  variantId,
  type,
  value,
  currency,
  url,
  receivedAt: at,
}: Conversion) {
  const data = { stepId, variantId, type, value, currency, url };
  return { _id: newId("evt"), type: "CONVERTED", at, leadId, campaignId, recipientId, actor: null, data };
}

type Outcome = Partial<
  Pick<Recipient, "meetingBooked" | "meetingBookedAt" | "revenueAmount" | "revenueCurrency" | "revenueCounted">
>;

/**
 * The first meeting, and the sum of purchases in the recipient's first currency unless someone has set the amount by
 * hand.
 */
function outcomeOf(recipient: Recipient, rows: readonly Conversion[], usual: string): Outcome {
  const meeting = rows.find(({ type }) => type === "MEETING_BOOKED");
  const outcome: Outcome =
    meeting === undefined || recipient.meetingBooked
      ? {}
      : { meetingBooked: true, meetingBookedAt: meeting.receivedAt };
  if (recipient.revenueAmount !== null && recipient.revenueAmount !== (recipient.revenueCounted ?? null))
    return outcome;
  let { revenueAmount, revenueCurrency } = recipient;
  for (const { type, value, currency } of rows) {
    if (type !== "PURCHASE" || value === null) continue;
    const counted = currency ?? revenueCurrency ?? usual;
    if (revenueAmount !== null && counted !== revenueCurrency) continue;
    revenueAmount = sumOfDecimals(revenueAmount ?? "0", value);
    revenueCurrency = counted;
  }
  return revenueAmount === recipient.revenueAmount
    ? outcome
    : { ...outcome, revenueAmount, revenueCurrency, revenueCounted: revenueAmount };
}

async function currencyOf(workspaceId: string): Promise<string> {
  return (
    (await Workspace.findById(workspaceId, { currency: 1 }).lean<Pick<Workspace, "currency">>())?.currency ?? "USD"
  );
}

async function stop(
  { type }: Conversion,
  { recipient, settings }: ConversionGround,
  stopped: Set<string>,
): Promise<void> {
  const { workspaceId, _id, campaignId } = recipient;
  if (type === "MEETING_BOOKED" && !recipient.meetingBooked) await heedMeeting(recipient, settings, ACTOR);
  if (!settings.stopOnConversion || !isOpenStatus(recipient.status)) return;
  if ((await endRecipient(workspaceId, _id, { status: "COMPLETED", stopReason: "CONVERTED" })) !== null)
    stopped.add(campaignId);
}
