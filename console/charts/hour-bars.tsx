import { chartWords as says } from "../words/en/charts.ts";
import { formatCount } from "../words/format.ts";
import { ChartTable } from "./chart-table.tsx";
import { scaleOf, useWidth } from "./scale.ts";

interface HourBarsProps {
  title: string;
  /** What a bar counts, such as "Emails sent". */
  counted: string;
  /** One number for each hour of a day. */
  hours: readonly number[];
}

const [HEIGHT, LEFT, BOTTOM, TOP] = [120, 32, 20, 8];
/** Hours between two labels. */
const EVERY = 6;

/** A chart of a number by the hours of one day, with a table of the numbers below it. */
export function HourBars({ title, counted, hours }: HourBarsProps) {
  const [place, width] = useWidth();
  const ticks = scaleOf(Math.max(1, ...hours));
  const top = ticks.at(-1) ?? 1;
  const slot = (width - LEFT) / hours.length;
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const names = hours.map((_, hour) => `${String(hour).padStart(2, "0")}:00`);
  return (
    <figure className="chart" ref={place}>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} height={HEIGHT} role="img" aria-label={title}>
        {[0, top].map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} className="grid" />
            <text x={LEFT - 6} y={y(tick) + 4} className="tick end">
              {formatCount(tick)}
            </text>
          </g>
        ))}
        {hours.map((value, hour) => (
          <rect
            key={names[hour]}
            className="series-0"
            x={LEFT + slot * hour + 1}
            y={y(value)}
            width={Math.max(1, slot - 2)}
            height={y(0) - y(value)}
          />
        ))}
        {names.map((name, hour) =>
          hour % EVERY === 0 ? (
            <text key={name} x={LEFT + slot * hour} y={HEIGHT - 4} className="tick start">
              {name}
            </text>
          ) : null,
        )}
      </svg>
      <ChartTable
        title={title}
        heads={[says.hour, counted]}
        rows={hours.map((value, hour) => [names[hour] ?? "", formatCount(value)])}
      />
    </figure>
  );
}
