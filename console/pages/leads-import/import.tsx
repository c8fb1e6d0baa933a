import { useRef, useState } from "react";
import { SCOPES } from "../../../domain/scopes.ts";
import { useUpload } from "../../api/upload.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice } from "../../kit/alert.tsx";
import { Page, Steps } from "../../kit/page.tsx";
import { UnsavedQuestion, useLeaveQuestion } from "../../kit/unsaved.tsx";
import { type Raw, useView } from "../../kit/view.ts";
import { importWords as says } from "../../words/en/leads/import.ts";
import { words } from "../../words/en.ts";
import { CheckStep, type ListChoice } from "./check-step.tsx";
import { ColumnsStep } from "./columns-step.tsx";
import { FileStep } from "./file-step.tsx";
import { ProgressStep } from "./progress-step.tsx";
import { type ColumnMapping, type FileColumns, mappingField } from "./reads.ts";

function readView(raw: Raw) {
  return {
    job: raw["job"] ?? null,
    list: raw["list"] ?? null,
    campaign: raw["campaign"] ?? null,
    undo: raw["undo"] ?? null,
  };
}

const STEPS = ["file", "columns", "check", "done"] as const;

/**
 * Imports leads from a file in four steps: the file, its columns, a check of its rows, and the import. A started import
 * is in the URL, so the page can be left and opened again.
 */
export function ImportLeads() {
  const may = useMay();
  const [{ job, list, campaign, undo }, change] = useView(readView);
  if (!may("leads:write"))
    return (
      <Page title={says.title}>
        <Notice>{words.mayNot(SCOPES["leads:write"])}</Notice>
      </Page>
    );
  return (
    <Page title={says.title} subtitle={says.subtitle}>
      {job === null ? (
        <Preparing onStarted={(jobId, listId) => change({ job: jobId, list: listId })} />
      ) : (
        <>
          <Steps label={says.steps} steps={STEPS} names={says.step} open="done" />
          <ProgressStep
            key={job}
            jobId={job}
            listId={list}
            campaignId={campaign}
            undoId={undo}
            onUndo={(undoId) => change({ undo: undoId })}
            onAgain={() => change({ job: null, list: null, undo: null })}
          />
        </>
      )}
    </Page>
  );
}

/** The steps before the import starts. The browser keeps the file and sends it again; it never reads the rows. */
function Preparing({ onStarted }: { onStarted: (jobId: string, listId: string | null) => void }) {
  const columns = useUpload("post /leads/import/columns");
  const check = useUpload("post /leads/import/file");
  const [read, setRead] = useState<{ file: File; columns: FileColumns } | null>(null);
  const [mapping, setMapping] = useState<ColumnMapping>(new Map());
  const [checkId, setCheckId] = useState<string | null>(null);
  const [list, setList] = useState<ListChoice>({ chosen: "", name: null });
  const made = useRef(new Map<string, string>());
  const isStarting = useRef(false);
  const [isFirst, setFirst] = useState(true);
  const open = read === null ? "file" : checkId === null ? "columns" : "check";
  const question = useLeaveQuestion(
    () => read !== null && !isStarting.current,
    () => read !== null,
  );
  const startCheck = async (file: File) => {
    const job = await check.run(file, { action: "dryRun", fieldMapping: mappingField(mapping) });
    if (job !== null) setCheckId(job.id);
  };
  return (
    <>
      <Steps label={says.steps} steps={STEPS} names={says.step} open={open} />
      {question !== null && <UnsavedQuestion {...question} text={says.unsaved} />}
      {read === null && (
        <FileStep
          upload={columns}
          isFirst={isFirst}
          onRead={(file, answer) => {
            setFirst(false);
            check.clear();
            setRead({ file, columns: answer });
            setMapping(new Map(answer.columns.map(({ name, suggestedField }) => [name, suggestedField ?? ""])));
          }}
        />
      )}
      {read !== null && checkId === null && (
        <ColumnsStep
          read={read.columns}
          mapping={mapping}
          onMap={setMapping}
          upload={check}
          onCheck={() => void startCheck(read.file)}
          onOtherFile={() => setRead(null)}
        />
      )}
      {read !== null && checkId !== null && (
        <CheckStep
          file={read.file}
          mapping={mapping}
          jobId={checkId}
          list={list}
          onList={setList}
          made={made.current}
          isStarting={isStarting}
          onBack={() => setCheckId(null)}
          onStarted={onStarted}
        />
      )}
    </>
  );
}
