import { useState } from "react";
import { MAX_BULK_TEST } from "../../../domain/mailboxes/import.ts";
import { SCOPES } from "../../../domain/scopes.ts";
import type { Out } from "../../api/call.ts";
import { useWrite } from "../../api/query.ts";
import { saveTable } from "../../api/save-file.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice, RefusalAlert } from "../../kit/alert.tsx";
import { Drop } from "../../kit/field.tsx";
import { Given } from "../../kit/given.tsx";
import { Page, StepHeading } from "../../kit/page.tsx";
import { Scrolling } from "../../kit/scrolling.tsx";
import { type Raw, useView } from "../../kit/view.ts";
import { faultInWords } from "../../words/codes.ts";
import { MAILBOX_COLUMN, importWords as says } from "../../words/en/mailboxes/import.ts";
import { words } from "../../words/en.ts";
import { formatCount } from "../../words/format.ts";
import { type MailboxColumn, type MailboxFile, readMailboxFile } from "./import-file.ts";
import { ImportedMailboxes, Rows } from "./imported.tsx";

const SAMPLE_ROWS = [
  ["email", "password", "name", "smtp_host", "smtp_port", "imap_host", "imap_port", "security", "daily_send_limit"],
  ["ada@example.com", "secret", "Ada", "smtp.example.com", 465, "imap.example.com", 993, "SSL_TLS", 50],
];
/** Rows that are shown before they are imported. */
const SHOWN = 5;
const SECRET: readonly MailboxColumn[] = ["password", "apppassword"];

function readView(raw: Raw) {
  return { job: raw["job"] ?? null };
}

/**
 * Connects the mailboxes of a CSV file: the file, its rows with an optional test, and the import. A started import is in
 * the URL, so the page can be left and opened again. Passwords are kept in the page's memory only.
 */
export function ImportMailboxes() {
  const may = useMay();
  const [{ job }, change] = useView(readView);
  if (!may("mailboxes:connect"))
    return (
      <Page title={says.title}>
        <Notice>{words.mayNot(SCOPES["mailboxes:connect"])}</Notice>
      </Page>
    );
  return (
    <Page title={says.title} subtitle={says.lead}>
      {job === null ? (
        <Preparing onStarted={(jobId) => change({ job: jobId })} />
      ) : (
        <ImportedMailboxes key={job} jobId={job} onAgain={() => change({ job: null })} />
      )}
    </Page>
  );
}

function Preparing({ onStarted }: { onStarted: (jobId: string) => void }) {
  const [file, setFile] = useState<MailboxFile | null>(null);
  const [isFirst, setFirst] = useState(true);
  const choose = (chosen: MailboxFile | null) => {
    setFirst(false);
    setFile(chosen);
  };
  return file === null ? (
    <ChooseFile isFirst={isFirst} onRead={choose} />
  ) : (
    <Chosen file={file} onOther={() => choose(null)} onStarted={onStarted} />
  );
}

function ChooseFile({ isFirst, onRead }: { isFirst: boolean; onRead: (file: MailboxFile) => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const choose = async (files: readonly File[]) => {
    const [file] = files;
    if (file === undefined) return;
    const read = files.length > 1 ? says.several : await readMailboxFile(file);
    if (typeof read === "string") setFault(read);
    else onRead(read);
  };
  return (
    <section className="wizard">
      <StepHeading isFirst={isFirst}>{says.fileTitle}</StepHeading>
      {fault !== null && (
        <div className="alert bad" role="alert">
          <p>{fault}</p>
        </div>
      )}
      <Drop
        label={says.fileLabel}
        text={says.drop}
        hint={says.fileHint}
        accept=".csv,.tsv,.txt"
        onFiles={(files) => void choose(files)}
      />
      <div className="buttons start">
        <button type="button" onClick={() => saveTable(says.sampleName, SAMPLE_ROWS)}>
          {says.sample}
        </button>
      </div>
    </section>
  );
}

type Tested = Out<"post /mailboxes/import/test-bulk">;

interface ChosenProps {
  file: MailboxFile;
  onOther: () => void;
  onStarted: (jobId: string) => void;
}

/** The rows of the file before anything is saved. */
function Chosen({ file: { name, columns, ignored, rows }, onOther, onStarted }: ChosenProps) {
  const test = useWrite("post /mailboxes/import/test-bulk", { renews: [] });
  const start = useWrite("post /mailboxes/import/csv", { renews: ["get /jobs"] });
  const [tested, setTested] = useState<Tested | null>(null);
  const isBusy = test.isRunning || start.isRunning;
  const tryFirst = async () => {
    setTested(null);
    setTested(await test.run({ rows: rows.slice(0, MAX_BULK_TEST) }));
  };
  const connect = async () => {
    const job = await start.run({ fileName: name, rows: [...rows] });
    if (job !== null) onStarted(job.id);
  };
  const refusal = test.refusal ?? start.refusal;
  return (
    <section className="wizard">
      <StepHeading>{says.rowsTitle(name)}</StepHeading>
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      <p>{says.rows(rows.length)}</p>
      {ignored.length > 0 && (
        <p>
          <Given isShort>{says.ignored(ignored)}</Given>
        </p>
      )}
      <p className="fine">{says.firstRows(Math.min(SHOWN, rows.length))}</p>
      <Scrolling label={says.rowsTitle(name)}>
        <table className="cards">
          <thead>
            <tr>
              <th scope="col">{says.row}</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {MAILBOX_COLUMN[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
              <tr key={index}>
                <th scope="row" className="row-number">
                  {formatCount(index + 1)}
                </th>
                {columns.map((column) => (
                  <td key={column} data-head={MAILBOX_COLUMN[column]}>
                    <Given isShort>{shownCell(column, row[column] ?? "")}</Given>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
      <p>{says.known}</p>
      <p className="fine">{says.kept}</p>
      <div className="buttons">
        <button type="button" onClick={onOther}>
          {says.otherFile}
        </button>
        <button type="button" aria-disabled={isBusy} onClick={() => !isBusy && void tryFirst()}>
          {says.test(rows.length)}
        </button>
        <button type="button" className="primary" aria-disabled={isBusy} onClick={() => !isBusy && void connect()}>
          {says.connect(rows.length)}
        </button>
      </div>
      <p role="status">
        {test.isRunning ? says.testing : tested === null ? "" : says.tested(goodIn(tested), tested.items.length)}
      </p>
      {tested !== null && (
        <Rows
          label={says.result}
          rows={tested.items.map(({ row, email, error }) => ({
            row,
            email,
            text: error === null ? says.works : faultInWords(error),
          }))}
        />
      )}
    </section>
  );
}

function shownCell(column: MailboxColumn, cell: string): string {
  if (cell === "") return "–";
  return SECRET.includes(column) ? says.hidden : cell;
}

function goodIn({ items }: Tested): number {
  return items.filter(({ ok }) => ok).length;
}
