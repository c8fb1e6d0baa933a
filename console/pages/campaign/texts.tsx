import type { Out } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
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
  const { order, code, variants } = step;
  return (
    <>
      <h3>{says.step(order)}</h3>
      <p>{says.codes[code]}</p>
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
  const { variantId, label, share, contacted, judged, hits } = variant;
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
      <td>
        <Interval result={variant.result} isShare={metric !== "REVENUE"} />
      </td>
    </tr>
  );
}

/** A rate with the bar of where it may lie; the same in words. */
function Interval({ result: { value, low, high }, isShare }: { result: Variant["result"]; isShare: boolean }) {
  if (value === null || low === null || high === null) return "–";
  const shown = isShare ? formatShare : (amount: number) => amount.toFixed(2);
  const x = (share: number) => Math.min(100, Math.max(0, share * 100));
  return (
    <>
      {isShare && (
        <svg viewBox="0 0 100 8" className="interval" aria-hidden="true">
          <line x1="0" x2="100" y1="4" y2="4" className="grid" />
          <rect x={x(low)} width={Math.max(1, x(high) - x(low))} y="2" height="4" className="series-0" />
          <circle cx={x(value)} cy="4" r="3" className="dot" />
        </svg>
      )}
      {says.interval(shown(value), shown(low), shown(high))}
    </>
  );
}
