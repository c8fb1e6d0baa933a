import type { MailboxHealth } from "../../domain/mailboxes/band.ts";
import { beginCourse } from "../../domain/mailboxes/health-course.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { type NotedFact, noteFact } from "../../store/mailboxes/facts.ts";

/** Records how many campaign emails a mailbox sent, and the outcomes of emails, on the day of an instant. */
export async function tellFacts(
  workspaceId: string,
  mailboxId: string,
  { sent = 0, ...facts }: NotedFact & { sent?: number },
  at = new Date(),
) {
  const day = utcDay(at.getTime());
  if (sent > 0) {
    await scoped(workspaceId).MailboxDay.updateOne(
      { _id: `${mailboxId}:${day}` },
      { $inc: { sent, "sentBy.cmp_told": sent }, $setOnInsert: { mailboxId, day } },
      { upsert: true },
    );
  }
  if (Object.keys(facts).length > 0) await inTransaction(() => noteFact(workspaceId, mailboxId, facts, at));
}

/** A health as the hourly round would have left it a day ago. */
export function healthIn(band: MailboxHealth["band"], more: Partial<MailboxHealth> = {}): MailboxHealth {
  const since = new Date(Date.now() - DAY_MS);
  const isTerm = band !== "HEALTHY" && band !== "WATCH";
  return {
    ...beginCourse(since.getTime()),
    band,
    phase: isTerm ? "TERM" : "FREE",
    until: isTerm ? new Date(Date.now() + 6 * DAY_MS) : null,
    termDays: isTerm ? 7 : null,
    step: band === "THROTTLED" ? 75 : null,
    score: 90,
    busiestDay: null,
    ...(band !== "HEALTHY" && { measure: "BOUNCE_RATE", numerator: 6, denominator: 100, threshold: 0.05 }),
    ...more,
  };
}
