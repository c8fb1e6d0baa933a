import { PERSON_OWNER, WARMUP_OWNER } from "../../domain/sending/day-use.ts";
import { campaignRoom, type RoomyMailbox } from "../../domain/sending/mailbox-room.ts";
import { dayLimit } from "../../domain/sending/provider-limits.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";

export interface SlotRequest {
  mailbox: Mailbox;
  sendId: string;
  /** The campaign, or `WARMUP_OWNER` for warmup, to which the limits of campaigns do not apply. */
  campaignId: string;
  /** How many emails of the mailbox's day this campaign may take; 0 means no limit of its own. */
  campaignLimit: number;
  /** The UTC day of the range, and the range itself in epoch milliseconds. */
  day: string;
  from: number;
  until: number;
  gapMs: number;
}

const UNLIMITED = 2 ** 31;

/**
 * How many emails a mailbox may send on a day by its own and its provider's limit (rules/sending 2.1, 2.4), how many of
 * them all campaigns together may send (rules/health 4.1), and how many one campaign may send. A `campaignLimit` of 0
 * means that the campaign has no limit of its own.
 */
export function capsOf(mailbox: RoomyMailbox, campaignLimit: number): { cap: number; room: number; share: number } {
  const room = campaignRoom(mailbox)?.limit ?? UNLIMITED;
  return { cap: dayLimit(mailbox) ?? UNLIMITED, room, share: campaignLimit === 0 ? UNLIMITED : campaignLimit };
}

/** An expression for the emails that this owner has claimed on a day. */
export function sentByOwner(owner: string) {
  return { $ifNull: [{ $getField: { field: owner, input: "$sentBy" } }, 0] };
}

/** An expression for the emails that all campaigns have claimed on a day. */
export const SENT_BY_CAMPAIGNS = {
  $subtract: ["$sent", { $add: [sentByOwner(WARMUP_OWNER), sentByOwner(PERSON_OWNER)] }],
};

/**
 * Books the first free slot of a mailbox's day in one update. The slot is moved past each booked slot that is nearer
 * than the gap, and is inserted only while bookings and sends stay below the limits (rules/sending 2.2). Null when the
 * day has no free slot.
 */
export async function takeSlot({
  mailbox,
  sendId,
  campaignId,
  campaignLimit,
  day,
  from,
  until,
  gapMs,
}: SlotRequest): Promise<Date | null> {
  const { cap, room, share } = capsOf(mailbox, campaignLimit);
  const earliest = new Date(Math.max(from, mailbox.nextAt?.getTime() ?? 0));
  if (earliest.getTime() > until) return null;
  const takenWhere = (cond: object) => ({ $size: { $filter: { input: "$taken", cond } } });
  const ours = { $add: [takenWhere({ $eq: ["$$this.campaignId", campaignId] }), sentByOwner(campaignId)] };
  const ofCampaigns = { $add: [takenWhere({ $ne: ["$$this.campaignId", WARMUP_OWNER] }), SENT_BY_CAMPAIGNS] };
  const isCampaigns = campaignId !== WARMUP_OWNER;
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
                  ...(isCampaigns ? [{ $lt: [ofCampaigns, room] }, { $lt: [ours, share] }] : []),
                ],
              },
              {
                $sortArray: {
                  input: { $concatArrays: ["$taken", [{ at: "$slot", sendId, campaignId }]] },
                  sortBy: { at: 1 },
                },
              },
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
