import { z } from "zod";
import { shareOf } from "../../domain/deliverability/score.ts";
import { scoreOf } from "../../domain/mailboxes/score.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { MailFiguresDay } from "../../models/deliverability/mail-figures.ts";
import { addFigures, firstDayOf, loadDays, type MailSums, noFigures } from "../../store/deliverability/figures.ts";
import { MEASURED_DAYS } from "../../store/deliverability/states.ts";
import { nullable } from "../fields.ts";
import { operation } from "../operation.ts";
import {
  bounceRate,
  complaintRate,
  days,
  openRate,
  replyRate,
  score,
  sent,
  sharesOf,
  spamPlacementRate,
} from "./shares.ts";

export const overview = operation({
  summary:
    "Deliverability of campaign emails: shares that bounced, were reported, were opened and got a reply, and a daily score",
  scope: "deliverability:read",
  input: z.strictObject({ days }),
  output: z.object({
    score,
    sent,
    delivered: z.number().int().describe("Sent emails that did not bounce"),
    bounceRate,
    complaintRate,
    openRate,
    replyRate,
    spamPlacementRate,
    byProvider: z
      .array(
        z.object({
          provider: z
            .enum(["PROVIDERA", "PROVIDERB", "OTHER"])
            .describe("The provider that receives the recipients' emails"),
          sent,
          inboxRate: nullable(z.number()).describe(
            "Share of measured emails that landed in the inbox; null if none was measured",
          ),
        }),
      )
      .describe("The same emails by receiving provider"),
    trend: z
      .array(
        z.object({
          date: z.string().describe("The day (UTC), `YYYY-MM-DD`"),
          score: score.describe("The score of the seven days up to that day"),
        }),
      )
      .describe("Every day of the period, oldest first"),
  }),
  async run({ workspaceId }, { days }) {
    const rows = await loadDays(workspaceId, "WORKSPACE", firstDayOf(days + MEASURED_DAYS - 1), [workspaceId]);
    const sums = sumOf(rows, firstDayOf(days));
    const { sent, bounced, toProviderA, toProviderB, seen, missing, inInbox } = sums;
    const {
      measuredAtProviderA: atA,
      inInboxAtProviderA: inboxA,
      measuredAtProviderB: atB,
      inInboxAtProviderB: inboxB,
    } = sums;
    const trend = trendOf(rows, days);
    return {
      score: trend.at(-1)?.score ?? null,
      ...sharesOf(sums),
      delivered: sent - bounced,
      byProvider: [
        { provider: "PROVIDERA" as const, sent: toProviderA, inboxRate: shareOf(inboxA, atA) },
        { provider: "PROVIDERB" as const, sent: toProviderB, inboxRate: shareOf(inboxB, atB) },
        {
          provider: "OTHER" as const,
          sent: sent - toProviderA - toProviderB,
          inboxRate: shareOf(inInbox - inboxA - inboxB, seen + missing - atA - atB),
        },
      ],
      trend,
    };
  },
});

function sumOf(rows: readonly MailFiguresDay[], since: string, until = "9999"): MailSums {
  const sums = noFigures();
  for (const row of rows) if (row.day >= since && row.day <= until) addFigures(sums, row);
  return sums;
}

function trendOf(rows: readonly MailFiguresDay[], days: number) {
  return Array.from({ length: days }, (_, number) => {
    const at = Date.now() - (days - 1 - number) * DAY_MS;
    const date = utcDay(at);
    const sums = sumOf(rows, firstDayOf(MEASURED_DAYS, at), date);
    return { date, score: scoreOf(sums, sums) };
  });
}
