import { Intervals } from "../../charts/intervals.tsx";
import { Scrolling } from "../../kit/scrolling.tsx";
import { figureWords as says, variantWords } from "../../words/en/sequence.ts";
import { formatCount, formatShare } from "../../words/format.ts";
import { Opens } from "./opens.tsx";
import type { StepResults } from "./reads.ts";

type Variant = StepResults["variants"][number];
/** With more variants than this, the figures are collapsed at first. */
const LISTED = 4;

/** The variants of a step with their rates, the confidence intervals, and whether a winner is proven. */
export function StepFigures({ step }: { step: StepResults }) {
  const { order, variants } = step;
  if (variants.every(({ contacted }) => contacted === 0)) return <p className="fine">{says.none}</p>;
  if (variants.length <= LISTED) return <Shown step={step} />;
  return (
    <Opens summary={() => says.title(order)}>
      <Shown step={step} />
    </Opens>
  );
}

function Shown({ step }: { step: StepResults }) {
  const { order, code, variants, metric } = step;
  const measured = known(variants);
  const rate = says.rate[metric];
  return (
    <>
      <p>{says.codes[code]}</p>
      {measured.length > 0 && (
        <Intervals title={says.compared(order, rate)} intervals={measured} format={formatOf(metric)} />
      )}
      <Scrolling label={says.title(order)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{says.variant}</th>
              {[says.share, says.people, says.judged, says.hits[metric]].map((head) => (
                <th key={head} scope="col" className="number">
                  {head}
                </th>
              ))}
              <th scope="col">{rate}</th>
            </tr>
          </thead>
          <tbody>
            {variants.map((variant) => (
              <VariantRow key={variant.variantId} step={step} variant={variant} />
            ))}
          </tbody>
        </table>
      </Scrolling>
    </>
  );
}

function VariantRow({
  step: { betterVariantId, winnerVariantId, metric },
  variant,
}: {
  step: StepResults;
  variant: Variant;
}) {
  const { variantId, label, share, contacted, judged, hits, result } = variant;
  return (
    <tr>
      <th scope="row">
        {label}
        {variantId === betterVariantId && <span className="fine"> {says.better}</span>}
        {variantId === winnerVariantId && <span className="fine"> {variantWords.winner}</span>}
      </th>
      <td className="number">{formatShare(share)}</td>
      <td className="number">{formatCount(contacted)}</td>
      <td className="number">{formatCount(judged)}</td>
      <td className="number">{hits === null ? "–" : formatCount(hits)}</td>
      <td>{shownRate(result, formatOf(metric))}</td>
    </tr>
  );
}

/** A rate with its confidence interval as text. */
function shownRate({ value, low, high }: Variant["result"], shown: (value: number) => string): string {
  return value === null || low === null || high === null ? "–" : says.interval(shown(value), shown(low), shown(high));
}

/** The variants that have figures so far, as a chart. */
function known(variants: readonly Variant[]) {
  return variants.flatMap(({ label, result: { value, low, high } }) =>
    value === null || low === null || high === null ? [] : [{ name: label, value, low, high }],
  );
}

function formatOf(metric: StepResults["metric"]): (value: number) => string {
  return metric === "REVENUE" ? formatAmount : formatShare;
}

function formatAmount(amount: number): string {
  return amount.toFixed(2);
}
