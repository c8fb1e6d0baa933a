import { z } from "zod";
import { invalid } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { loadUsage } from "../../store/verification/settings.ts";
import { nullable } from "../fields.ts";
import { operation } from "../operation.ts";

const MOST_DAYS = 366;

const day = z.iso.date();

export const usage = operation({
  summary: "Count the checked addresses, day by day",
  scope: "verification:read",
  input: z.strictObject({
    from: day.optional().describe("The first day, UTC; default the first of this month"),
    to: day.optional().describe("The last day, UTC; default today. At most 366 days"),
  }),
  output: z.object({
    periodStart: z.string().describe("The first day"),
    periodEnd: z.string().describe("The last day"),
    used: z.number().int().describe("Addresses checked in the period; reused results are not counted"),
    limit: nullable(z.number().int()).describe("How many addresses may be checked; null: only mail servers limit it"),
    remaining: nullable(z.number().int()).describe("How many checks are left; null without a limit"),
    byDay: z
      .array(z.object({ date: z.string().describe("The day"), count: z.number().int().describe("Checked addresses") }))
      .describe("The days with checks, oldest first"),
  }),
  async run({ workspaceId }, asked) {
    const today = new Date().toISOString().slice(0, 10);
    const to = asked.to ?? today;
    const from = asked.from ?? `${to.slice(0, 7)}-01`;
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
    if (days < 1) throw invalid("from", "must not be after `to`", "TOO_BIG");
    if (days > MOST_DAYS) throw invalid("from", `must be at most ${MOST_DAYS} days before \`to\``, "TOO_SMALL");
    const byDay = await loadUsage(workspaceId, from, to);
    const used = byDay.reduce((sum, { count }) => sum + count, 0);
    return { periodStart: from, periodEnd: to, used, limit: null, remaining: null, byDay };
  },
});
