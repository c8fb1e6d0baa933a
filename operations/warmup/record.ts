import { z } from "zod";
import { BANDS, bandOf } from "../../domain/mailboxes/band.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { lastDays } from "../../domain/warmup/day.ts";
import { WARMUP_LANGUAGES, WARMUP_PRESETS, WARMUP_STATUSES } from "../../domain/warmup/enrolment.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { WarmupDay } from "../../models/warmup/warmup-day.ts";
import type { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { findCampaignSenders, groundOf, targetOn } from "../../store/warmup/ground.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, record } from "../fields.ts";

const { mailboxId } = describedIds;

const rate = (what: string) => z.number().describe(`${what}, 0 to 1`);

const WarmupConfigRecord = z
  .object({
    start: z.number().int().describe("Emails on the first day"),
    increment: z.number().int().describe("More emails on each later day"),
    max: z.number().int().describe("The most emails a day"),
    replyRate: rate(
      "The share of the mailbox's emails that are replies, and of its sent emails to which partners reply",
    ),
    weekdaysOnly: z.boolean().describe("Whether warmup stops on Saturdays and Sundays"),
    spamRescueRate: rate("The share of received emails in Junk that are moved out"),
    importantRate: rate("The share of received emails that are flagged"),
    folder: z.string().describe("The folder to move warmup emails to once read; empty: they stay where they arrived"),
    language: z.enum(WARMUP_LANGUAGES).describe("The language of warmup emails"),
  })
  .meta({ id: "WarmupConfig", description: "How a mailbox warms up" });

export const PoolShareRecord = z
  .object({
    type: z.string().describe("SHARED, or the id of a private pool"),
    share: z.number().describe("The share of emails for this pool; all shares add up to at most 1"),
  })
  .meta({ id: "PoolShare", description: "A pool's share of a mailbox's warmup emails" });

const count = (what: string) => z.number().int().describe(what);

export const Enrolment = record({
  mailboxId,
  email: z.string().describe("The mailbox's address"),
  status: z
    .enum(WARMUP_STATUSES)
    .describe(
      "The state of the warmup. SUSPENDED: the mailbox is blocked for its reputation, and resumes automatically",
    ),
  statusReason: nullable(z.string()).describe(
    "Why warmup sends nothing, as a code. NO_PARTNER: its pools have no mailbox at another domain",
  ),
  preset: z.enum(WARMUP_PRESETS).describe("The preset of the ramp"),
  config: WarmupConfigRecord.describe("How the mailbox warms up"),
  dayNumber: count("The day of the warmup, from 1"),
  dailyLimit: count("The target of warmup emails for today (UTC); 0 while nothing is sent"),
  planStatus: z
    .enum(["PLANNED", "PENDING"])
    .describe("PENDING: the rest of today's emails is replanned within a minute"),
  healthBand: z.enum(BANDS).describe("The health of the mailbox"),
  reputationScore: nullable(z.number().int()).describe("0 to 100 over seven days; null without enough results"),
  pools: z.array(PoolShareRecord).describe("The pools that get its emails"),
  last7Days: z
    .object({
      sent: count("Its emails that were sent"),
      received: count("Partners' emails that arrived"),
      replied: count("Its emails that were answered"),
      inSpam: count("Its emails that were seen in Junk"),
      rescued: count("Emails moved out of Junk again"),
      bounced: count("Its emails that bounced"),
    })
    .describe("The last seven days in its time zone, including today"),
  startedAt: optionalTime.describe("When the ramp began"),
  pausedAt: optionalTime.describe("When the warmup was paused; null if it is not"),
  warnings: z
    .array(
      z.object({
        code: z.string().describe("The code of the warning"),
        message: z.string().describe("The warning as a sentence"),
      }),
    )
    .describe("Warnings to read before you start the warmup"),
}).meta({ id: "WarmupEnrolment", description: "A mailbox that warms up" });

const SUMS = ["sent", "received", "replied", "inSpam", "rescued", "bounced"] as const;
const DAYS = 7;

/** Enrolments with their computed fields: the health of their mailboxes and the sums of seven days. */
export async function enrolmentsShown(workspaceId: string, enrolments: readonly WarmupEnrolment[], zone: string) {
  const { Mailbox, WarmupDay } = scoped(workspaceId);
  const ids = enrolments.map(({ _id }) => _id);
  const mailboxes = await Mailbox.read({ _id: { $in: ids } }, { select: MAILBOX_FIELDS });
  const senders = await findCampaignSenders(ids, Date.now());
  const mailboxOf = new Map(mailboxes.map((mailbox) => [mailbox._id, mailbox]));
  // One more day, because a time zone may be a day ahead
  const since = lastDays(zone, DAYS + 1, Date.now())[0] ?? "";
  const rows = await WarmupDay.read({ mailboxId: { $in: ids }, date: { $gte: since } });
  const rowsOf = Map.groupBy(rows, ({ mailboxId }) => mailboxId);
  return enrolments.map((enrolment) => ({
    ...shown(enrolment, mailboxOf.get(enrolment._id) ?? null, rowsOf.get(enrolment._id) ?? [], zone),
    dailyLimit: targetOfToday(enrolment, mailboxOf.get(enrolment._id), zone, senders.has(enrolment._id)),
  }));
}

const MAILBOX_FIELDS = { email: 1, health: 1, workday: 1, grantId: 1, status: 1, warmupDailyLimit: 1 } as const;

/** Today's target, computed now, because today's plan may not exist yet. */
function targetOfToday(
  enrolment: WarmupEnrolment,
  mailbox: Mailbox | undefined,
  zone: string,
  sendsCampaigns: boolean,
): number {
  if (mailbox === undefined) return 0;
  return targetOn(groundOf(enrolment, mailbox, zone), Math.floor(Date.now() / DAY_MS) * DAY_MS, sendsCampaigns);
}

function shown(enrolment: WarmupEnrolment, mailbox: Mailbox | null, rows: readonly WarmupDay[], workspaceZone: string) {
  const days = new Set(lastDays(mailbox?.workday?.timezone ?? workspaceZone, DAYS, Date.now()));
  const counted = rows.filter(({ date }) => days.has(date));
  const last7Days = Object.fromEntries(
    SUMS.map((name) => [name, counted.reduce((sum, row) => sum + row[name], 0)]),
  ) as Record<(typeof SUMS)[number], number>; // built from the same names
  return {
    ...enrolment,
    mailboxId: enrolment._id,
    planStatus:
      enrolment.status === "ACTIVE" && enrolment.replanAt !== null ? ("PENDING" as const) : ("PLANNED" as const),
    healthBand: mailbox === null ? ("HEALTHY" as const) : bandOf(mailbox),
    reputationScore: mailbox?.health?.score ?? null,
    last7Days,
    warnings: (mailbox?.grantId ?? null) === null ? [] : [CONSENTED],
  };
}

const CONSENTED = {
  code: "PROVIDER_TERMS",
  message:
    "This mailbox is connected by OAuth. Some providers' terms forbid networks of mailboxes that email each other",
};
