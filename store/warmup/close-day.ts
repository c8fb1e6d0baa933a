import { bandOf } from "../../domain/mailboxes/band.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { localDate } from "../../domain/time/schedule.ts";
import { dayBefore, endOfDay, isOpenDay } from "../../domain/warmup/day.ts";
import { MISSING_AFTER_MS } from "../../domain/warmup/engagement.ts";
import { hasWarmed, nextColdLimit } from "../../domain/warmup/enrolment.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { busiestDayOf } from "../mailboxes/facts.ts";
import { freeMailbox } from "../mailboxes/faults.ts";
import { countOnDay } from "./days.ts";
import type { WarmupGround } from "./ground.ts";
import { changeWarmupMail } from "./mails.ts";
import { missWarmupMail } from "./settle.ts";

const MOST = 500;
/** For how many milliseconds the sends of warmup emails are kept, the same time as the warmup emails themselves. */
const KEPT_MS = 100 * DAY_MS;

/**
 * Ends a mailbox's day, once per day (rules/warmup 3.3). Unsent emails become MISSED, and emails that were not found
 * for two days MISSING. The day gets its score, and the ramp advances if the day counted for it.
 */
export async function closeDay(ground: WarmupGround): Promise<void> {
  const { enrolment, hours, mailbox } = ground;
  const yesterday = dayBefore(localDate(Date.now(), hours.zone));
  if (enrolment.closedDay !== null && enrolment.closedDay >= yesterday) return;
  const ended = endOfDay(hours.zone, yesterday);
  await missOverdue(mailbox._id, new Date(ended));
  await noteMissing(mailbox._id);
  await forgetOld(mailbox.workspaceId, mailbox._id);
  await inTransaction(() => advance(ground, yesterday));
}

async function advance({ enrolment, hours, mailbox }: WarmupGround, day: string): Promise<void> {
  const { WarmupDay, WarmupEnrolment } = scoped(mailbox.workspaceId);
  const now = new Date();
  const isOne = enrolment.status === "ACTIVE" && isOpenDay(hours, day);
  const dayNumber = enrolment.dayNumber + (isOne ? 1 : 0);
  const warmSince =
    enrolment.warmSince ?? (hasWarmed({ startedAt: enrolment.startedAt, dayNumber }, now.getTime()) ? now : null);
  const still: Partial<WarmupEnrolment> = { closedDay: enrolment.closedDay };
  const closed = await WarmupEnrolment.updateOne(
    { _id: mailbox._id, ...still },
    { $set: { closedDay: day, dayNumber, warmSince } },
  );
  if (closed === 0) return;
  if (isOne && warmSince !== null) await raiseColdLimit(mailbox, now);
  const score = mailbox.health?.score ?? null;
  await WarmupDay.updateOne(
    { _id: `${mailbox._id}:${day}` },
    { $set: { score }, $setOnInsert: { mailboxId: mailbox._id, date: day } },
    { upsert: true },
  );
}

async function raiseColdLimit(mailbox: Mailbox, now: Date): Promise<void> {
  const { workspaceId, _id, coldLimit } = mailbox;
  const busiest = coldLimit === null ? await busiestDayOf(workspaceId, _id, now) : 0;
  const raised = nextColdLimit(coldLimit, busiest, bandOf(mailbox) === "HEALTHY");
  if (raised === coldLimit) return;
  await scoped(workspaceId).Mailbox.updateOne({ _id, coldLimit }, { $set: { coldLimit: raised } });
  await freeMailbox(workspaceId, _id);
}

/** Gives up the unsent emails of past days and releases their slots. */
async function missOverdue(fromMailboxId: string, before: Date): Promise<void> {
  const overdue = { fromMailboxId, state: "PLANNED" as const, dueAt: trusted({ $lt: before }) };
  for (const mail of await WarmupMail.find(overdue).limit(MOST).lean<WarmupMail[]>()) await missWarmupMail(mail);
}

async function noteMissing(fromMailboxId: string): Promise<void> {
  const since = { $lt: new Date(Date.now() - MISSING_AFTER_MS), $gt: new Date(Date.now() - 10 * MISSING_AFTER_MS) };
  const unseen = { fromMailboxId, state: "SENT" as const, landed: null, sentAt: trusted(since) };
  const now = new Date();
  for (const mail of await WarmupMail.find(unseen).limit(MOST).lean<WarmupMail[]>()) {
    await inTransaction(async () => {
      const landed = { folder: "MISSING" as const, provider: "SMTP" as const, at: now };
      const noted = await changeWarmupMail(mail._id, { landed: null }, { landed });
      if (noted !== null) await countOnDay(mail.fromWorkspaceId, mail.fromMailboxId, { missing: 1 }, now);
    });
  }
}

async function forgetOld(workspaceId: string, mailboxId: string): Promise<void> {
  const before = trusted({ $lt: new Date(Date.now() - KEPT_MS), $gt: new Date(0) });
  await scoped(workspaceId).Send.deleteMany({ kind: "WARMUP", mailboxId, slotAt: before });
}
