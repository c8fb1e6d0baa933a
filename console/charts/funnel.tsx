import { chartWords as says } from "../words/en/charts.ts";
import { formatCount, formatShare } from "../words/format.ts";
import { ChartTable } from "./chart-table.tsx";
import { useWidth } from "./scale.ts";

export interface FunnelStep {
  name: string;
  value: number;
}

const [ROW, BAR, TEXT] = [44, 16, 16];

/** How many people reached each step: a bar for each step, with its number and its share of the step before. */
export function Funnel({ title, steps }: { title: string; steps: readonly FunnelStep[] }) {
  const [place, width] = useWidth();
  const most = Math.max(1, ...steps.map(({ value }) => value));
  const shares = sharesOf(steps);
  return (
    <figure className="chart" ref={place}>
      <svg viewBox={`0 0 ${width} ${ROW * steps.length}`} height={ROW * steps.length} role="img" aria-label={title}>
        {steps.map(({ name, value }, index) => (
          <g key={name}>
            <text x="0" y={ROW * index + TEXT} className="label">
              {`${name} ${formatCount(value)}`}
              <tspan className="tick start" dx="8">
                {shares[index] === undefined ? "" : says.ofBefore(shares[index])}
              </tspan>
            </text>
            <rect className="rest" x="0" y={ROW * index + TEXT + 6} width={width} height={BAR} />
            <rect className="series-0" x="0" y={ROW * index + TEXT + 6} width={(width * value) / most} height={BAR} />
          </g>
        ))}
      </svg>
      <ChartTable
        title={title}
        heads={[says.step, says.people, says.share]}
        rows={steps.map(({ name, value }, index) => [name, formatCount(value), shares[index] ?? "–"])}
      />
    </figure>
  );
}

/** Each step's share of the step before; null for the first step, and after a step with zero. */
function sharesOf(steps: readonly FunnelStep[]): (string | undefined)[] {
  return steps.map(({ value }, index) => {
    const before = steps[index - 1]?.value ?? 0;
    return before === 0 ? undefined : formatShare(value / before);
  });
}

const [LINE_WIDTH, LINE_HEIGHT] = [88, 20];

/**
 * A small funnel for a row of a list: a bar for each step with the numbers beside them; null while a number is missing.
 */
export function FunnelLine({ steps }: { steps: readonly { name: string; value: number | null }[] }) {
  const most = Math.max(1, ...steps.map(({ value }) => value ?? 0));
  const slot = LINE_WIDTH / steps.length;
  return (
    <span className="funnel-line">
      <svg viewBox={`0 0 ${LINE_WIDTH} ${LINE_HEIGHT}`} width={LINE_WIDTH} height={LINE_HEIGHT} aria-hidden="true">
        {steps.map(({ name, value }, index) => {
          const height = value === null || value === 0 ? 1 : Math.max(2, (LINE_HEIGHT * value) / most);
          return (
            <rect
              key={name}
              className="series-0"
              x={slot * index}
              y={LINE_HEIGHT - height}
              width={slot - 2}
              height={height}
            />
          );
        })}
      </svg>
      {steps.map(({ name, value }, index) => (
        <span key={name}>
          {index > 0 && <span aria-hidden="true"> › </span>}
          {value === null ? "–" : formatCount(value)}
          <span className="hidden"> {name} </span>
        </span>
      ))}
    </span>
  );
}
