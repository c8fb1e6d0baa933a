import { z } from "zod";
import { DAY_MS } from "../../domain/time/durations.ts";
import { lastDays } from "../../domain/warmup/day.ts";
import { scoped } from "../../models/scoped.ts";
import { loadWarmupDays } from "../../store/warmup/days.ts";
import { loadDayZone, zoneOf } from "../../store/warmup/ground.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, wholeNumber } from "../fields.ts";
import { operation } from "../operation.ts";
import { loadEnrolment } from "./enrolments.ts";

const { mailboxId } = describedIds;

const errors = ["ENROLMENT_NOT_FOUND"] as const;
const scope = "warmup:read" as const;
const date = z.string().describe("The day in the mailbox's zone, `YYYY-MM-DD`");
const daysUpTo = (most: number, usual: number) =>
  wholeNumber(1, most).default(usual).describe(`The number of days, including today, 1 to ${most}. Default ${usual}`);
const count = (what: string) => z.number().int().describe(what);

export const heatmap = operation({
  summary: "Show the results of a mailbox's warmup emails for every day, oldest first",
  scope,
  errors,
  input: z.strictObject({ mailboxId, days: daysUpTo(90, 14) }),
  output: z.array(
    z
      .object({
        date,
        sent: count("Emails sent by the mailbox"),
        replied: count("Its emails that were answered"),
        engaged: count("Its emails that partners read"),
        inSpam: count("Its emails that were seen in Junk"),
        rescued: count("Emails moved out of Junk again"),
      })
      .meta({ id: "WarmupDay", description: "The results of a mailbox's warmup emails on one day" }),
  ),
  async run({ workspaceId }, { mailboxId, days }) {
    const [zone] = await Promise.all([loadDayZone(workspaceId, mailboxId), loadEnrolment(workspaceId, mailboxId)]);
    const dates = lastDays(zone, days, Date.now());
    const rows = await loadWarmupDays(workspaceId, mailboxId, dates[0] ?? "");
    return dates.map((date) => {
      const { sent = 0, replied = 0, engaged = 0, inSpam = 0, rescued = 0 } = rows.get(date) ?? {};
      return { date, sent, replied, engaged, inSpam, rescued };
    });
  },
});

export const reputation = operation({
  summary: "Show a mailbox's reputation score for every day, oldest first; null on days without enough results",
  scope,
  errors,
  input: z.strictObject({ mailboxId, days: daysUpTo(180, 30) }),
  output: z.array(
    z
      .object({
        date,
        score: nullable(z.number().int()).describe(
          "0 to 100, over the seven days up to this day; null without enough results",
        ),
      })
      .meta({ id: "ReputationPoint", description: "A mailbox's reputation on one day" }),
  ),
  async run({ workspaceId }, { mailboxId, days }) {
    const [mailbox] = await Promise.all([
      scoped(workspaceId).Mailbox.get(mailboxId),
      loadEnrolment(workspaceId, mailboxId),
    ]);
    const zone = await zoneOf({ workspaceId, workday: mailbox?.workday ?? null });
    const dates = lastDays(zone, days, Date.now());
    const rows = await loadWarmupDays(workspaceId, mailboxId, dates[0] ?? "");
    const today = dates.at(-1);
    return dates.map((date) => ({
      date,
      score: date === today ? (mailbox?.health?.score ?? null) : (rows.get(date)?.score ?? null),
    }));
  },
});

const DAYS = 7;

export const bounces = operation({
  summary: "Count a mailbox's campaign and warmup emails that bounced in the last seven days, and show the latest",
  scope,
  errors,
  input: z.strictObject({ mailboxId }),
  output: z
    .object({
      hard: count("Bounces of addresses that are permanently wrong"),
      soft: count("Emails refused temporarily or for another reason"),
      total: count("Both"),
      lastBounceAt: optionalTime.describe("When the last bounce came; null without any"),
      lastBounce: nullable(
        z.object({
          type: z.enum(["HARD", "SOFT"]).describe("HARD: the address is permanently wrong"),
          code: nullable(z.string()).describe("The status code in the bounce report"),
          message: nullable(z.string()).describe("The text from the server"),
        }),
      ).describe("The last bounce; null without any"),
    })
    .meta({ id: "WarmupBounces", description: "Bounces of a mailbox in seven days" }),
  async run({ workspaceId }, { mailboxId }) {
    await loadEnrolment(workspaceId, mailboxId);
    const since = { $gte: new Date(Date.now() - DAYS * DAY_MS) };
    const found = await scoped(workspaceId).Message.read(
      { mailboxId, kind: "BOUNCE", createdAt: since },
      { select: { bounce: 1, createdAt: 1 }, sort: { createdAt: 1 }, hint: "reports" },
    );
    const reports = found.flatMap(({ bounce, createdAt }) => (bounce === null ? [] : [{ ...bounce, at: createdAt }]));
    const returned = (
      await loadWarmupDays(workspaceId, mailboxId, new Date(Date.now() - DAYS * DAY_MS).toISOString().slice(0, 10))
    ).values();
    const warmup = [...returned].reduce((sum, { bounced }) => sum + bounced, 0);
    const hard = reports.filter(({ type }) => type === "HARD").length;
    const soft = reports.length - hard + warmup;
    const last = reports.at(-1);
    return {
      hard,
      soft,
      total: hard + soft,
      lastBounceAt: last?.at ?? null,
      lastBounce:
        last === undefined ? null : { type: last.type, code: last.code ?? null, message: last.diagnostic ?? null },
    };
  },
});
