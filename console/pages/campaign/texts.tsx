import type { Out } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { Intervals } from "../../charts/intervals.tsx";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Scrolling } from "../../kit/scrolling.tsx";
import { textWords as says } from "../../words/en/why.ts";
import { formatCount, formatShare } from "../../words/format.ts";

type Step = Out<"get /campaigns/:campaignId/experiment">["steps"][number];
type Variant = Step["variants"][number];
const EVERY_MS = 30_000;

/** The variants of each step beside each other, with where their rates may lie and what may be said of them. */
export function Texts({ campaignId }: { campaignId: string }) {
  const { data, refusal, again } = useCall("get /campaigns/:campaignId/experiment", { campaignId }, { every: EVERY_MS });
  if (data === undefined) return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  return (
    <section aria-labelledby="texts">
      <h2 id="texts">{says.title}</h2>
      {data.steps.length === 0 && <p>{says.none}</p>}
      {data.steps.map((step) => (
        <StepShown key={step.stepId} step={step} />
      ))}
    </section>
  );
}

function StepShown({ step }: { step: Step }) {
  const { order, code, variants, metric } = step;
  const measured = known(variants);
  return (
    <>
      <h3>{says.step(order)}</h3>
      <p>{says.codes[code]}</p>
      {measured.length > 0 && <Intervals title={says.compared(order)} intervals={measured} format={formatOf(metric)} />}
      <Scrolling label={says.step(order)}>
        <table>
          <thead>
            <tr>
              <th scope="col">{says.variant}</th>
              {[says.share, says.people, says.judged, says.hits].map((head) => (
                <th key={head} scope="col" className="number">
                  {head}
                </th>
              ))}
              <th scope="col">{says.rate}</th>
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

function VariantRow({ step: { betterVariantId, winnerVariantId, metric }, variant }: { step: Step; variant: Variant }) {
  const { variantId, label, share, contacted, judged, hits, result } = variant;
  return (
    <tr>
      <th scope="row">
        {label}
        {variantId === betterVariantId && <span className="fine"> {says.better}</span>}
        {variantId === winnerVariantId && <span className="fine"> {says.chosen}</span>}
      </th>
      <td className="number">{formatShare(share)}</td>
      <td className="number">{formatCount(contacted)}</td>
      <td className="number">{formatCount(judged)}</td>
      <td className="number">{hits === null ? "–" : formatCount(hits)}</td>
      <td>{shownRate(result, formatOf(metric))}</td>
    </tr>
  );
}

/** A rate with where it may lie, in words. */
function shownRate({ value, low, high }: Variant["result"], shown: (value: number) => string): string {
  return value === null || low === null || high === null ? "–" : says.interval(shown(value), shown(low), shown(high));
}

/** The variants of which something is known yet, as a picture. */
function known(variants: readonly Variant[]) {
  return variants.flatMap(({ label, result: { value, low, high } }) =>
    value === null || low === null || high === null ? [] : [{ name: label, value, low, high }],
  );
}

function formatOf(metric: Step["metric"]): (value: number) => string {
  return metric === "REVENUE" ? formatAmount : formatShare;
}

function formatAmount(amount: number): string {
  return amount.toFixed(2);
}
