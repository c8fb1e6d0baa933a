import type { ReactNode } from "react";
import { saveTable } from "../../api/save-file.ts";
import { Given } from "../../kit/given.tsx";
import { Scrolling } from "../../kit/scrolling.tsx";
import { faultInWords, isPlain } from "../../words/codes.ts";
import { CELL_WARNING, importWords as says } from "../../words/en/leads/import.ts";
import { formatCount } from "../../words/format.ts";
import { wordFor } from "../../words/states.ts";
import type { Job, Summary } from "./reads.ts";

/** How many rows of each kind are shown; the server lists a thousand. */
const SHOWN = 100;

/** Why a job ended early. */
export function Faulted({ job: { error } }: { job: Job }) {
  if (error === null) return null;
  return (
    <div className="alert bad" role="alert">
      <p>{faultInWords(error)}</p>
    </div>
  );
}

interface ProblemsProps {
  summary: Summary;
  items: Job["items"];
  fileName: string;
}

/** The rows that are refused, those to check, and those whose address is repeated, blocked or suppressed. */
export function Problems({ summary, items, fileName }: ProblemsProps) {
  const { errors, invalid, warnings, warningCount } = summary;
  const marked = items.filter(({ code, status }) => status !== "FAILED" && code !== null && code in says.marks);
  if (invalid + warningCount + marked.length === 0) return <p>{says.noProblems}</p>;
  return (
    <>
      <p className="fine">{says.rowsLead}</p>
      {invalid > 0 && (
        <Kind
          title={says.refusedTitle(invalid)}
          lead={says.refusedLead}
          all={invalid}
          head={says.address}
          rows={errors.map(({ row, email, code, message }) => ({
            row,
            text: email,
            why: reasonFor(code, message),
          }))}
        >
          <p>
            <button type="button" onClick={() => saveRefused(errors, fileName)}>
              {says.download}
            </button>{" "}
            {invalid > errors.length && <span className="fine">{says.firstListed(errors.length)}</span>}
          </p>
        </Kind>
      )}
      {warningCount > 0 && (
        <Kind
          title={says.warningTitle(warningCount)}
          lead={says.warningLead}
          all={warningCount}
          head={says.cell}
          rows={warnings.map(({ row, column, code, value, suggestion }) => ({
            row,
            column,
            text: value,
            why: [CELL_WARNING[code], ...(suggestion === null ? [] : [says.didYouMean(suggestion)])].join(" "),
          }))}
        />
      )}
      {marked.length > 0 && (
        <Kind
          title={says.markedTitle(marked.length)}
          lead={says.markedLead}
          all={marked.length}
          head={says.address}
          rows={marked.map(({ row, email, code }) => ({ row, text: email, why: wordFor(says.marks, code ?? "") }))}
        />
      )}
    </>
  );
}

interface Shown {
  row: number;
  /** The column of the cell, for a warning. */
  column?: string;
  text: string | null;
  why: string;
}

interface KindProps {
  title: string;
  lead: string;
  /** How many there are, of which `rows` may be the first. */
  all: number;
  /** What the rows show besides their number and the reason. */
  head: string;
  rows: readonly Shown[];
  children?: ReactNode;
}

function Kind({ title, lead, all, head, rows, children }: KindProps) {
  const shown = rows.slice(0, SHOWN);
  const hasColumns = rows.some(({ column }) => column !== undefined);
  return (
    <>
      <h3>{title}</h3>
      <p className="fine">
        {lead} {all > shown.length && says.firstShown(shown.length, all)}
      </p>
      {children}
      <Scrolling label={title}>
        <table className="cards">
          <thead>
            <tr>
              <th scope="col">{says.row}</th>
              {hasColumns && <th scope="col">{says.column}</th>}
              <th scope="col">{head}</th>
              <th scope="col">{says.why}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ row, column, text, why }) => (
              <tr key={`${row} ${column ?? ""} ${why}`}>
                <th scope="row" className="row-number">
                  {row === 0 ? "–" : formatCount(row)}
                </th>
                {hasColumns && (
                  <td data-head={says.column}>
                    <Given isShort>{column}</Given>
                  </td>
                )}
                <td data-head={head}>
                  <Given isShort>{text ?? "–"}</Given>
                </td>
                <td data-head={says.why}>{why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </>
  );
}

/** The reason for refusing a row. The server's own words are used if they contain no names of the API. */
function reasonFor(code: string, message: string): string {
  const own = says.refused[code];
  if (own !== undefined) return own;
  return isPlain(message) ? message : code;
}

/** Saves the refused rows as a CSV file that no spreadsheet evaluates. */
function saveRefused(errors: Summary["errors"], fileName: string): void {
  const lines = [
    [says.row, says.address, says.why],
    ...errors.map(({ row, email, code, message }) => [row, email ?? "", reasonFor(code, message)]),
  ];
  saveTable(says.downloadName(fileName), lines);
}
