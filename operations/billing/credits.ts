import { z } from "zod";
import { availableOf, periodOf } from "../../domain/credits.ts";
import { readCredits, readUsage } from "../../store/credits.ts";
import { time } from "../fields.ts";
import { operation } from "../operation.ts";

const count = (what: string) => z.number().int().describe(what);

export const get = operation({
  summary: "Show the workspace's remaining credits and this month's spending by day",
  scope: "billing:read",
  input: z.strictObject({}),
  output: z
    .object({
      creditsRemaining: count("Credits available to spend: `monthly` plus `granted`, minus `held`"),
      monthly: count("Unspent credits of this month; they expire when the month ends"),
      granted: count("Unspent credits that do not expire"),
      held: count("Credits reserved for reveals in progress"),
      perMonth: count("Credits added each month"),
      periodStart: time.describe("When the month began (UTC)"),
      periodEnd: time.describe("When the month ends"),
      used: count("Credits spent this month"),
      byDay: z
        .array(z.object({ date: z.string().describe("The day (UTC)"), used: count("Credits spent on it") }))
        .describe("Days with spending"),
    })
    .meta({ id: "Credits", description: "A workspace's credits and spending" }),
  async run({ workspaceId, services }) {
    const now = new Date();
    const { creditsPerMonth: perMonth } = services.settings;
    const credits = await readCredits(workspaceId, perMonth, now);
    const byDay = await readUsage(workspaceId, now);
    const { start: periodStart, end: periodEnd } = periodOf(now);
    const { monthly, granted, held } = credits;
    const used = byDay.reduce((sum, day) => sum + day.used, 0);
    return {
      creditsRemaining: availableOf(credits),
      monthly,
      granted,
      held,
      perMonth,
      periodStart,
      periodEnd,
      used,
      byDay,
    };
  },
});
