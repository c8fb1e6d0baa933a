import { MINUTE_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { peekPlace } from "../sending/slot-preview.ts";
import { rebookStep } from "./book-next-step.ts";
import { bookingFor, earliestOf, mailboxBar } from "./eligibility.ts";
import { loadSituation, type Situation } from "./recipient-state.ts";
import type { Wake } from "./waking.ts";

/** The smallest gain in milliseconds that is worth a new booking. */
const WORTH_MS = MINUTE_MS;
const PAGE = 200;

/** An email that is booked for later. */
interface Booked {
  sendId: string;
  campaignId: string;
  recipientId: string;
}

/**
 * Books emails earlier that a limit, a gap or closed hours had delayed. It covers every booking of a mailbox, in any
 * campaign, earliest first, and runs before new leads are admitted (rules/sending 2.5). Returns how many moved.
 */
export async function bringForwardMailbox(workspaceId: string, mailboxId: string, wake: Wake): Promise<number> {
  const { MailboxDay, Send } = scoped(workspaceId);
  const ahead = { mailboxId, day: trusted({ $gte: utcDay(Date.now()) }) };
  const days = await MailboxDay.find(ahead, { sort: { day: 1 } });
  const sendIds = days.flatMap(({ taken }) =>
    taken.filter(({ at }) => at.getTime() > Date.now()).map(({ sendId }) => sendId),
  );
  let moved = 0;
  for (let start = 0; start < sendIds.length; start += PAGE) {
    const page = sendIds.slice(start, start + PAGE);
    const rows = await Send.find(
      { _id: trusted({ $in: page }), state: "RESERVED" },
      { select: { campaignId: 1, recipientId: 1 } },
    );
    const bookings = rows.flatMap(({ _id: sendId, campaignId, recipientId }) =>
      campaignId === null || recipientId === null ? [] : [{ sendId, campaignId, recipientId }],
    );
    moved += await bringForward(workspaceId, inOrderOf(page, bookings), wake);
  }
  return moved;
}

/**
 * Books the emails of one campaign earlier, in all mailboxes, after the campaign's limits, gaps or hours have changed.
 */
export async function bringForwardCampaign(workspaceId: string, campaignId: string, wake: Wake): Promise<number> {
  const booked = { campaignId, state: "RESERVED" };
  const rows = await scoped(workspaceId).Send.find(booked, { select: { recipientId: 1, slotAt: 1 } });
  const now = Date.now();
  const ahead = rows.filter(({ slotAt }) => slotAt !== null && slotAt.getTime() > now);
  ahead.sort((one, other) => (one.slotAt?.getTime() ?? 0) - (other.slotAt?.getTime() ?? 0));
  const bookings = ahead.flatMap(({ _id: sendId, recipientId }) =>
    recipientId === null ? [] : [{ sendId, campaignId, recipientId }],
  );
  return bringForward(workspaceId, bookings, wake);
}

async function bringForward(workspaceId: string, bookings: Booked[], wake: Wake): Promise<number> {
  let moved = 0;
  for (const { sendId, campaignId, recipientId } of bookings) {
    const ids = { v: 1, workspaceId, campaignId, recipientId } as const;
    const situation = await loadSituation(ids);
    if (situation !== null && (await takesSooner(situation, sendId))) {
      await wake(ids, "replan");
      moved++;
    }
  }
  return moved;
}

async function takesSooner(situation: Situation, sendId: string): Promise<boolean> {
  const { campaign, recipient, send, mailbox, step } = situation;
  const now = Date.now();
  if (campaign.status !== "ACTIVE" || (recipient.status !== "PENDING" && recipient.status !== "IN_PROGRESS"))
    return false;
  if (send?._id !== sendId || send.state !== "RESERVED" || send.slotAt === null || step === null) return false;
  if (mailbox === null || mailboxBar(mailbox, now) !== null) return false;
  const earliest = await earliestOf(situation, mailbox, step, now);
  const worth = send.slotAt.getTime() - WORTH_MS;
  if (earliest > worth) return false;
  const { slotAt } = await peekPlace(await bookingFor(situation, mailbox, step, earliest), send);
  return slotAt !== null && slotAt <= worth && (await rebookStep(situation, send, mailbox, earliest)) !== null;
}

function inOrderOf(sendIds: readonly string[], bookings: readonly Booked[]): Booked[] {
  const byId = new Map(bookings.map((booking) => [booking.sendId, booking]));
  return sendIds.flatMap((sendId) => byId.get(sendId) ?? []);
}
