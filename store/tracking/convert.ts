import type { ConversionChannel, ConversionResult, RejectionReason } from "../../domain/conversions.ts";
import { readConversion } from "../../domain/tracking/conversion-event.ts";
import type { Conversion } from "../../models/conversion.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { applyConversions } from "./apply-conversions.ts";
import { type ConversionGround, loadGrounds } from "./conversion-ground.ts";
import { refusedRow, rowOf } from "./judge-conversion.ts";

export interface ConversionAnswer {
  eventId: string | null;
  status: ConversionResult;
  reason: RejectionReason | null;
}

/** Events that one transaction records. */
const CHUNK = 250;
/** How often a chunk is tried again because another request took one of its keys at the same moment. */
const MOST_TRIES = 20;

/**
 * Records the conversions of a batch of any workspaces (rules/tracking 5), and answers each event in its place. A chunk of the batch commits
 * with all that follows from it, so a batch that is broken off may be sent again: what was recorded is a duplicate then.
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
 * Records one conversion in the transaction that is running, which is undone when the same key is recorded by another at that moment: the
 * caller's transaction is then repeated. For a sign-up at the service itself (rules/tracking 5.7).
 */
export async function recordConversion(event: unknown, channel: ConversionChannel, now = new Date()): Promise<ConversionAnswer> {
  const [answer] = await receiveChunk([event], channel, now);
  if (answer === undefined) throw new Error("A conversion was not answered");
  return answer;
}

async function receiveChunk(events: readonly unknown[], channel: ConversionChannel, now: Date): Promise<ConversionAnswer[]> {
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
              : { row: rowOf(reading.reported, ground, channel, now), ground };
          }
          const { cid, reason, eventId } = reading;
          const ground = cid === null ? undefined : grounds.get(cid);
          return ground === undefined || cid === null
            ? { answer: { eventId, status: "rejected", reason } }
            : { row: refusedRow({ reason, eventId, cid }, ground, channel, now), ground };
        });
        await record(judged.flatMap((one) => ("row" in one ? [one] : [])));
        return judged.map((one) => ("row" in one ? answerOf(one.row) : one.answer));
      });
    } catch (error) {
      // Another request recorded one of these keys: read again, it is a duplicate
      if (!isDuplicateKey(error) || tries >= MOST_TRIES) throw error;
    }
  }
}

type Known = { row: Conversion; ground: ConversionGround };
type Judged = Known | { answer: ConversionAnswer };

function unknownCid(eventId: string | null): { answer: ConversionAnswer } {
  return { answer: { eventId, status: "rejected", reason: "invalid_cid" } };
}

function answerOf({ eventId, status, reason }: Conversion): ConversionAnswer {
  return { eventId: eventId === "" ? null : eventId, status, reason };
}

/** Writes the rows with their effects; those whose key is recorded or came earlier in the chunk become duplicates. */
async function record(known: readonly Known[]): Promise<void> {
  for (const [workspaceId, own] of Map.groupBy(known, ({ row }) => row.workspaceId)) {
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
    await Conversion.bulk(own.map(({ row: { workspaceId: _, createdAt: __, updatedAt: ___, ...insert } }) => ({ insert })));
    await applyConversions(
      workspaceId,
      own.filter(({ row }) => row.status === "accepted"),
    );
  }
}
