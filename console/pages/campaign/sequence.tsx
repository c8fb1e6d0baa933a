import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { useView } from "../../kit/view.ts";
import { sequenceWords as says } from "../../words/en/sequence.ts";
import { History } from "./history.tsx";
import type { Campaign } from "./reads.ts";
import { StepShown } from "./step.tsx";

const EVERY_MS = 30_000;
/** Up to this many variants in the whole sequence are expanded at first. */
const MOST_OPEN = 6;

/** The sequence of a campaign: the steps and their texts, the results of each step, and the history of edits. */
export function Sequence({ campaign }: { campaign: Campaign }) {
  return (
    <>
      <Steps campaign={campaign} />
      <History campaign={campaign} />
    </>
  );
}

function Steps({ campaign: { id: campaignId, status } }: { campaign: Campaign }) {
  const { data, refusal, again } = useCall("get /campaigns/:campaignId/sequence", { campaignId }, { every: EVERY_MS });
  const results = useCall("get /campaigns/:campaignId/experiment", { campaignId }, { every: EVERY_MS });
  if (data === undefined)
    return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  const { steps } = data;
  const isOpen = steps.reduce((sum, { variants }) => sum + variants.length, 0) <= MOST_OPEN;
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">{steps.length === 0 ? says.none : says.steps(steps.length)}</h2>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {results.refusal !== null && <RefusalAlert refusal={results.refusal} again={results.again} />}
      {steps.length === 0 && <NoSteps isArchived={status === "ARCHIVED"} />}
      {steps.map((step) => (
        <StepShown
          key={step.stepId}
          step={step}
          steps={steps}
          results={results.data?.steps.find(({ stepId }) => stepId === step.stepId) ?? null}
          isOpen={isOpen}
        />
      ))}
    </section>
  );
}

function NoSteps({ isArchived }: { isArchived: boolean }) {
  const may = useMay();
  const [, change] = useView(readNothing);
  return (
    <div className="empty">
      <p>{isArchived ? says.noneArchived : says.noneText}</p>
      {!isArchived && may("campaigns:write") && (
        <button type="button" className="primary" onClick={() => change({ view: "edit" })}>
          {says.write}
        </button>
      )}
    </div>
  );
}

function readNothing(): { view: string | null } {
  return { view: null };
}
