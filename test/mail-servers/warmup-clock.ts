import type { MailboxHealth } from "../../domain/mailboxes/band.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { WarmupWaits } from "../../domain/warmup/engagement.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { nudge } from "../../store/outbox.ts";
import { HASTY, type Warming } from "../warmup/warmup-world.ts";

/** People who do not look into their mail before `read` lets them, and then answer at once. */
export const ABSENT: WarmupWaits = { ...HASTY, readMedianMs: 6 * HOUR_MS, longestReadMs: 6 * HOUR_MS };

const wake = ({ workspaceId, mailboxId }: Warming) => nudge(workspaceId, "WARMUP", { mailboxId, signal: "changed" });

/** Nothing that is planned goes out before `release` says so. */
export async function hold(mailboxes: readonly Warming[]): Promise<void> {
  for (const one of mailboxes) {
    const dueAt = new Date(Date.now() + DAY_MS);
    await WarmupMail.updateMany({ fromMailboxId: one.mailboxId, state: "PLANNED" }, { $set: { dueAt } });
    await wake(one);
  }
}

/** Lets some planned openings of a mailbox go out now, to anyone or to one of these. Returns their ids. */
export async function release(one: Warming, count: number, to?: readonly Warming[]): Promise<string[]> {
  const which = {
    fromMailboxId: one.mailboxId,
    state: "PLANNED" as const,
    ...(to && { toMailboxId: trusted({ $in: to.map(({ mailboxId }) => mailboxId) }) }),
  };
  const planned = await WarmupMail.find({ ...which, kind: "OPENING" })
    .limit(count)
    .lean<WarmupMail[]>();
  if (planned.length < count) throw new Error(`Only ${planned.length} mails of ${one.email} are planned`);
  const dueAt = new Date();
  for (const { _id, sendId } of planned) {
    await scoped(one.workspaceId).Send.updateOne({ _id: sendId }, { $set: { slotAt: dueAt } });
    await WarmupMail.updateOne({ _id }, { $set: { dueAt } });
  }
  await wake(one);
  return planned.map(({ _id }) => _id);
}

/** Lets the owner of a mailbox read the emails that have come. */
export async function read(one: Warming): Promise<void> {
  const unread = { toMailboxId: one.mailboxId, engageAt: trusted({ $gt: new Date() }), "engaged.filedAt": null };
  const { modifiedCount } = await WarmupMail.updateMany(unread, { $set: { engageAt: new Date() } });
  if (modifiedCount > 0) await wake(one);
}

/** A month passes for the emails that were filed. */
export async function letMonthPass(one: Warming): Promise<void> {
  const filed = {
    toMailboxId: one.mailboxId,
    engageAt: trusted({ $ne: null }),
    "engaged.filedAt": trusted({ $ne: null }),
  };
  await WarmupMail.updateMany(filed, { $set: { engageAt: new Date() } });
  const copies = { fromMailboxId: one.mailboxId, tidyAt: trusted({ $gt: new Date() }) };
  await WarmupMail.updateMany(copies, { $set: { tidyAt: new Date() } });
  await wake(one);
}

/** Lets days pass for a mailbox's health: moves its counts and judgements back. */
export async function letDaysPass({ workspaceId, mailboxId }: Warming, days: number): Promise<void> {
  const { Mailbox, MailboxFacts, MailboxHealthChange } = scoped(workspaceId);
  const back = (at: Date) => new Date(at.getTime() - days * DAY_MS);
  const mailbox = await Mailbox.get(mailboxId);
  if (mailbox?.health) {
    const { health } = mailbox;
    const moved: MailboxHealth = {
      ...health,
      since: back(health.since),
      until: health.until && back(health.until),
      factsSince: health.factsSince && back(health.factsSince),
      stepSince: health.stepSince && back(health.stepSince),
      reviewedAt: back(health.reviewedAt),
      nextReviewAt: back(health.nextReviewAt),
    };
    await Mailbox.updateOne({ _id: mailboxId }, { $set: { health: moved } });
  }
  for (const { at, until, _id } of await MailboxHealthChange.find({ mailboxId })) {
    await MailboxHealthChange.updateOne({ _id }, { $set: { at: back(at), until: until && back(until) } });
  }
  // The day is part of the key; the earliest first, so that none takes the place of one that is still there
  for (const { _id, createdAt, updatedAt, ...facts } of await MailboxFacts.find({ mailboxId }, { sort: { day: 1 } })) {
    const day = utcDay(back(new Date(facts.day)).getTime());
    await MailboxFacts.deleteOne({ _id });
    const points = facts.points.map((point) => ({ ...point, at: back(point.at) }));
    await MailboxFacts.insert({ ...facts, _id: `${mailboxId}:${day}`, day, points });
  }
}
