import { localDate } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { WarmupDay } from "../../models/warmup/warmup-day.ts";
import { loadDayZone, zoneOf } from "./ground.ts";

const WARMUP_COUNTS = [
  "sent",
  "received",
  "replied",
  "engaged",
  "seen",
  "inSpam",
  "rescued",
  "missing",
  "bounced",
] as const;
export type WarmupCounts = Partial<Record<(typeof WARMUP_COUNTS)[number], number>>;

/**
 * Counts an event of a mailbox's warmup on the local day of an instant. Call it in the transaction of the event. Pass
 * `mailbox` if it is already loaded, so that it is not read again.
 */
export async function countOnDay(
  workspaceId: string,
  mailboxId: string,
  counts: WarmupCounts,
  at: Date,
  mailbox?: Pick<Mailbox, "workspaceId" | "workday">,
): Promise<void> {
  const zone = mailbox === undefined ? await loadDayZone(workspaceId, mailboxId) : await zoneOf(mailbox);
  const date = localDate(at.getTime(), zone);
  await scoped(workspaceId).WarmupDay.updateOne(
    { _id: `${mailboxId}:${date}` },
    { $inc: counts, $setOnInsert: { mailboxId, date } },
    { upsert: true },
  );
}

/** The days of a mailbox from `since` on, by date. */
export async function loadWarmupDays(
  workspaceId: string,
  mailboxId: string,
  since: string,
): Promise<Map<string, WarmupDay>> {
  const rows = await scoped(workspaceId).WarmupDay.read({ mailboxId, date: { $gte: since } });
  return new Map(rows.map((row) => [row.date, row]));
}
