import type { MailboxHealth } from "../../domain/mailboxes/band.ts";
import { formatInstant, type Rule, rule, type Value } from "../../domain/recipients/explain.ts";
import { type Calendar, isOpen, localDate } from "../../domain/time/schedule.ts";
import type { Passed } from "../sending/slot-preview.ts";

/** The rule that explains why a slot is not earlier. */
export function whyLater(passed: Passed, calendar: Calendar): Rule {
  const until = formatInstant(passed.until);
  switch (passed.by) {
    case "WINDOW":
      return whyClosed(calendar, passed.from, until);
    case "THROTTLE": {
      const { kind, scope, limit } = passed.throttle;
      return rule(`THROTTLE_${kind}`, { limit, scope: scope.slice(kind.length + 1), until });
    }
    case "MAILBOX_BAND":
      return rule("MAILBOX_BAND_LIMIT", {
        ...bandValues(passed.health),
        used: passed.used,
        limit: passed.limit,
        until,
      });
    case "MAILBOX_GAP": {
      const nextAt = passed.nextAt === null ? null : formatInstant(passed.nextAt);
      return rule("MAILBOX_GAP", { gapSeconds: Math.round(passed.gapMs / 1_000), nextAt, until });
    }
    default:
      return rule(passed.by, { used: passed.used, limit: passed.limit, until });
  }
}

/** The health band of a mailbox and its numbers, as the values of a rule. */
export function bandValues(health: MailboxHealth | null): Record<string, Value> {
  if (health === null) return {};
  const { band, step, since, measure, numerator, denominator, threshold } = health;
  return { band, step, since: formatInstant(since), measure, numerator, denominator, threshold };
}

function whyClosed(calendar: Calendar, from: number, until: string): Rule {
  const { zone, windows, workday = null, closedDates, startAt = null } = calendar;
  if (startAt !== null && startAt > from) return rule("BEFORE_START", { startAt: formatInstant(startAt), until });
  const date = localDate(from, zone);
  if (closedDates?.has(date)) return rule("HOLIDAY", { date, until });
  if (workday !== null && isOpen({ ...calendar, workday: null }, from)) {
    const hours = `${workday.from}-${workday.to}`;
    return rule("MAILBOX_WORKDAY", { until, zone: workday.timezone, days: workday.days.map(String), hours });
  }
  const hours = windows.map(({ days, from: opens, to }) => `${days.join("")} ${opens}-${to}`);
  return rule("WINDOW_CLOSED", { until, zone, windows: hours });
}
