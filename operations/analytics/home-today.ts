import { z } from "zod";
import { keyOf } from "../../domain/analytics/groups.ts";
import { isZone } from "../../domain/time/schedule.ts";
import { dateOf, dayAt, utcDay, wallAt, weekdayOf } from "../../domain/time/zone.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { loadWorkspace } from "../../store/campaigns/load.ts";
import { readReport } from "./report.ts";

const count = (what: string) => z.number().int().describe(what);
const figures = {
  sent: count("Campaign emails sent"),
  replied: count("People who replied"),
  positiveReplies: count("People whose reply is positive"),
};

export const Today = z
  .object({
    date: z.iso.date().describe("The day in the workspace's time zone"),
    hour: count("The present hour there, 0 to 23"),
    timezone: z.string().describe("The time zone of the workspace"),
    sent: count("All emails that the mailboxes have sent today (UTC), replies and warmup included"),
    limit: count("The sum of the daily limits of the connected mailboxes"),
    campaigns: z.object(figures).describe("Results of campaigns today"),
    yesterday: z.object(figures).describe("Results of campaigns yesterday, up to the present hour"),
    hours: z
      .array(z.object({ hour: count("The hour, 0 to 23"), ...figures }))
      .describe("Results of campaigns today, for each of the 24 hours"),
  })
  .meta({ id: "HomeToday", description: "What is sent today, and its results" });

type Figures = Record<keyof typeof figures, number>;
const METRICS = Object.keys(figures) as (keyof Figures)[]; // the keys of a constant
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Emails and replies of today by hour, beside the daily limits and the same hours of yesterday. */
export async function readToday(
  workspaceId: string,
  mailboxes: readonly Pick<Mailbox, "_id" | "status" | "dailySendLimit">[],
): Promise<z.input<typeof Today>> {
  const { timezone } = await loadWorkspace(workspaceId);
  const zone = isZone(timezone) ? timezone : "UTC";
  const now = Date.now();
  const today = dayAt(zone, now);
  const present = new Date(wallAt(zone, now)).getUTCHours();
  const days = { from: dateOf(today - 1), to: dateOf(today) };
  const [report, sent] = await Promise.all([
    readReport(workspaceId, { ...days, groupBy: "HOUR_OF_WEEK", metrics: METRICS }),
    countSent(workspaceId, mailboxes, now),
  ]);
  const rows = new Map(report.rows.map((row) => [row.key, row]));
  const at = (day: number, hour: number) => rows.get(keyOf("HOUR_OF_WEEK", { weekday: weekdayOf(day), hour }) ?? "");
  const figuresAt = (day: number, hour: number) =>
    Object.fromEntries(METRICS.map((metric) => [metric, at(day, hour)?.[metric] ?? 0])) as Figures; // each metric is one
  const hours = HOURS.map((hour) => ({ hour, ...figuresAt(today, hour) }));
  const before = HOURS.filter((hour) => hour <= present).map((hour) => figuresAt(today - 1, hour));
  const connected = mailboxes.filter(({ status }) => status === "CONNECTED");
  return {
    date: days.to,
    hour: present,
    timezone: zone,
    sent,
    limit: connected.reduce((sum, { dailySendLimit }) => sum + dailySendLimit, 0),
    campaigns: sumOf(hours),
    yesterday: sumOf(before),
    hours,
  };
}

function sumOf(rows: readonly Figures[]): Figures {
  const total = (metric: keyof Figures) => rows.reduce((sum, row) => sum + row[metric], 0);
  return { sent: total("sent"), replied: total("replied"), positiveReplies: total("positiveReplies") };
}

async function countSent(workspaceId: string, mailboxes: readonly { _id: string }[], now: number): Promise<number> {
  const ids = mailboxes.map(({ _id }) => `${_id}:${utcDay(now)}`);
  const days = await scoped(workspaceId).MailboxDay.find({ _id: trusted({ $in: ids }) }, { select: { sent: 1 } });
  return days.reduce((sum, { sent }) => sum + sent, 0);
}
