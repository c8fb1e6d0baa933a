import { DAY_MS } from "../../domain/time/durations.ts";
import { chartWords as says } from "../words/en/charts.ts";
import { formatCount } from "../words/format.ts";
import { ChartTable } from "./chart-table.tsx";
import { useWidth } from "./scale.ts";

interface WeekHeatProps {
  title: string;
  /** What the chart counts, such as "replies". */
  counted: (count: number) => string;
  /** A row for each weekday from Monday on, with a number for each hour. */
  week: readonly (readonly number[])[];
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const [LEFT, TOP, HIGHEST] = [44, 20, 30];

/** A chart of a number for each hour of the week: the higher the number, the larger and darker the square. */
export function WeekHeat({ title, counted, week }: WeekHeatProps) {
  const [place, width] = useWidth();
  const most = Math.max(1, ...week.flat());
  const slot = (width - LEFT) / HOURS.length;
  const row = Math.min(HIGHEST, Math.max(16, slot));
  const height = TOP + row * week.length;
  const every = slot < 24 ? 6 : 3;
  const side = (count: number) => (count === 0 ? 0 : Math.max(4, (Math.min(slot, row) - 2) * Math.sqrt(count / most)));
  const at = (day: number, hour: number) => says.at(formatWeekdayFully(day), formatHour(hour));
  const peak = week
    .flatMap((hours, day) => hours.map((count, hour) => ({ day, hour, count })))
    .toSorted((a, b) => b.count - a.count)[0];
  const best =
    peak === undefined || peak.count === 0 ? says.nothing : says.most(at(peak.day, peak.hour), counted(peak.count));
  return (
    <figure className="chart" ref={place}>
      <figcaption>{best}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} height={height} role="img" aria-label={`${title}. ${best}`}>
        {HOURS.filter((hour) => hour % every === 0).map((hour) => (
          <text key={hour} x={LEFT + slot * hour} y={TOP - 6} className="tick start">
            {formatHour(hour)}
          </text>
        ))}
        {week.map((hours, day) => (
          <g key={formatWeekday(day)}>
            <text x={LEFT - 8} y={TOP + row * (day + 0.5) + 4} className="tick end">
              {formatWeekday(day)}
            </text>
            <line x1={LEFT} x2={width} y1={TOP + row * (day + 1)} y2={TOP + row * (day + 1)} className="grid" />
            {hours.map((count, hour) => (
              <rect
                key={HOURS[hour]}
                className="series-0"
                opacity={0.55 + 0.45 * (count / most)}
                x={LEFT + slot * (hour + 0.5) - side(count) / 2}
                y={TOP + row * (day + 0.5) - side(count) / 2}
                width={side(count)}
                height={side(count)}
              >
                <title>{`${at(day, hour)}: ${counted(count)}`}</title>
              </rect>
            ))}
          </g>
        ))}
      </svg>
      <ChartTable
        title={title}
        heads={[says.hour, ...week.map((_, day) => formatWeekday(day))]}
        rows={HOURS.map((hour) => [formatHour(hour), ...week.map((hours) => formatCount(hours[hour] ?? 0))])}
      />
    </figure>
  );
}

const LANGUAGE = "en";
/** A Monday, in the time zone in which the days below are read. */
const MONDAY = Date.UTC(2024, 0, 1);
const short = new Intl.DateTimeFormat(LANGUAGE, { weekday: "short", timeZone: "UTC" });
const full = new Intl.DateTimeFormat(LANGUAGE, { weekday: "long", timeZone: "UTC" });

/** "Mon" for 0. */
function formatWeekday(day: number): string {
  return short.format(MONDAY + day * DAY_MS);
}

function formatWeekdayFully(day: number): string {
  return full.format(MONDAY + day * DAY_MS);
}

/** "09:00". */
function formatHour(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}
