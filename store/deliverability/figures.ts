import type { MailFigures, PlaceFigures } from "../../domain/deliverability/score.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type {
  Destinations,
  FiguresOf,
  MailFiguresDay,
  MeasuredByReceiver,
} from "../../models/deliverability/mail-figures.ts";
import { scoped } from "../../models/scoped.ts";

export type MailSums = MailFigures & Destinations & PlaceFigures & MeasuredByReceiver;
const FIELDS = ["sent", "bounced", "complained", "replied", "tracked", "opened"] as const;
const DESTINATIONS = ["toGoogle", "toYahoo", "toMicrosoft", "toProviderA", "toProviderB"] as const;
const PLACES = ["seen", "inSpam", "inInbox", "missing"] as const;
const MEASURED = ["measuredAtProviderA", "inInboxAtProviderA", "measuredAtProviderB", "inInboxAtProviderB"] as const;
const ALL = [...FIELDS, ...DESTINATIONS, ...PLACES, ...MEASURED] as const;

/** Figures for no emails at all. */
export function noFigures(): MailSums {
  return {
    sent: 0,
    bounced: 0,
    complained: 0,
    replied: 0,
    tracked: 0,
    opened: 0,
    toGoogle: 0,
    toYahoo: 0,
    toMicrosoft: 0,
    toProviderA: 0,
    toProviderB: 0,
    seen: 0,
    inSpam: 0,
    inInbox: 0,
    missing: 0,
    measuredAtProviderA: 0,
    inInboxAtProviderA: 0,
    measuredAtProviderB: 0,
    inInboxAtProviderB: 0,
  };
}

/** Adds the figures of `more` to `to`. */
export function addFigures(to: MailSums, more: Partial<MailSums>): void {
  for (const name of ALL) to[name] += more[name] ?? 0;
}

/** The first UTC day of the last `days` days, including today. */
export function firstDayOf(days: number, now = Date.now()): string {
  return utcDay(now - (days - 1) * DAY_MS);
}

/** The summed figures of each subject since a day, by subject. Subjects without figures are absent. */
export async function loadSums(
  workspaceId: string,
  of: FiguresOf,
  since: string,
  subjectIds?: readonly string[],
): Promise<Map<string, MailSums>> {
  const among = subjectIds === undefined ? {} : { subjectId: { $in: [...subjectIds] } };
  const sums = Object.fromEntries(ALL.map((name) => [name, { $sum: `$${name}` }]));
  const rows = await scoped(workspaceId).MailFiguresDay.aggregate<MailSums & { _id: string }>(
    { of, day: { $gte: since }, ...among },
    { $group: { _id: "$subjectId", ...sums } },
  );
  return new Map(rows.map(({ _id, ...figures }) => [_id, figures]));
}

/** The figures of these subjects day by day since a day, oldest first. */
export function loadDays(
  workspaceId: string,
  of: FiguresOf,
  since: string,
  subjectIds: readonly string[],
): Promise<MailFiguresDay[]> {
  return scoped(workspaceId).MailFiguresDay.read(
    { of, subjectId: { $in: [...subjectIds] }, day: { $gte: since } },
    { sort: { day: 1 } },
  );
}

/** The days since `since` that were already counted. */
export async function loadCountedDays(workspaceId: string, since: string): Promise<string[]> {
  const { MailFiguresDay } = scoped(workspaceId);
  const found = await MailFiguresDay.read({ of: "WORKSPACE", day: { $gte: since } }, { select: { day: 1 } });
  return found.map(({ day }) => day);
}

/**
 * Stores the figures of a day and replaces those counted before. A subject that no longer has emails keeps a document
 * with zeros.
 */
export async function saveDay(
  workspaceId: string,
  day: string,
  counted: Record<FiguresOf, Map<string, MailSums>>,
): Promise<void> {
  const { MailFiguresDay } = scoped(workspaceId);
  const storedRows = await MailFiguresDay.read(
    { day, of: { $in: Object.keys(counted) } },
    { select: { of: 1, subjectId: 1 } },
  );
  for (const { of, subjectId } of storedRows) if (!counted[of].has(subjectId)) counted[of].set(subjectId, noFigures());
  const ids = new Set(storedRows.map(({ _id }) => _id));
  const at = new Date(`${day}T00:00:00Z`);
  const rows = Object.entries(counted).flatMap(
    ([of, subjects]) =>
      [...subjects].map(([subjectId, figures]) => ({ of: of as FiguresOf, subjectId, day, at, ...figures })), // the keys of the record
  );
  const writes = rows.map((row) => {
    const _id = `${workspaceId}:${row.of}:${row.subjectId}:${day}`;
    return ids.has(_id) ? { update: _id, set: row } : { insert: { _id, ...row } };
  });
  for (let first = 0; first < writes.length; first += 1_000)
    await MailFiguresDay.bulk(writes.slice(first, first + 1_000));
}
