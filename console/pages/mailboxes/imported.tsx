import { useRenewal, useWrite } from "../../api/query.ts";
import { saveTable } from "../../api/save-file.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Given } from "../../kit/given.tsx";
import { Looking } from "../../kit/looking.tsx";
import { StepHeading } from "../../kit/page.tsx";
import { Scrolling } from "../../kit/scrolling.tsx";
import { To } from "../../kit/to.tsx";
import { faultInWords } from "../../words/codes.ts";
import { importWords as says } from "../../words/en/mailboxes/import.ts";
import { formatCount } from "../../words/format.ts";
import { wordFor } from "../../words/states.ts";
import { type Job, useJob } from "../leads-import/reads.ts";
import { RunningImport } from "../leads-import/running.tsx";

interface ImportedProps {
  jobId: string;
  onAgain: () => void;
}

/** A running import of mailboxes with its progress, and its result once it has ended. */
export function ImportedMailboxes({ jobId, onAgain }: ImportedProps) {
  const { data: job, refusal, again, isDone } = useJob(jobId, "get /mailboxes/import/:jobId");
  useRenewal(isDone, ["get /mailboxes"]);
  if (refusal?.code === "JOB_NOT_FOUND")
    return (
      <>
        <p>{says.lost}</p>
        <button type="button" onClick={onAgain}>
          {says.again}
        </button>
      </>
    );
  return (
    <section className="wizard">
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {job === undefined && <Looking isLooking={refusal === null} />}
      {job !== undefined && !isDone && <Running job={job} onCancelled={again} />}
      {job !== undefined && isDone && <Ended job={job} onAgain={onAgain} />}
    </section>
  );
}

function Running({ job, onCancelled }: { job: Job; onCancelled: () => void }) {
  const cancel = useWrite("post /mailboxes/import/:jobId/cancel", { renews: ["get /jobs"] });
  return (
    <RunningImport
      job={job}
      texts={says.running}
      cancel={{ ...cancel, run: () => cancel.run({ jobId: job.id }) }}
      onCancelled={onCancelled}
    />
  );
}

function Ended({ job: { status, error, result, progress, items }, onAgain }: { job: Job; onAgain: () => void }) {
  const failed = items
    .filter((item) => item.status === "FAILED")
    .map(({ row, email, code, message }) => ({
      row,
      email,
      text: code === null ? "" : faultInWords({ code, message: message ?? "" }),
    }));
  const countOf = (name: string) => (typeof result?.[name] === "number" ? result[name] : 0);
  const save = () =>
    saveTable(says.downloadName, [
      [says.row, says.address, says.reason],
      ...failed.map(({ row, email, text }) => [row, email ?? "", text]),
    ]);
  return (
    <>
      <StepHeading>{wordFor(says.endTitle, status)}</StepHeading>
      {error !== null && (
        <div className="alert bad" role="alert">
          <p>{faultInWords(error)}</p>
        </div>
      )}
      <p role="status">
        {says.counts(countOf("created"), countOf("updated"))}{" "}
        {countOf("skipped") > 0 && says.skipped(countOf("skipped"))}
      </p>
      {failed.length > 0 && (
        <>
          <p>
            {says.failed(progress.failed)} {progress.failed > failed.length && says.firstListed(failed.length)}
          </p>
          <Rows label={says.reason} rows={failed} />
        </>
      )}
      <div className="buttons">
        {failed.length > 0 && (
          <button type="button" onClick={save}>
            {says.download}
          </button>
        )}
        <button type="button" onClick={onAgain}>
          {says.again}
        </button>
        <To page="/mailboxes" className="button primary">
          {says.toMailboxes}
        </To>
      </div>
    </>
  );
}

interface RowsProps {
  /** The head of the last column. */
  label: string;
  rows: readonly { row: number; email: string | null; text: string }[];
}

/** Rows of a file with what happened to each. */
export function Rows({ label, rows }: RowsProps) {
  return (
    <Scrolling label={label}>
      <table className="cards">
        <thead>
          <tr>
            <th scope="col">{says.row}</th>
            <th scope="col">{says.address}</th>
            <th scope="col">{label}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, email, text }) => (
            <tr key={row}>
              <th scope="row" className="row-number">
                {formatCount(row)}
              </th>
              <td data-head={says.address}>
                <Given isShort>{email ?? "–"}</Given>
              </td>
              <td data-head={label}>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
