import { scaleOf, useWidth } from "./scale.ts";

interface Interval {
  name: string;
  value: number;
  low: number;
  high: number;
}

interface IntervalsProps {
  title: string;
  intervals: readonly Interval[];
  /** Formats a value for the axis. */
  format: (value: number) => string;
}

const [LEFT, RIGHT, ROW, AXIS] = [72, 16, 30, 22];
const LETTERS = 9;

/** A chart of values with their confidence intervals. The table below the chart has more details. */
export function Intervals({ title, intervals, format }: IntervalsProps) {
  const [place, width] = useWidth();
  const most = Math.max(0, ...intervals.map(({ high }) => high));
  // The scale works with whole numbers; a hundredth of a percent is precise enough for shares
  const ticks = scaleOf(Math.max(1, most * PARTS)).map((tick) => tick / PARTS);
  const top = ticks.at(-1) ?? 1;
  const x = (value: number) => LEFT + ((width - LEFT - RIGHT) * Math.max(0, value)) / top;
  const height = ROW * intervals.length + AXIS;
  return (
    <figure className="chart" ref={place}>
      <svg viewBox={`0 0 ${width} ${height}`} height={height} role="img" aria-label={title}>
        {ticks.map((tick, index) => (
          <g key={tick}>
            <line x1={x(tick)} x2={x(tick)} y1="0" y2={height - AXIS} className="grid" />
            {(width > 480 || index % 2 === 0) && (
              <text x={x(tick)} y={height - 6} className="tick">
                {format(tick)}
              </text>
            )}
          </g>
        ))}
        {intervals.map(({ name, value, low, high }, index) => {
          const y = ROW * (index + 0.5);
          return (
            <g key={name}>
              <text x={LEFT - 8} y={y + 4} className="tick end">
                {name.length > LETTERS ? `${name.slice(0, LETTERS - 1)}…` : name}
              </text>
              <rect className="series-0" x={x(low)} width={Math.max(2, x(high) - x(low))} y={y - 4} height="8" rx="4" />
              <circle className="dot" cx={x(value)} cy={y} r="6" />
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

const PARTS = 1_000;
