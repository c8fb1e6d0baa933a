import { expect } from "@jest/globals";
import { type ForecastSources, forecast } from "../../../domain/campaigns/forecast.ts";
import type { MailboxKind } from "../../../domain/campaigns/timeline.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../domain/time/durations.ts";
import { type Calendar, isOpen, localDate } from "../../../domain/time/schedule.ts";
import { randomFrom } from "../../system/killed-worker.ts";
import { type ModelledCampaign, modelledSends } from "./booking-model.ts";

export const MONDAY = Date.parse("2026-11-23T08:00Z");

export const WEEKDAYS = { days: [1, 2, 3, 4, 5], from: "09:00", to: "17:00" };

export const WORKDAYS: Calendar = { zone: "UTC", windows: [WEEKDAYS] };

export const AT_ONCE = { value: 0, unit: "DAYS" } as const;

export const THREE_DAYS = { value: 3, unit: "DAYS" } as const;

export const ONE: MailboxKind = { count: 1, workday: null, gapSeconds: 690, perDay: 10, room: new Map(), readyAt: 0 };

export const campaign: ForecastSources = {
  from: MONDAY,
  zone: "UTC",
  calendars: [WORKDAYS],
  kinds: [ONE],
  delays: [AT_ONCE],
  fresh: [10],
  waiting: [],
  dailyLimit: null,
  maxNewLeadsPerDay: null,
  ramp: null,
  prioritizeNewLeads: false,
  today: { total: 0, newLeads: 0 },
  endAt: null,
};

export const shown = (at: number | null) => (at === null ? null : new Date(at).toISOString().slice(0, 16));

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "America/Los_Angeles"];

const DELAYS = [
  THREE_DAYS,
  { value: 1, unit: "DAYS" },
  { value: 7, unit: "DAYS" },
  { value: 2, unit: "BUSINESS_DAYS" },
  { value: 5, unit: "HOURS" },
] as const;

export const GAP_MS = 10 * MINUTE_MS;

/** A campaign of random rules, as people and as counts. Its gaps leave more slots than its limits use. */
export function drawn(seed: number): { campaign: ModelledCampaign; sources: ForecastSources } {
  const random = randomFrom(seed);
  const whole = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const pick = <T>(from: readonly T[], otherwise: T): T => from[Math.floor(random() * from.length)] ?? otherwise;
  const maybe = <T>(share: number, value: T): T | null => (random() < share ? value : null);
  const from = MONDAY + whole(0, 300) * DAY_MS + whole(0, 23) * HOUR_MS;
  const opens = whole(6, 12);
  const days = random() < 0.7 ? [1, 2, 3, 4, 5] : [1, 3, 4, 6];
  const windows = [{ days, from: `${String(opens).padStart(2, "0")}:00`, to: `${opens + whole(5, 10)}:00` }];
  const closedDates = new Set(
    Array.from({ length: whole(0, 20) }, () => new Date(from + whole(0, 400) * DAY_MS).toISOString().slice(0, 10)),
  );
  const zone = ZONES[whole(0, ZONES.length - 1)] ?? "UTC";
  const calendars = Array.from({ length: whole(1, 3) }, (_, index) => ({
    zone: index === 0 ? zone : (ZONES[index] ?? zone),
    windows,
    closedDates,
  }));
  const people = Array.from({ length: whole(20, 140) }, () => calendars[whole(0, calendars.length - 1)] ?? WORKDAYS);
  const workday = { timezone: zone, days: [1, 2, 3, 4, 5, 6], from: "05:00", to: "20:00" };
  const mailboxes = Array.from({ length: whole(1, 3) }, () => ({
    workday: calendars.length === 1 ? maybe(0.4, workday) : null,
    perDay: whole(1, 6),
  }));
  const delays = [
    AT_ONCE,
    ...Array.from({ length: whole(0, 3) }, () => pick<(typeof DELAYS)[number]>(DELAYS, THREE_DAYS)),
  ];
  const limits = {
    dailyLimit: maybe(0.4, whole(1, 12)),
    maxNewLeadsPerDay: maybe(0.4, whole(1, 5)),
    ramp: maybe(0.3, { start: whole(1, 3), increment: whole(1, 2) }),
  };
  return {
    campaign: { from, zone, people, mailboxes, gapMs: GAP_MS, delays, ...limits },
    sources: {
      from,
      zone,
      calendars,
      delays,
      waiting: [],
      prioritizeNewLeads: false,
      today: { total: 0, newLeads: 0 },
      endAt: null,
      ...limits,
      ramp: limits.ramp === null ? null : { ...limits.ramp, daysSoFar: 0 },
      kinds: mailboxes.map(({ workday, perDay }) => ({
        count: 1,
        workday,
        gapSeconds: GAP_MS / 1_000,
        perDay,
        room: new Map(),
        readyAt: 0,
      })),
      fresh: calendars.map((calendar) => people.filter((one) => one === calendar).length),
    },
  };
}

/** Days between two instants on which some part of the audience may be written to. */
function sendingDaysBetween(one: number, other: number, calendars: readonly Calendar[]): number {
  const days = new Set<string>();
  for (let at = Math.min(one, other); at < Math.max(one, other); at += HOUR_MS) {
    if (calendars.some((calendar) => isOpen(calendar, at))) days.add(localDate(at, calendars[0]?.zone ?? "UTC"));
  }
  return Math.max(0, days.size - 1);
}

export function compared({ campaign, sources }: ReturnType<typeof drawn>) {
  const sends = modelledSends(campaign);
  const { firstAt, lastAt } = forecast(sources);
  const last = sends.reduce((latest, at) => Math.max(latest, at), 0);
  expect(shown(firstAt)).toBe(shown(sends.reduce((earliest, at) => Math.min(earliest, at), Infinity)));
  expect(sources.calendars.some((calendar) => isOpen(calendar, lastAt ?? 0))).toBe(true);
  return { days: (last - campaign.from) / DAY_MS, off: sendingDaysBetween(last, lastAt ?? 0, sources.calendars) };
}
