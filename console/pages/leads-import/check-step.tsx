import { useNavigate } from "@tanstack/react-router";
import type { RefObject } from "react";
import { limitsOf } from "../../api/forms.ts";
import { useIsShown } from "../../api/is-shown.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useUpload } from "../../api/upload.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice, RefusalAlert } from "../../kit/alert.tsx";
import { Field, type Option, Select } from "../../kit/field.tsx";
import { Figures } from "../../kit/figures.tsx";
import { Looking } from "../../kit/looking.tsx";
import { ActText } from "../../kit/modal.tsx";
import { StepHeading } from "../../kit/page.tsx";
import { pathTo } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { importWords as says } from "../../words/en/leads/import.ts";
import { Uploading } from "./file-step.tsx";
import { Faulted, Problems } from "./problems.tsx";
import { type ColumnMapping, type Job, mappingField, type Summary, summaryIn, useJob } from "./reads.ts";

/** The list to which the leads are added. It is kept while the columns are changed. */
export interface ListChoice {
  /** The id of a list, `new`, or an empty text for no list. */
  chosen: string;
  /** The name of the new list; null until it is typed. */
  name: string | null;
}

interface CheckStepProps {
  file: File;
  mapping: ColumnMapping;
  /** The job of the dry run. */
  jobId: string;
  list: ListChoice;
  onList: (list: ListChoice) => void;
  /** The ids of the lists that were created, by name. After a failed start, they are used again. */
  made: Map<string, string>;
  /** Whether the import is being started. It then starts also if the page is left. */
  isStarting: RefObject<boolean>;
  onBack: () => void;
  onStarted: (jobId: string, listId: string | null) => void;
}

/** Shows what the import would do, row by row where there is a problem, and starts it. */
export function CheckStep({ jobId, onBack, ...start }: CheckStepProps) {
  const { data: job, refusal, again, isDone } = useJob(jobId);
  // The numbers of a check that was cancelled or failed would be those of the first rows
  const isWhole = job?.status === "COMPLETED" || job?.status === "COMPLETED_WITH_ERRORS";
  const summary = job !== undefined && isWhole ? summaryIn(job) : null;
  return (
    <section className="wizard">
      <StepHeading>{says.checkTitle}</StepHeading>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {!isDone && <Checking job={job} onCancelled={onBack} />}
      {isDone && job !== undefined && <Faulted job={job} />}
      {summary !== null && job !== undefined && (
        <>
          <Counts summary={summary} />
          <Problems summary={summary} items={job.items} fileName={start.file.name} />
          <Start {...start} summary={summary} onBack={onBack} />
        </>
      )}
      {summary === null && isDone && (
        <div className="buttons">
          <button type="button" onClick={onBack}>
            {says.backToColumns}
          </button>
        </div>
      )}
    </section>
  );
}

function Checking({ job, onCancelled }: { job: Job | undefined; onCancelled: () => void }) {
  const cancel = useWrite("post /leads/import/:jobId/cancel", { renews: ["get /jobs"] });
  if (job === undefined) return <Looking isLooking={true} />;
  const stop = async () => {
    if ((await cancel.run({ jobId: job.id })) !== null) onCancelled();
  };
  const { processed, total } = job.progress;
  return (
    <>
      <p>{says.checking}</p>
      <progress value={processed} max={total} aria-label={says.checkProgress} />
      <p role="status">{says.checked(processed, total)}</p>
      {cancel.refusal !== null && <RefusalAlert refusal={cancel.refusal} />}
      <div className="buttons">
        <button type="button" aria-disabled={cancel.isRunning} onClick={() => !cancel.isRunning && void stop()}>
          <ActText act={says.cancelCheck} isRunning={cancel.isRunning} />
        </button>
      </div>
    </>
  );
}

/** The numbers of an import. */
export function Counts({ summary }: { summary: Summary }) {
  const { created, updated, skipped, blocked, duplicateInFile, suppressed, invalid } = summary;
  const all = { created, updated, unchanged: skipped - blocked, duplicateInFile, blocked, suppressed, invalid };
  const names = Object.keys(all) as (keyof typeof all)[]; // the keys of a constant
  const shown = names.filter((name) => all[name] > 0 || name === "created" || name === "updated");
  return <Figures figures={shown.map((name) => ({ name: says.counts[name], count: all[name] }))} />;
}

