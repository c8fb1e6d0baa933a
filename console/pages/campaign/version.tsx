import { useCall } from "../../api/query.ts";
import { Notice, RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { When } from "../../kit/when.tsx";
import { historyWords as says } from "../../words/en/edits.ts";
import type { Campaign } from "./reads.ts";
import { StepShown } from "./step.tsx";

/** The steps of a campaign as a version had them, beside which version the campaign runs. */
export function VersionShown({ campaign: { id: campaignId, version: newest }, version }: { campaign: Campaign; version: number }) {
  const { data, refusal, again } = useCall("get /campaigns/:campaignId/versions/:version", { campaignId, version });
  // The version of a campaign grows with its status too: the service answers with the edit that made the sequence
  const running = useCall("get /campaigns/:campaignId/versions/:version", { campaignId, version: newest });
  if (data === undefined) return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  const isRunning = running.data?.version === data.version;
  return (
    <section aria-label={says.steps(version)}>
      <Notice kind={isRunning ? "plain" : "attention"}>
        <p>
          {says.from(data.version)} <When at={data.at} />.{" "}
          {isRunning ? says.running : running.data !== undefined && says.runs(running.data.version)}
        </p>
      </Notice>
      {running.refusal !== null && <RefusalAlert refusal={running.refusal} again={running.again} />}
      {data.steps.length === 0 && <p>{says.noSteps}</p>}
      {data.steps.map((step) => (
        <StepShown key={step.stepId} step={step} steps={data.steps} results={null} isOpen={false} version={version} />
      ))}
    </section>
  );
}
