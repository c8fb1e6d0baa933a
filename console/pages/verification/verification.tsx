import badgeCheck from "lucide/dist/esm/icons/badge-check.mjs";
import { type ReactNode, useState } from "react";
import { isUnderWay } from "../../../domain/job.ts";
import { SCOPES } from "../../../domain/scopes.ts";
import { VERIFICATION_RESULTS } from "../../../domain/verification/results.ts";
import { useCall, useRead, useWrite } from "../../api/query.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { saveFile } from "../../api/save-file.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice, RefusalAlert } from "../../kit/alert.tsx";
import { Given } from "../../kit/given.tsx";
import { Empty, Page, Parts } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf, PAGE_SIZE, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { JOB_STATUS } from "../../words/en/jobs.ts";
import { RESULT_MEANING, verificationWords as says, VERIFICATION_SOURCE } from "../../words/en/leads/verification.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import { formatCount } from "../../words/format.ts";
import { JOBS, useLists, type VerificationJob } from "./reads.ts";
import { Schedules } from "./schedules.tsx";
import { Settings } from "./settings.tsx";
import { StartVerification } from "./start.tsx";

const PARTS = ["jobs", "schedules", "settings"] as const;
/** Milliseconds between reads while a verification runs, and while none does. */
const EVERY_MS = 3_000;
const SELDOM_MS = 30_000;

function readView(raw: Raw) {
  return { ...readPaged(raw), part: oneOf(PARTS, raw["part"]) ?? "jobs", list: raw["list"] ?? null };
}

/** Verifies addresses: the checks with their results, schedules of lists, and how sending uses the results. */
export function Verification() {
  const may = useMay();
  const [{ page, part, list }, change] = useView(readView);
  const isOff = !may("verification:read");
  const usage = useCall("get /verification/usage", {}, { isOff });
  // A link from a list opens the dialog with it
  const [isStarting, setStarting] = useState(list !== null);
  if (isOff)
    return (
      <Page title={says.title}>
        <Notice>{words.mayNot(SCOPES["verification:read"])}</Notice>
      </Page>
    );
  const start = may("leads:write") && (
    <button type="button" className="primary" onClick={() => setStarting(true)}>
      {says.start}
    </button>
  );
  return (
    <Page title={says.title} subtitle={says.lead} {...(start && { actions: start })}>
      {usage.data !== undefined && <p className="fine">{says.used(usage.data.used)}</p>}
      <Parts
        label={says.sections}
        parts={PARTS}
        names={says.parts}
        open={part}
        onOpen={(next) => change({ part: next })}
      />
      {part === "jobs" && <Checks page={page} start={start} onPage={(next) => change({ page: next })} />}
      {part === "schedules" && <Schedules page={page} onPage={(next) => change({ part, page: next })} />}
      {part === "settings" && <Settings />}
      {isStarting && start && (
        <StartVerification
          listId={list}
          onClose={() => {
            setStarting(false);
            change({ part, page, list: null });
          }}
        />
      )}
    </Page>
  );
}

function Checks({ page, start, onPage }: { page: number; start: ReactNode; onPage: (page: number) => void }) {
  const may = useMay();
  const order = useSort({ served: ["createdAt"] });
  const [isMoving, setMoving] = useState(false);
  const jobs = useCall(
    "get /verification/jobs",
    { page, pageSize: PAGE_SIZE, sort: order.asked },
    { every: isMoving ? EVERY_MS : SELDOM_MS },
  );
  const moves = jobs.data?.items.some(({ status }) => isUnderWay(status)) === true;
  if (moves !== isMoving) setMoving(moves);
  const { nameOf } = useLists();
  const { download, refusal } = useDownload();
  const cancel = useWrite("post /jobs/:jobId/cancel", { renews: JOBS });
  const stop = async ({ id: jobId }: VerificationJob) => {
    const answer = await cancel.run({ jobId });
    if (answer !== null) say(says.saidCancelled);
    return answer;
  };
  const mayCancel = may("leads:write") && may("account:read");
  const acts = (job: VerificationJob): Act<VerificationJob>[] => [
    ...(isUnderWay(job.status) && mayCancel
      ? [
          {
            name: says.cancel,
            act: says.cancelAct,
            effect: <p>{says.cancelEffect}</p>,
            isDangerous: true,
            refusal: cancel.refusal,
            run: stop,
          },
        ]
      : []),
    ...(countsOf(job).length > 0 ? [{ name: says.download, run: download }] : []),
  ];
  const columns: Column<VerificationJob>[] = [
    {
      head: says.of,
      cell: ({ listId, source }) => (
        <>
          {listId === null ? (
            says.chosen
          ) : (
            <To page="/leads" view={{ list: listId }}>
              <Given isShort>{nameOf(listId)}</Given>
            </To>
          )}
          <div className="fine">{VERIFICATION_SOURCE[source]}</div>
        </>
      ),
    },
    {
      head: says.state,
      cell: ({ status, progress: { processed, total } }) => (
        <>
          {JOB_STATUS[status]}
          {isUnderWay(status) && (
            <div>
              <progress value={processed} max={Math.max(total, 1)} aria-label={says.progress} />{" "}
              {total > 0 && says.done(processed, total)}
            </div>
          )}
        </>
      ),
    },
    { head: says.results, cell: (job) => countsOf(job).join(", ") || says.none },
    { head: says.begun, by: "createdAt", isDownFirst: true, cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
  return (
    <>
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      <Table
        label={says.parts.jobs}
        nouns={nouns.jobs}
        rows={jobs}
        order={order}
        columns={columns}
        acts={acts}
        empty={
          <Empty icon={badgeCheck} text={says.empty}>
            {start}
          </Empty>
        }
        onPage={onPage}
      />
      <details>
        <summary>{says.meaning}</summary>
        <ul>
          {VERIFICATION_RESULTS.map((result) => (
            <li key={result}>{RESULT_MEANING[result]}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

const COUNTS = ["valid", "risky", "catchAll", "invalid", "unknown"] as const;

/** "12 valid" and so on, without results that no address has. */
function countsOf({ counts }: VerificationJob): string[] {
  return COUNTS.filter((name) => counts[name] > 0).map((name) => `${formatCount(counts[name])} ${says.count[name]}`);
}

/** Opens the workbook with the results of a job. */
function useDownload() {
  const read = useRead();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const download = async ({ id: jobId }: VerificationJob) => {
    setRefusal(null);
    try {
      const { fileName, downloadUrl } = await read("get /verification/export", { jobId, format: "XLSX" });
      saveFile({ fileName, content: null, url: downloadUrl, type: "" });
      return true;
    } catch (err) {
      setRefusal(refusalOf(err));
      return null;
    }
  };
  return { download, refusal };
}
