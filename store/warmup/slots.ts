import { DEFAULT_SETTINGS } from "../../domain/campaigns/settings.ts";
import { WARMUP_OWNER } from "../../domain/sending/day-use.ts";
import { drawGapMs, firstFreeSlot } from "../../domain/sending/pacing.ts";
import { dayLimit, gapOf } from "../../domain/sending/provider-limits.ts";
import type { Opening } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";

/** The gap after warmup emails of a mailbox that has no gap of its own. */
export const WARMUP_GAP = {
  minGapSeconds: DEFAULT_SETTINGS.minGapSeconds,
  maxGapSeconds: DEFAULT_SETTINGS.maxGapSeconds,
};

/** An email that needs a slot, not before `at`. */
export interface WantedSlot {
  sendId: string;
  at: number;
}

/**
 * Books slots on one UTC day of a mailbox, within its open hours, with the gap and daily limit of all its emails
 * (rules/warmup 3.2). An email for which nothing is free after its time gets the first free slot of the day. An email
 * without any slot is absent from the result. Call it in a transaction, where a concurrent booking causes a conflict.
 */
export async function takeWarmupSlots(
  mailbox: Mailbox,
  day: string,
  wanted: readonly WantedSlot[],
  openings: readonly Opening[],
): Promise<Map<string, Date>> {
  const { MailboxDay } = scoped(mailbox.workspaceId);
  const _id = `${mailbox._id}:${day}`;
  const mailboxDay = await MailboxDay.get(_id);
  const times = (mailboxDay?.taken ?? []).map(({ at }) => at.getTime()).sort((one, other) => one - other);
  const { minGapSeconds, maxGapSeconds } = gapOf(mailbox, WARMUP_GAP);
  const notBefore = mailbox.nextAt?.getTime() ?? 0;
  let room = (dayLimit(mailbox) ?? Number.POSITIVE_INFINITY) - times.length - (mailboxDay?.sent ?? 0);
  const slots = new Map<string, Date>();
  for (const { sendId, at } of [...wanted].sort((one, other) => one.at - other.at)) {
    if (room <= 0) break;
    const gapMs = drawGapMs(minGapSeconds, maxGapSeconds, sendId);
    const slot = firstIn(openings, times, Math.max(at, notBefore), gapMs) ?? firstIn(openings, times, notBefore, gapMs);
    if (slot === null) continue;
    slots.set(sendId, new Date(slot));
    times.splice(times.filter((time) => time <= slot).length, 0, slot);
    room -= 1;
  }
  const fresh = [...slots].map(([sendId, at]) => ({ at, sendId, campaignId: WARMUP_OWNER }));
  if (fresh.length > 0) {
    await MailboxDay.updateOne(
      { _id },
      {
        $push: { taken: { $each: fresh, $sort: { at: 1 } } },
        $setOnInsert: { mailboxId: mailbox._id, day, sent: 0, sentBy: {} },
      },
      { upsert: true },
    );
  }
  return slots;
}

function firstIn(
  openings: readonly Opening[],
  taken: readonly number[],
  earliest: number,
  gapMs: number,
): number | null {
  for (const { at, until } of openings) {
    const slot = until <= earliest ? null : firstFreeSlot(taken, Math.max(at, earliest), until - 1, gapMs);
    if (slot !== null) return slot;
  }
  return null;
}
