import { useWrite } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { StepHeading } from "../../kit/page.tsx";
import { To } from "../../kit/to.tsx";
import { importWords as says } from "../../words/en/leads/import.ts";
import { wordFor } from "../../words/states.ts";
import { Counts } from "./check-step.tsx";
import { Faulted, Problems } from "./problems.tsx";
import { isCheck, type Job, summaryIn, useJob } from "./reads.ts";
import { RunningImport } from "./running.tsx";
import { UndoButton, Undone } from "./undo.tsx";

interface ProgressStepProps {
  jobId: string;
  listId: string | null;
  campaignId: string | null;
  /** The job that undoes the import. */
  undoId: string | null;
  onUndo: (undoId: string) => void;
  onAgain: () => void;
}

/** A running import with its progress, and its result once it has ended. Its id is in the URL. */
export function ProgressStep({ jobId, ...after }: ProgressStepProps) {
  const { data: job, refusal, again, isDone } = useJob(jobId);
  if (job === undefined)
    return (
      <>
        <StepHeading>{says.importing}</StepHeading>
        {refusal === null ? (
          <Looking isLooking={true} />
        ) : refusal.code === "JOB_NOT_FOUND" ? (
          <Lost onAgain={after.onAgain} />
        ) : (
          <RefusalAlert refusal={refusal} again={again} />
        )}
      </>
    );
  return (
    <section className="wizard">
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {isDone && isCheck(job) ? (
        <Checked job={job} onAgain={after.onAgain} />
      ) : isDone ? (
        <Ended job={job} {...after} />
      ) : (
        <Running job={job} onCancelled={again} />
      )}
    </section>
  );
}

function Lost({ onAgain }: { onAgain: () => void }) {
  return (
    <>
      <p>{says.lost}</p>
      <button type="button" onClick={onAgain}>
        {says.again}
      </button>
    </>
  );
}

function Running({ job, onCancelled }: { job: Job; onCancelled: () => void }) {
  const cancel = useWrite("post /leads/import/:jobId/cancel", { renews: ["get /leads/import/:jobId", "get /jobs"] });
  const texts = { ...says, title: says.importing, progress: says.importProgress, done: says.imported };
  return (
    <RunningImport
      job={job}
      texts={texts}
      cancel={{ ...cancel, run: () => cancel.run({ jobId: job.id }) }}
      onCancelled={onCancelled}
    />
  );
}

/** A check that was opened by its URL. It imported nothing, so there is nothing to undo. */
function Checked({ job, onAgain }: { job: Job; onAgain: () => void }) {
  const summary = summaryIn(job);
  return (
    <>
      <StepHeading>{wordFor(says.checkEndTitle, job.status)}</StepHeading>
      <Faulted job={job} />
      <p role="status">{says.checkOnly}</p>
      {summary !== null && <Counts summary={summary} />}
      <div className="buttons">
        <button type="button" onClick={onAgain}>
          {says.again}
        </button>
      </div>
      {summary !== null && <Problems summary={summary} items={job.items} fileName={job.fileName ?? ""} />}
    </>
  );
}

function Ended({ job, listId, campaignId, undoId, onUndo, onAgain }: { job: Job } & Omit<ProgressStepProps, "jobId">) {
  const summary = summaryIn(job);
  return (
    <>
      <StepHeading>{wordFor(says.endTitle, job.status)}</StepHeading>
      <Faulted job={job} />
      {summary !== null && (
        <>
          <p role="status">
            {says.result(summary.created, summary.updated)} {listId !== null && says.toList(summary.membershipsAdded)}
          </p>
          <Counts summary={summary} />
        </>
      )}
      {undoId !== null && <Undone undoId={undoId} />}
      {campaignId !== null && listId !== null && <p>{says.campaignHint}</p>}
      <div className="buttons">
        {summary !== null && summary.created > 0 && undoId === null && (
          <UndoButton jobId={job.id} created={summary.created} onStarted={onUndo} />
        )}
        <button type="button" onClick={onAgain}>
          {says.again}
        </button>
        {campaignId !== null && (
          <To page="/campaigns/$campaignId" ids={{ campaignId }} view={{ part: "recipients" }} className="button">
            {says.toCampaign}
          </To>
        )}
        <To page="/leads" view={listId === null ? {} : { list: listId }} className="button primary">
          {listId === null ? says.seeLeads : says.seeList}
        </To>
      </div>
      {summary !== null && <Problems summary={summary} items={job.items} fileName={job.fileName ?? ""} />}
    </>
  );
}
