/** The locale of numbers, percentages and times. Times are in the viewer's time zone. */
const LANGUAGE = "en";
const counts = new Intl.NumberFormat(LANGUAGE);
const shares = new Intl.NumberFormat(LANGUAGE, { style: "percent", maximumFractionDigits: 1 });
const moments = new Intl.DateTimeFormat(LANGUAGE, {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const full = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "full", timeStyle: "long" });
const times = new Intl.DateTimeFormat(LANGUAGE, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const days = new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", month: "short", timeZone: "UTC" });
const plurals = new Intl.PluralRules(LANGUAGE);

export function formatCount(count: number): string {
  return counts.format(count);
}

/** "1 person", "1,728 people". */
export function counted(count: number, one: string, many: string): string {
  return `${counts.format(count)} ${plurals.select(count) === "one" ? one : many}`;
}

/** Formats a share from 0 to 1 as a percentage. */
export function formatShare(share: number): string {
  return shares.format(share);
}

/** A time of today such as "10:02"; for other days with the day. */
export function formatInstant(instant: string | number, now = Date.now()): string {
  const date = new Date(instant);
  return isSameDay(date, new Date(now)) ? times.format(date) : moments.format(date);
}

/** The full time with seconds and zone, shown on hover over a short time. */
export function formatFully(instant: string): string {
  return full.format(new Date(instant));
}

/** Formats a day without a time zone, such as `2026-11-24` in a report. */
export function formatDay(date: string): string {
  return days.format(new Date(`${date}T00:00:00Z`));
}

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}
