import type { Settings } from "../../domain/campaigns/settings.ts";
import { type Calendar, localDate } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";

/**
 * The hours in which a campaign may send to one recipient from one mailbox (rules/sending 3.1 to 3.5). `recipientZone`
 * was resolved at admission.
 */
export async function calendarOf(
  settings: Settings,
  mailbox: Pick<Mailbox, "workday"> | null,
  recipientZone: string | null,
  country: string | null,
  now: number,
): Promise<Calendar> {
  const zone = (settings.useRecipientTimezone ? recipientZone : null) ?? settings.timezone;
  return {
    zone,
    windows: settings.windows,
    closedDates: await holidaysOf(settings, country, zone, now),
    workday: mailbox?.workday ?? null,
    startAt: settings.startAt === null ? null : Date.parse(settings.startAt),
    endAt: settings.endAt === null ? null : Date.parse(settings.endAt),
  };
}

async function holidaysOf(
  settings: Settings,
  country: string | null,
  zone: string,
  now: number,
): Promise<ReadonlySet<string>> {
  if (!settings.skipHolidays) return new Set(settings.customHolidays);
  // The holiday tables are large, so only campaigns that skip holidays load them
  const { closedDates } = await import("../../domain/time/holidays.ts");
  return closedDates(
    country ?? settings.holidayCountry,
    Number(localDate(now, zone).slice(0, 4)),
    settings.customHolidays,
  );
}
