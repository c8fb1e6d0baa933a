import { useState } from "react";
import { isUnderWay, JOB_STATUSES, JOB_TYPES } from "../../domain/job.ts";
import type { ItemOf, Out } from "../api/call.ts";
import { useCall, useWrite } from "../api/query.ts";
import { RefusalAlert } from "../kit/alert.tsx";
import { FilterSelect } from "../kit/field.tsx";
import { Looking } from "../kit/looking.tsx";
import { Empty, Page } from "../kit/page.tsx";
import { Scrolling } from "../kit/scrolling.tsx";
import { type Act, type Column, Table } from "../kit/table.tsx";
import { To } from "../kit/to.tsx";
import { say } from "../kit/toast.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useSort, useView } from "../kit/view.ts";
import { When } from "../kit/when.tsx";
import { faultInWords } from "../words/codes.ts";
import { JOB_STATUS, JOB_TYPE, jobWords as says } from "../words/en/jobs.ts";
import { nouns } from "../words/en/nouns.ts";
import { words } from "../words/en.ts";
import { formatCount, formatInstant } from "../words/format.ts";
import { wordFor } from "../words/states.ts";

type Job = ItemOf<"get /jobs">;
type JobWhole = Out<"get /jobs/:jobId">;
/** Milliseconds between reads while a job is running, and while none is: another person may start one. */
const EVERY_MS = 2_000;
const SELDOM_MS = 20_000;
/** How many rows of a job are shown; the server stores a thousand. */
const SHOWN = 100;

function readView(raw: Raw) {
  return {
    ...readPaged(raw),
    status: oneOf(JOB_STATUSES, raw["status"]),
    type: oneOf(JOB_TYPES, raw["type"]),
    open: raw["open"] ?? null,
  };
}

/** The jobs, such as imports: progress, result, and a button to stop each. */
export function Jobs() {
  const [{ page, status, type, open }, change] = useView(readView);
  const [isMoving, setMoving] = useState(false);
  const order = useSort({ served: ["createdAt"] });
  const input = {
    page,
    pageSize: PAGE_SIZE,
    sort: order.asked,
    ...(status !== null && { status }),
    ...(type !== null && { type }),
  };
  const jobs = useCall("get /jobs", input, { every: isMoving ? EVERY_MS : SELDOM_MS });
  const moves = jobs.data?.items.some(({ status }) => isUnderWay(status)) === true;
  if (moves !== isMoving) setMoving(moves);
  const cancel = useWrite("post /jobs/:jobId/cancel", { renews: ["get /jobs", "get /jobs/:jobId"] });
  const stop = async ({ id: jobId }: Job) => {
    const answer = await cancel.run({ jobId });
    if (answer !== null) say(says.saidCancelled);
    return answer;
  };
  const actsOf = ({ status, progress: { processed, total } }: Job): Act<Job>[] => {
    if (!isUnderWay(status)) return [];
    const effect = <p>{says.cancelEffect(processed, total)}</p>;
    return [{ name: says.cancel, act: says.cancelAct, effect, isDangerous: true, run: stop, refusal: cancel.refusal }];
  };
  const columns: Column<Job>[] = [
    {
      head: says.what,
      by: "type",
      sortKey: ({ type }) => JOB_TYPE[type],
      cell: ({ type, fileName }) => (
        <>
          {JOB_TYPE[type]}
          {fileName !== null && <span className="fine"> {fileName}</span>}
        </>
      ),
    },
    {
      head: says.state,
      by: "status",
      sortKey: ({ status }) => JOB_STATUS[status],
      cell: ({ status }) => <span className={`mark ${MARK[status]}`}>{JOB_STATUS[status]}</span>,
    },
    { head: says.progress, cell: (job) => <Progress job={job} /> },
    { head: says.begun, by: "createdAt", isDownFirst: true, cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      head: says.ended,
      by: "finishedAt",
      isDownFirst: true,
      sortKey: ({ finishedAt }) => finishedAt,
      cell: ({ finishedAt }) => (finishedAt === null ? "–" : <When at={finishedAt} />),
    },
    {
      head: says.details,
      cell: ({ id, type, createdAt }) => (
        <button
          type="button"
          aria-expanded={open === id}
          aria-label={(open === id ? says.hideOf : says.showOf)(JOB_TYPE[type], formatInstant(createdAt))}
          onClick={() => change({ open: open === id ? null : id, page })}
        >
          {open === id ? says.hide : says.show}
        </button>
      ),
    },
  ];
  return (
    <Page title={says.title} subtitle={says.lead}>
      <div className="filters">
        <FilterSelect
          label={says.filterType}
          name="type"
          value={type}
          values={JOB_TYPES}
          texts={JOB_TYPE}
          onPick={(value) => change({ type: value, open: null })}
        />
        <FilterSelect
          label={says.filterState}
          name="status"
          value={status}
          values={JOB_STATUSES}
          texts={JOB_STATUS}
          onPick={(value) => change({ status: value, open: null })}
        />
      </div>
      <Table
        label={says.title}
        nouns={nouns.jobs}
        rows={jobs}
        order={order}
        columns={columns}
        empty={
          <Empty text={says.empty}>
            <To page="/leads" className="button">
              {words.navigation.leads}
            </To>
          </Empty>
        }
        onClear={status !== null || type !== null ? () => change({ status: null, type: null }) : undefined}
        acts={actsOf}
        opened={{ id: open, show: ({ id }) => <JobShown jobId={id} isMoving={isMoving} /> }}
        onPage={(next) => change({ page: next, open: null })}
      />
    </Page>
  );
}

