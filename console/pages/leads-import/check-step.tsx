import { useRef, useState } from "react";
import { isUnderWay } from "../../../domain/job.ts";
import { limitsOf } from "../../api/forms.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useUpload } from "../../api/upload.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice, RefusalAlert } from "../../kit/alert.tsx";
import { Field, type Option, Select } from "../../kit/field.tsx";
import { Figures } from "../../kit/figures.tsx";
import { Looking } from "../../kit/looking.tsx";
import { ActText } from "../../kit/modal.tsx";
import { StepHeading } from "../../kit/page.tsx";
import { faultInWords } from "../../words/codes.ts";
import { importWords as says } from "../../words/en/leads/import.ts";
import { Problems } from "./problems.tsx";
import { type ColumnMapping, EVERY_MS, type Job, mappingField, type Summary, summaryIn } from "./reads.ts";

interface CheckStepProps {
  file: File;
  mapping: ColumnMapping;
  /** The job of the dry run. */
  jobId: string;
  onBack: () => void;
  onStarted: (jobId: string, listId: string | null) => void;
}

/** Shows what the import would do, row by row where there is a problem, and starts it. */
export function CheckStep({ jobId, onBack, ...start }: CheckStepProps) {
  const [isOver, setOver] = useState(false);
  const {
    data: job,
    refusal,
    again,
  } = useCall("get /leads/import/:jobId", { jobId }, isOver ? {} : { every: EVERY_MS });
  const isDone = job !== undefined && !isUnderWay(job.status);
  if (isDone !== isOver) setOver(isDone);
  const summary = job === undefined || !isDone ? null : summaryIn(job);
  return (
    <section className="wizard">
      <StepHeading>{says.checkTitle}</StepHeading>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {!isDone && <Checking job={job} />}
      {isDone && job.error !== null && (
        <div className="alert bad" role="alert">
          <p>{faultInWords(job.error)}</p>
        </div>
      )}
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

function Checking({ job }: { job: Job | undefined }) {
  if (job === undefined) return <Looking isLooking={true} />;
  const { processed, total } = job.progress;
  return (
    <>
      <p>{says.checking}</p>
      <progress value={processed} max={total} aria-label={says.checkProgress} />
      <p role="status">{says.checked(processed, total)}</p>
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
function Start({ file, mapping, summary, onBack, onStarted }: StartProps) {
  const may = useMay();
  const lists = useCall("get /lead-lists", {}, { isOff: !may("lead_lists:read") });
  const createList = useWrite("post /lead-lists", { renews: ["get /lead-lists"] });
  const upload = useUpload("post /leads/import/file");
  const [chosen, setChosen] = useState("");
  const [name, setName] = useState(file.name.replace(/\.[^.]*$/, "").slice(0, 200));
  // After a failed start, the list that was created for it is used again
  const made = useRef(new Map<string, string>());
  const { created, updated, skipped, blocked, suppressed } = summary;
  const count = created + updated + skipped - blocked;
  const isRunning = upload.isRunning || createList.isRunning;
  const listOf = async (label: string): Promise<string | null> => {
    const before = made.current.get(label);
    if (before !== undefined) return before;
    const list = await createList.run({ name: label, type: "STATIC" });
    if (list !== null) made.current.set(label, list.id);
    return list?.id ?? null;
  };
  const start = async () => {
    const listId = chosen === NEW ? await listOf(name.trim()) : chosen;
    if (listId === null) return;
    const fields = { action: "commit", fieldMapping: mappingField(mapping), ...(listId !== "" && { listId }) };
    const job = await upload.run(file, fields);
    if (job !== null) onStarted(job.id, listId === "" ? null : listId);
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
        if (!isRunning && count > 0) void start();
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
          onPick={setChosen}
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
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
      )}
      {createList.refusal !== null && createList.refusal.issueAt("name") === null && (
        <RefusalAlert refusal={createList.refusal} />
      )}
      {upload.refusal !== null && <RefusalAlert refusal={upload.refusal} />}
      {count === 0 && <Notice kind="attention">{says.nothingToDo}</Notice>}
      {upload.isRunning && (
        <>
          <progress value={upload.sent} max={1} aria-label={says.progress} />
          <p role="status">{upload.sent < 1 ? says.uploading(Math.floor(upload.sent * 4) / 4) : says.reading}</p>
        </>
      )}
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
