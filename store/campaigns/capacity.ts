import { dailyCapacity, expectedFinish, type MailboxCapacity } from "../../domain/campaigns/capacity.ts";
import type { Settings } from "../../domain/campaigns/settings.ts";
import { rampLimit } from "../../domain/sending/pacing.ts";
import { gapOf, providerDayLimit } from "../../domain/sending/provider-limits.ts";
import { mailDelays } from "../../domain/sequences/sequence.ts";
import { type Calendar, localDate, nextOpening, openSeconds, utcDay } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { calendarOf } from "../sending/calendar.ts";
import type { RenderSources } from "./missing.ts";

export interface Outlook {
  dailyCapacity: number;
  firstSendAt: Date | null;
  expectedFinishAt: Date | null;
}

/** How many mails a campaign could send on its first day, and when it would finish if no recipient stopped (rules/campaigns 4.3). */
export async function outlookOf(sources: RenderSources, usable: Mailbox[], recipients: number): Promise<Outlook> {
  const { campaign, settings, sequence } = sources;
  const now = Date.now();
  const calendars = new Map<Mailbox, Calendar>();
  for (const mailbox of usable) calendars.set(mailbox, await calendarOf(settings, mailbox, null, null, now));
  const openings = distinct([...calendars.values()]).flatMap((calendar) => nextOpening(calendar, now)?.at ?? []);
  const first = openings.length === 0 ? null : Math.min(...openings);
  if (first === null) return { dailyCapacity: 0, firstSendAt: null, expectedFinishAt: null };
  const taken = await takenElsewhere(campaign._id, usable, first);
  const ramp = (daysSoFar: number) => rampLimit(settings, daysSoFar);
  const capacityOn = (date: string, daysSoFar: number, isFirst: boolean) => {
    const mailboxes = usable.map((mailbox) =>
      mailboxOn(mailbox, settings, calendars.get(mailbox), date, isFirst ? (taken.get(mailbox._id) ?? 0) : 0),
    );
    return dailyCapacity({ ...volumeOf(settings), ramp: ramp(daysSoFar) }, mailboxes);
  };
  const date = localDate(first, settings.timezone);
  const calendar = await calendarOf(settings, null, null, null, now);
  const finish = finishOf(sources, calendar, first, recipients, mailDelays(sequence.steps), capacityOn);
  return {
    dailyCapacity: capacityOn(date, 0, true),
    firstSendAt: new Date(first),
    expectedFinishAt: finish === null ? null : new Date(finish),
  };
}

function volumeOf({ dailyLimit, perMailboxDailyLimit, minGapSeconds, maxGapSeconds }: Settings) {
  return { dailyLimit, perMailboxDailyLimit, minGapSeconds, maxGapSeconds };
}

function mailboxOn(
  mailbox: Mailbox,
  settings: Settings,
  calendar: Calendar | undefined,
  date: string,
  reservedElsewhere: number,
): MailboxCapacity {
  const limits = { dailySendLimit: mailbox.dailySendLimit, providerLimit: providerDayLimit(mailbox), ...gapOf(mailbox, settings) };
  return { ...limits, reservedElsewhere, openSeconds: calendar === undefined ? 0 : secondsOn(calendar, date) };
}

/** Days that are simulated. The rest is extrapolated in proportion, so that a check takes equally long for any audience. */
const SIMULATED_DAYS = 30;

function finishOf(
  { settings }: RenderSources,
  calendar: Calendar,
  from: number,
  recipients: number,
  delays: { value: number; unit: "MINUTES" | "HOURS" | "DAYS" | "BUSINESS_DAYS" }[],
  capacityOn: (date: string, daysSoFar: number, isFirst: boolean) => number,
): number | null {
  const { maxNewLeadsPerDay, prioritizeNewLeads } = settings;
  const capacityOf = (day: { date: string; sendingDaysSoFar: number }) => capacityOn(day.date, day.sendingDaysSoFar, false);
  const daily = capacityOn(localDate(from, settings.timezone), SIMULATED_DAYS, false);
  if (daily === 0 || delays.length === 0) return null;
  const few = Math.max(1, Math.floor((Math.min(daily, maxNewLeadsPerDay ?? daily) * SIMULATED_DAYS) / delays.length));
  const simulated = Math.min(recipients, few);
  const open = { ...calendar, endAt: null };
  const finish = expectedFinish({ from, calendar: open, recipients: simulated, delays, maxNewLeadsPerDay, prioritizeNewLeads }, capacityOf);
  if (finish === null || simulated === 0) return finish;
  const alone = expectedFinish({ from, calendar: open, recipients: 1, delays }, () => 1) ?? from;
  // The delays of the last recipient are waited for only once; only the time that sending takes grows with the audience
  return simulated === recipients ? finish : alone + ((finish - alone) * recipients) / simulated;
}

/** How many of the first day's slots other campaigns and manual mail have taken, by mailbox. */
async function takenElsewhere(campaignId: string, usable: Mailbox[], at: number): Promise<Map<string, number>> {
  const [any] = usable;
  if (any === undefined) return new Map();
  const ids = usable.map(({ _id }) => `${_id}:${utcDay(at)}`);
  const days = await scoped(any.workspaceId).MailboxDay.find({ _id: trusted({ $in: ids }) });
  return new Map(
    days.map(({ mailboxId, taken, sent, sentBy }) => {
      const booked = taken.filter((slot) => slot.campaignId !== campaignId).length;
      return [mailboxId, booked + sent - (sentBy[campaignId] ?? 0)];
    }),
  );
}

const seconds = new WeakMap<Calendar, Map<string, number>>();

function secondsOn(calendar: Calendar, date: string): number {
  const known = seconds.get(calendar) ?? new Map<string, number>();
  seconds.set(calendar, known);
  const open = known.get(date) ?? openSeconds(calendar, date);
  known.set(date, open);
  return open;
}

/** Most mailboxes share one workday or have none, so equal calendars are computed once. */
function distinct(calendars: Calendar[]): Calendar[] {
  return [...new Map(calendars.map((calendar) => [JSON.stringify(calendar.workday ?? null), calendar])).values()];
}