const MARK: Record<Job["status"], string> = {
  QUEUED: "waits",
  RUNNING: "waits",
  COMPLETED: "good",
  COMPLETED_WITH_ERRORS: "waits",
  FAILED: "bad",
  CANCELLED: "rests",
};

function Progress({ job: { type, status, progress } }: { job: Job }) {
  const { total, processed, failed } = progress;
  return (
    <>
      {isUnderWay(status) && total > 0 && (
        <progress value={processed} max={total} aria-label={says.progressOf(JOB_TYPE[type])} />
      )}{" "}
      {says.of(processed, total)}
      {failed > 0 && <span className="fine"> {says.failedRows(failed)}</span>}
    </>
  );
}

/** One job with the results of its first rows. */
function JobShown({ jobId, isMoving }: { jobId: string; isMoving: boolean }) {
  const { data, refusal, again } = useCall("get /jobs/:jobId", { jobId }, isMoving ? { every: EVERY_MS } : {});
  if (data === undefined)
    return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  const { error, result, items, type } = data;
  const facts = Object.entries(result ?? {}).filter(([, value]) => typeof value !== "object");
  return (
    <>
      {error !== null && (
        <p>
          <strong>{says.error}</strong> {faultInWords(error)} <code>{error.code}</code>
        </p>
      )}
      {facts.length > 0 && (
        <>
          <h2>{says.result}</h2>
          <dl className="pairs">
            {facts.map(([name, value]) => (
              <div key={name} className="pair">
                <dt>{inWords(name)}</dt>
                <dd>{typeof value === "number" ? formatCount(value) : String(value)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {type === "LEAD_IMPORT" && result?.["action"] === "commit" && (
        <p>
          <To page="/leads/import" view={{ job: jobId }}>
            {says.openImport}
          </To>
        </p>
      )}
      <h2>{says.rows}</h2>
      {items.length === 0 ? <p>{says.noRows}</p> : <Rows items={items} />}
    </>
  );
}

/** A field name of the API, such as `createdCount`, as words: "created count". */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function Rows({ items }: { items: JobWhole["items"] }) {
  return (
    <Scrolling label={says.rows}>
      <table>
        <thead>
          <tr>
            <th scope="col">{says.row}</th>
            <th scope="col">{says.address}</th>
            <th scope="col">{says.outcome}</th>
            <th scope="col">{says.why}</th>
          </tr>
        </thead>
        <tbody>
          {items.slice(0, SHOWN).map(({ row, email, status, message }) => (
            <tr key={row}>
              <th scope="row">{formatCount(row)}</th>
              <td data-head={says.address}>{email ?? "–"}</td>
              <td data-head={says.outcome}>{wordFor(says.rowStatus, status)}</td>
              <td data-head={says.why}>{message ?? ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
