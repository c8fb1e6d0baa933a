import {
  byDay,
  FACT_NAMES,
  type FactCounts,
  type FactDays,
  type FactsOfDay,
  type HealthPoint,
  JUDGED_DAYS,
  NO_FACTS,
} from "../../domain/mailboxes/health-facts.ts";
import { campaignSentOn } from "../../domain/sending/day-use.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { MailboxFacts } from "../../models/mailboxes/mailbox-facts.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

const BUSY_DAYS = 14;

/** What can be counted for one event. Sent emails are counted in `mailbox_days`. */
export type NotedFact = Partial<Omit<FactCounts, "sent">>;

/**
 * Counts a result of a mailbox's emails on the UTC day of `at` (rules/health 1.3). Call it once for each result, in the
 * transaction that records it.
 */
export async function noteFact(workspaceId: string, mailboxId: string, fact: NotedFact, at: Date): Promise<void> {
  const day = utcDay(at.getTime());
  await scoped(workspaceId).MailboxFacts.updateOne(
    { _id: `${mailboxId}:${day}` },
    { $inc: { ...fact }, $set: { isNew: true }, $setOnInsert: { mailboxId, day } },
    { upsert: true },
  );
}

/**
 * Stores a new point for each day whose counts have changed since its last point, and returns the days from `from` on.
 * Call it in the transaction that judges the mailbox. A fact that is counted at the same time conflicts with that
 * transaction, and the next point includes it.
 */
export async function takePoints(workspaceId: string, mailboxId: string, from: Date, now: Date): Promise<FactDays> {
  const { MailboxDay, MailboxFacts } = scoped(workspaceId);
  const factsByDay = new Map((await loadFactDays(workspaceId, mailboxId, from)).map((facts) => [facts.day, facts]));
  const recent = Array.from({ length: JUDGED_DAYS + 1 }, (_, ago) => utcDay(now.getTime() - ago * DAY_MS));
  const sent = await MailboxDay.read(
    { _id: { $in: recent.map((day) => `${mailboxId}:${day}`) } },
    { select: { sent: 1, sentBy: 1, day: 1 } },
  );
  const sentOn = new Map(sent.map((day) => [day.day, campaignSentOn(day)]));
  const days = new Map<string, FactsOfDay>(factsByDay);
  for (const day of recent) {
    const facts = factsByDay.get(day);
    const point = { at: now, ...factCountsOf(facts, sentOn.get(day) ?? 0) };
    const points = facts?.points ?? [];
    if (isSame(point, points.at(-1) ?? NO_FACTS)) continue;
    await MailboxFacts.updateOne(
      { _id: `${mailboxId}:${day}` },
      { $push: { points: point }, $setOnInsert: { mailboxId, day } },
      { upsert: true },
    );
    days.set(day, { day, points: [...points, point] });
  }
  await MailboxFacts.updateMany({ mailboxId, isNew: true }, { $set: { isNew: false } });
  return byDay([...days.values()]);
}

/** The days of a mailbox from an instant on, the earliest first. */
export function loadFactDays(workspaceId: string, mailboxId: string, from: Date): Promise<MailboxFacts[]> {
  const since = { mailboxId, day: trusted({ $gte: utcDay(from.getTime()) }) };
  return scoped(workspaceId).MailboxFacts.find(since, { sort: { day: 1 } });
}

/** The largest number of campaign emails on one of the fourteen UTC days up to an instant. */
export async function busiestDayOf(workspaceId: string, mailboxId: string, at: Date): Promise<number> {
  const ids = Array.from({ length: BUSY_DAYS }, (_, ago) => `${mailboxId}:${utcDay(at.getTime() - ago * DAY_MS)}`);
  const days = await scoped(workspaceId).MailboxDay.read({ _id: { $in: ids } }, { select: { sent: 1, sentBy: 1 } });
  return Math.max(0, ...days.map(campaignSentOn));
}

function factCountsOf(facts: MailboxFacts | undefined, sent: number): FactCounts {
  const { bounced, refused, complained, seen, inSpam } = facts ?? NO_FACTS;
  return { sent, bounced, refused, complained, seen, inSpam };
}

function isSame(point: HealthPoint, before: FactCounts): boolean {
  return FACT_NAMES.every((name) => point[name] === before[name]);
}
