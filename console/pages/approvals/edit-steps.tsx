import { Scrolling } from "../../kit/scrolling.tsx";
import { editPlanWords as says } from "../../words/en/edit-plan.ts";
import { STEP_TYPE, sequenceWords } from "../../words/en/sequence.ts";
import { formatCount } from "../../words/format.ts";
import { wordFor } from "../../words/states.ts";
import type { Edit } from "./reads.ts";

type StepPlan = Edit["steps"][number];

/**
 * A table of steps: how many recipients wait for each and how many get it, before and after the edit. On a phone, one
 * card per step.
 */
export function StepsOf({ steps }: { steps: readonly StepPlan[] }) {
  return (
    <Scrolling label={says.label}>
      <table className="cards">
        <thead>
          <tr>
            <th scope="col">{says.step}</th>
            {[says.waiting, says.get, says.gains, says.misses].map((head) => (
              <th key={head} scope="col" className="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <StepRow key={step.stepId} step={step} />
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function StepRow({ step }: { step: StepPlan }) {
  const { waitingBefore, waitingAfter, getBefore, getAfter, mayGetBefore, mayGetAfter, gains, misses, missesBecause } =
    step;
  const mayGet = mayGetBefore > 0 || mayGetAfter > 0;
  return (
    <tr>
      <th scope="row">
        <Place step={step} />
      </th>
      <td className="number" data-head={says.waiting}>
        {says.versus(waitingBefore, waitingAfter)}
      </td>
      <td className="number" data-head={says.get}>
        {says.versus(getBefore, getAfter)}
        {mayGet && <div className="fine">{says.perhaps(says.versus(mayGetBefore, mayGetAfter))}</div>}
      </td>
      <td className="number" data-head={says.gains}>
        {formatCount(gains)}
      </td>
      <td className="number" data-head={says.misses}>
        {formatCount(misses)}
        {missesBecause !== null && <div className="fine">{says.because[missesBecause]}</div>}
      </td>
    </tr>
  );
}

/** The position of a step after the edit, and before it. */
function Place({ step: { order, orderBefore, type } }: { step: StepPlan }) {
  const position = order ?? orderBefore;
  const note =
    order === null
      ? says.removed
      : orderBefore === null
        ? says.isNew
        : orderBefore === order
          ? null
          : says.wasStep(orderBefore);
  return (
    <>
      {position !== null && sequenceWords.step(position, wordFor(STEP_TYPE, type))}
      {note !== null && <span className="fine"> {note}</span>}
    </>
  );
}
