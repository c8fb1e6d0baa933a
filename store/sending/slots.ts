import { dayLimit, type ProvidedMailbox } from "../../domain/sending/provider-limits.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import { scoped } from "../../models/scoped.ts";

export interface SlotRequest {
  mailbox: Mailbox;
  sendId: string;
  campaignId: string;
  /** How many mails of the mailbox's day this campaign may take; 0 means no limit of its own. */
  campaignLimit: number;
  /** The UTC day of the range, and the range itself in epoch milliseconds. */
  day: string;
  from: number;
  until: number;
  gapMs: number;
}

const UNLIMITED = 2 ** 31;

/**
 * How many mails a mailbox may send in a day, by its own limit and its provider's (rules/sending 2.1, 2.4), and how many of them one
 * campaign may send; a
 * `campaignLimit` of 0 means no limit of its own.
 */
export function capsOf(mailbox: ProvidedMailbox & Pick<Mailbox, "dailySendLimit">, campaignLimit: number): { cap: number; share: number } {
  return { cap: dayLimit(mailbox) ?? UNLIMITED, share: campaignLimit === 0 ? UNLIMITED : campaignLimit };
}

/**
 * Books the first free slot of a mailbox's day in one update: the slot is moved past each taken one that is nearer than the gap, and
 * inserted only while bookings and sends stay below the caps (rules/sending 2.2). Null when the day has no free slot.
 */
export async function takeSlot({ mailbox, sendId, campaignId, campaignLimit, day, from, until, gapMs }: SlotRequest): Promise<Date | null> {
  const { cap, share } = capsOf(mailbox, campaignLimit);
  const earliest = new Date(Math.max(from, mailbox.nextAt?.getTime() ?? 0));
  if (earliest.getTime() > until) return null;
  const ours = { $size: { $filter: { input: "$taken", cond: { $eq: ["$$this.campaignId", campaignId] } } } };
  const sentByUs = { $ifNull: [{ $getField: { field: campaignId, input: "$sentBy" } }, 0] };
  const after = await scoped(mailbox.workspaceId).MailboxDay.changeOne(
    { _id: `${mailbox._id}:${day}` },
    [
      {
        $set: {
          mailboxId: mailbox._id,
          day,
          taken: { $ifNull: ["$taken", []] },
          sent: { $ifNull: ["$sent", 0] },
          sentBy: { $ifNull: ["$sentBy", {}] },
          createdAt: { $ifNull: ["$createdAt", "$$NOW"] },
          updatedAt: "$$NOW",
        },
      },
      {
        $set: {
          slot: {
            $reduce: {
              input: "$taken",
              initialValue: earliest,
              in: {
                $cond: [
                  { $lt: [{ $abs: { $subtract: ["$$this.at", "$$value"] } }, gapMs] },
                  { $dateAdd: { startDate: "$$this.at", unit: "millisecond", amount: gapMs } },
                  "$$value",
                ],
              },
            },
          },
        },
      },
      {
        $set: {
          taken: {
            $cond: [
              {
                $and: [
                  { $lte: ["$slot", new Date(until)] },
                  { $lt: [{ $add: [{ $size: "$taken" }, "$sent"] }, cap] },
                  { $lt: [{ $add: [ours, sentByUs] }, share] },
                ],
              },
              { $sortArray: { input: { $concatArrays: ["$taken", [{ at: "$slot", sendId, campaignId }]] }, sortBy: { at: 1 } } },
              "$taken",
            ],
          },
        },
      },
      { $unset: "slot" },
    ],
    { upsert: true },
  );
  return after?.taken.find((slot) => slot.sendId === sendId)?.at ?? null;
}
