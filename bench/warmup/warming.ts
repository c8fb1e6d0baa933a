import pLimit from "p-limit";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { localDate, utcDay } from "../../domain/time/schedule.ts";
import { dayBefore } from "../../domain/warmup/day.ts";
import { DEFAULT_CONFIG, DEFAULT_POOLS } from "../../domain/warmup/enrolment.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../../store/outbox.ts";
import { loadGround } from "../../store/warmup/ground.ts";
import { openingId } from "../../store/warmup/mails.ts";
import { writeOpenings } from "../../store/warmup/write-plan.ts";
import { until } from "../../test/fakes/wait.ts";

/** Settings of a mailbox without gaps or limits that works at all hours, so that only the service limits the rate. */
export const TIRELESS: Partial<Mailbox> = {
  minGapSeconds: 0,
  maxGapSeconds: 0,
  dailySendLimit: 0,
  warmupDailyLimit: 100,
  saveToSent: false,
  workday: { timezone: "UTC", days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" },
};

/** Emails of a day. The enrolments expect this number, so that the day is not planned again. */
const TARGET = 20;
/**
 * Milliseconds between signalling the workflows and the first email, so that all of them have received the signal by
 * then.
 */
const AHEAD_MS = 30_000;
const LATER_MS = 5 * 60 * MINUTE_MS;
const DEADLINE_MS = 300_000;
const calls = pLimit(8);

/** Enrols mailboxes as if today were already planned. */
export async function enrolAll(mailboxes: readonly Mailbox[]): Promise<void> {
  const config = { ...DEFAULT_CONFIG, start: TARGET, max: TARGET };
  const began = { startedAt: new Date(), closedDay: dayBefore(localDate(Date.now(), "UTC")) };
  for (const { workspaceId, _id, email } of mailboxes) {
    const pools = [...DEFAULT_POOLS];
    await scoped(workspaceId).WarmupEnrolment.insert({ _id, email, config, pools, dailyLimit: TARGET, ...began });
  }
}

/**
 * Plans first emails in waves, which `release` sends later. In each wave, every mailbox sends one email to another
 * mailbox and receives one. Returns the ids of each wave's emails.
 */
export async function plantWaves(mailboxes: readonly Mailbox[], waves: number): Promise<string[][]> {
  const day = utcDay(Date.now());
  const plant = async (mailbox: Mailbox, index: number) => {
    const ground = await loadGround(mailbox.workspaceId, mailbox._id);
    if (ground === null) throw new Error(`${mailbox.email} is not enrolled`);
    const openings = Array.from({ length: waves }, (_, number) => {
      // Two workspaces alternate in the list, so the receiver is in the other workspace
      const to = mailboxes[(index + 1 + 2 * number) % mailboxes.length] ?? mailbox;
      return { number, partner: { workspaceId: to.workspaceId, mailboxId: to._id, email: to.email } };
    });
    const planned = await inTransaction(() => writeOpenings(ground, day, openings, TARGET));
    if (planned < waves) throw new Error(`${waves - planned} mails found no slot: the day is too old`);
  };
  await Promise.all(mailboxes.map((mailbox, index) => calls(() => plant(mailbox, index))));
  await WarmupMail.updateMany({ state: "PLANNED" }, { $set: { dueAt: new Date(Date.now() + LATER_MS) } });
  return Array.from({ length: waves }, (_, number) => mailboxes.map(({ _id }) => openingId(day, _id, number)));
}

/**
 * Sends a wave, spread evenly over `overMs`, once every workflow waits for its email. Returns the time at which the
 * first email is due.
 */
export async function release(wave: readonly string[], overMs: number): Promise<number> {
  const from = Date.now() + AHEAD_MS;
  const dueAt = wave.map((_, index) => new Date(from + Math.floor((index / wave.length) * overMs)));
  const mails = await WarmupMail.find({ _id: trusted({ $in: [...wave] }) }).lean<WarmupMail[]>();
  await Promise.all(
    mails.map(({ _id, fromWorkspaceId, fromMailboxId, sendId }) =>
      calls(async () => {
        const at = dueAt[wave.indexOf(_id)] ?? new Date(from);
        await WarmupMail.updateOne({ _id }, { $set: { dueAt: at } });
        await scoped(fromWorkspaceId).Send.updateOne({ _id: sendId }, { $set: { slotAt: at } });
        await nudge(fromWorkspaceId, "WARMUP", { mailboxId: fromMailboxId, signal: "changed" });
      }),
    ),
  );
  const wakes = { wakeAt: trusted({ $gte: new Date(from), $lte: new Date(from + overMs) }) };
  const areWaiting = async () =>
    (await WarmupEnrolment.countDocuments(wakes, { acrossWorkspaces: true })) === wave.length;
  await until(areWaiting, { deadlineMs: DEADLINE_MS, what: "every warmup to wait for its mail", longestMs: 200 });
  if (Date.now() > from) throw new Error(`The runs had heard ${Date.now() - from} ms too late`);
  return from;
}

/** Waits until every email that was due has been sent, read and archived, and its reply too if it gets one. */
export async function settled(): Promise<void> {
  const isOver = async () => {
    const soon = trusted({ $lt: new Date(Date.now() + MINUTE_MS), $gt: new Date(0) });
    const open = await WarmupMail.exists({
      $or: [
        { state: "PLANNED", dueAt: soon },
        { state: "SENT", landed: null },
        { engageAt: soon, "engaged.filedAt": null },
      ],
    });
    return open === null;
  };
  await until(isOver, { deadlineMs: DEADLINE_MS, what: "every warmup mail to be put away", longestMs: 250 });
}

/** The times since `since` at which emails were read and archived. */
export async function engagedSince(since: number): Promise<number[]> {
  const mails = await WarmupMail.find({ "engaged.filedAt": trusted({ $gte: new Date(since) }) }, { engaged: 1 }).lean<
    WarmupMail[]
  >();
  return mails.flatMap(({ engaged: { filedAt } }) => filedAt?.getTime() ?? []);
}
