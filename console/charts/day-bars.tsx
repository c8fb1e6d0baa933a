import { activityWords } from "../words/en/why.ts";
import { formatCount, formatDay } from "../words/format.ts";
import { ChartTable } from "./chart-table.tsx";
import { scaleOf, useWidth } from "./scale.ts";

interface Series {
  name: string;
  /** One value for each day. */
  values: readonly number[];
}

interface DayBarsProps {
  title: string;
  days: readonly string[];
  /** The first series is drawn as bars, the others as lines over them. */
  series: readonly Series[];
}

const [HEIGHT, LEFT, BOTTOM, TOP] = [220, 44, 24, 10];
/** Pixels that the label of a day needs. */
const NAME = 80;
/** The widest bar in pixels, for charts of only a few days. */
const WIDEST = 48;
/** Pixels between the points of several series on a single day. */
const NUDGE = 14;

/** A chart of numbers by day, with a table of the numbers below it. */
export function DayBars({ title, days, series }: DayBarsProps) {
  const [place, width] = useWidth();
  const most = Math.max(1, ...series.flatMap(({ values }) => values));
  const ticks = scaleOf(most);
  const top = ticks.at(-1) ?? 1;
  const slot = (width - LEFT) / days.length;
  const bar = Math.min(WIDEST, Math.max(1, slot * 0.7));
  const x = (index: number) => LEFT + slot * index;
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const [bars, ...lines] = series;
  const every = Math.ceil((days.length * NAME) / (width - LEFT));
  return (
    <figure className="chart" ref={place}>
      <figcaption className="legend">
        {series.map(({ name }, index) => (
          <span key={name} className={`key series-${index}`}>
            {name}
          </span>
        ))}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} height={HEIGHT} role="img" aria-label={title}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} className="grid" />
            <text x={LEFT - 6} y={y(tick) + 4} className="tick end">
              {formatCount(tick)}
            </text>
          </g>
        ))}
        {bars?.values.map((value, index) => (
          <rect
            key={days[index]}
            className="series-0"
            x={x(index) + (slot - bar) / 2}
            y={y(value)}
            width={bar}
            height={y(0) - y(value)}
          />
        ))}
        {lines.map(({ name, values }, index) => (
          <g key={name} className={`series-${index + 1}`}>
            <polyline
              className={`line series-${index + 1}`}
              points={values.map((value, day) => `${x(day) + slot / 2},${y(value)}`).join(" ")}
            />
            {/* A single day cannot be drawn as a line */}
            {values.length === 1 && (
              <circle className="point" cx={x(0) + slot / 2 + NUDGE * (index - 1)} cy={y(values[0] ?? 0)} r="5" />
            )}
          </g>
        ))}
        {days.map((day, index) =>
          index % every === 0 ? (
            <text key={day} x={x(index) + slot / 2} y={HEIGHT - 6} className="tick">
              {formatDay(day)}
            </text>
          ) : null,
        )}
      </svg>
      <ChartTable
        title={title}
        heads={[activityWords.day, ...series.map(({ name }) => name)]}
        rows={days.map((day, index) => [
          formatDay(day),
          ...series.map(({ values }) => formatCount(values[index] ?? 0)),
        ])}
      />
    </figure>
  );
}