const NEW = "new";

interface StartProps extends Omit<CheckStepProps, "jobId"> {
  summary: Summary;
}

/** Chooses a list and starts the import, once. */
function Start({ file, mapping, summary, list, onList, made, isStarting, onBack, onStarted }: StartProps) {
  const may = useMay();
  const lists = useCall("get /lead-lists", {}, { isOff: !may("lead_lists:read") });
  const createList = useWrite("post /lead-lists", { renews: ["get /lead-lists"] });
  const upload = useUpload("post /leads/import/file", { continues: true });
  const isShown = useIsShown();
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const { chosen } = list;
  const name = list.name ?? file.name.replace(/\.[^.]*$/, "").slice(0, 200);
  const { created, updated, skipped, blocked, suppressed } = summary;
  const count = created + updated + skipped - blocked;
  const isRunning = upload.isRunning || createList.isRunning;
  const listOf = async (label: string): Promise<string | null> => {
    const before = made.get(label);
    if (before !== undefined) return before;
    const list = await createList.run({ name: label, type: "STATIC" });
    if (list !== null) made.set(label, list.id);
    return list?.id ?? null;
  };
  const start = async () => {
    const listId = chosen === NEW ? await listOf(name.trim()) : chosen;
    if (listId === null) return;
    const fields = { action: "commit", fieldMapping: mappingField(mapping), ...(listId !== "" && { listId }) };
    const job = await upload.run(file, fields);
    if (isShown.current) {
      if (job !== null) onStarted(job.id, listId === "" ? null : listId);
      return;
    }
    // The person is on another page, where they stay
    if (job === null) return say(says.notStarted(file.name));
    const search = { job: job.id, ...(listId !== "" && { list: listId }) };
    const open = () => void navigate({ to: pathTo(workspaceId, "/leads/import"), search });
    say(says.started(file.name), { name: says.openStarted, run: open });
  };
  const startOnce = async () => {
    isStarting.current = true;
    await start();
    isStarting.current = false;
  };
  const statics = lists.data?.filter(({ type }) => type === "STATIC") ?? [];
  const options: Option[] = [
    { value: "", text: says.noList },
    ...(may("lead_lists:write") ? [{ value: NEW, text: says.newList }] : []),
    ...statics.map((list) => ({ value: list.id, text: says.listOf(list.name, list.memberCount) })),
  ];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning && count > 0) void startOnce();
      }}
    >
      <p>{says.stays}</p>
      {suppressed > 0 && <Notice>{says.suppressedNote(suppressed)}</Notice>}
      {lists.refusal !== null && <RefusalAlert refusal={lists.refusal} again={lists.again} />}
      {count > 0 && may("lead_lists:read") && (
        <Select
          label={says.list}
          hint={says.listHint}
          name="listId"
          value={chosen}
          options={options}
          onPick={(id) => onList({ ...list, chosen: id })}
        />
      )}
      {chosen === NEW && (
        <Field
          label={says.listName}
          name="name"
          required
          value={name}
          refusal={createList.refusal}
          limits={limitsOf("post /lead-lists", "name")}
          onChange={({ currentTarget: { value } }) => onList({ ...list, name: value })}
        />
      )}
      {createList.refusal !== null && createList.refusal.issueAt("name") === null && (
        <RefusalAlert refusal={createList.refusal} />
      )}
      {upload.refusal !== null && <RefusalAlert refusal={upload.refusal} />}
      {count === 0 && <Notice kind="attention">{says.nothingToDo}</Notice>}
      {upload.isRunning && <Uploading upload={upload} />}
      <div className="buttons">
        <button type="button" aria-disabled={isRunning} onClick={() => !isRunning && onBack()}>
          {says.backToColumns}
        </button>
        {count > 0 && (
          <button type="submit" className="primary" aria-disabled={isRunning}>
            <ActText act={says.act(count)} isRunning={isRunning} />
          </button>
        )}
      </div>
    </form>
  );
}
