import { DAY_MS } from "../../../domain/time/durations.ts";
import type { Out } from "../../api/call.ts";
import { now } from "../../api/clock.ts";
import { useCall } from "../../api/query.ts";
import { HourBars } from "../../charts/hour-bars.tsx";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Figures } from "../../kit/figures.tsx";
import { homeWords as says } from "../../words/en/home.ts";
import type { Mailbox } from "./reads.ts";

type Row = Out<"get /analytics/report">["rows"][number];
type Metric = "sent" | "replied" | "positiveReplies";
const EVERY_MS = 60_000;

interface TodayProps {
  mailboxes: readonly Mailbox[] | undefined;
  /** The time zone of the workspace; undefined until it is known. */
  zone: string | undefined;
}

/** Emails sent today, of the daily limits, and the replies; by hour, and compared with yesterday at the same time. */
export function Today({ mailboxes, zone }: TodayProps) {
  const at = now();
  const [today, yesterday] = [momentIn(zone, at), momentIn(zone, at - DAY_MS)];
  const input = {
    from: yesterday.date,
    to: today.date,
    groupBy: "HOUR_OF_WEEK" as const,
    metrics: "sent,replied,positiveReplies",
  };
  const report = useCall("get /analytics/report", input, { every: EVERY_MS, isOff: zone === undefined });
  const rows = new Map(report.data?.rows.map((row) => [row.key, row]));
  const hoursOf = (weekday: string, metric: Metric) => HOURS.map((hour) => countOf(rows, `${weekday}-${hour}`, metric));
  const figureOf = (name: string, metric: Metric) => {
    const hours = hoursOf(today.weekday, metric);
    const before = sumOf(hoursOf(yesterday.weekday, metric).slice(0, today.hour + 1));
    return {
      name,
      count: report.data === undefined ? undefined : sumOf(hours),
      ...(report.data !== undefined && { change: says.change(sumOf(hours), before) }),
      ...(metric === "replied" && { parts: hours.slice(0, today.hour + 1) }),
    };
  };
  const sending = (mailboxes ?? []).filter(({ status }) => status === "CONNECTED");
  const sent = sumOf((mailboxes ?? []).map(({ sentToday }) => sentToday?.total ?? 0));
  const limit = sumOf(sending.map(({ dailySendLimit }) => dailySendLimit));
  return (
    <section className="card" aria-labelledby="today">
      <h2 id="today">{says.today}</h2>
      {report.data === undefined && report.refusal !== null && (
        <RefusalAlert refusal={report.refusal} again={report.again} />
      )}
      <Figures
        figures={[
          { name: says.sent, count: mailboxes === undefined ? undefined : sent, share: says.ofLimit(limit) },
          figureOf(says.replies, "replied"),
          figureOf(says.positive, "positiveReplies"),
        ]}
      />
      {limit > 0 ? (
        <meter className="whole" aria-label={says.sentOf} min={0} max={limit} value={Math.min(sent, limit)} />
      ) : (
        mailboxes !== undefined && <p className="fine">{says.noMailbox}</p>
      )}
      {report.data !== undefined && (
        <>
          <h3>{says.byHour}</h3>
          <HourBars title={says.byHour} counted={says.sent} hours={hoursOf(today.weekday, "sent")} />
        </>
      )}
    </section>
  );
}

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));

function countOf(rows: ReadonlyMap<string | null, Row>, key: string, metric: Metric): number {
  return rows.get(key)?.[metric] ?? 0;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

interface Moment {
  /** Such as 2026-11-24. */
  date: string;
  /** As in the keys of the report: MON. */
  weekday: string;
  hour: number;
}

/** The date, weekday and hour of an instant in a time zone; in UTC for a zone that this browser does not know. */
function momentIn(zone: string | undefined, at: number): Moment {
  const format = formatIn(zone ?? "UTC") ?? formatIn("UTC");
  const parts = new Map(format?.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? "";
  return {
    date: `${part("year")}-${part("month")}-${part("day")}`,
    weekday: part("weekday").toUpperCase(),
    hour: Number(part("hour")),
  };
}

function formatIn(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      weekday: "short",
      hour: "2-digit",
      hourCycle: "h23",
    });
  } catch {
    return null;
  }
}
