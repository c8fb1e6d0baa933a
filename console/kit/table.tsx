import { Fragment, type ReactNode, useState } from "react";
import type { Called } from "../api/query.ts";
import { words } from "../words/en.ts";
import { RefusalAlert } from "./alert.tsx";
import { Confirm } from "./modal.tsx";
import { Pager } from "./pager.tsx";
import { Scrolling } from "./scrolling.tsx";

/** The answer of every paged endpoint. */
export interface PageOf<T> {
  items: T[];
  total: number;
  totalIsExact?: boolean;
  page: number;
  pageSize: number;
}

export interface Column<T> {
  head: string;
  cell: (row: T) => ReactNode;
  /** Numbers stand at the end of their column. */
  isNumber?: boolean;
}

/** Something to do with one row. With an effect it is shown first. */
export interface Act<T> {
  name: string;
  effect?: ReactNode;
  isDangerous?: boolean;
  /** Resolves with null when it was refused. */
  run: (row: T) => Promise<unknown> | undefined;
}

interface TableProps<T> {
  /** What the table is, for whoever hears it. */
  label: string;
  rows: Called<PageOf<T>>;
  columns: readonly Column<T>[];
  /** What to say, and the one next step, when there is nothing at all. */
  empty: ReactNode;
  /** Shown instead of `empty` where a filter leaves nothing: its button takes the filter away. */
  onClear?: (() => void) | undefined;
  acts?: (row: T) => readonly Act<T>[];
  /** The row that is open, and what it shows below itself. */
  opened?: { id: string | null; show: (row: T) => ReactNode };
  onPage?: (page: number) => void;
}

/** A page of a list as the browser's own table: found by its search, read by readers. What is being read anew stays meanwhile. */
export function Table<T extends { id: string }>({ label, rows, columns, empty, onClear, acts, opened, onPage }: TableProps<T>) {
  const { data, refusal, isLooking, again } = rows;
  if (data === undefined) return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  const isEmpty = data.items.length === 0;
  return (
    <div className="list" aria-busy={isLooking}>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <Looking isLooking={isLooking} />
      {isEmpty && (onClear === undefined ? <div className="empty">{empty}</div> : <NothingFound onClear={onClear} />)}
      {!isEmpty && (
        <Scrolling label={label}>
          <table>
            <thead>
              <tr>
                {columns.map(({ head, isNumber }) => (
                  <th key={head} scope="col" className={isNumber === true ? "number" : ""}>
                    {head}
                  </th>
                ))}
                {acts !== undefined && (
                  <th scope="col">
                    <span className="hidden">{words.actions}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {data.items.map((row) => (
                <Fragment key={row.id}>
                  <Row row={row} columns={columns} acts={acts} />
                  {opened?.id === row.id && (
                    <tr className="opened">
                      <td colSpan={columns.length + (acts === undefined ? 0 : 1)}>{opened.show(row)}</td>
                    </tr>
                  )}
                </Fragment>
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
      {onPage !== undefined && <Pager {...data} onPage={onPage} />}
    </div>
  );
}

/** A line that says that something is being read, without moving anything. */
export function Looking({ isLooking }: { isLooking: boolean }) {
  return (
    <p className="looking" role="status">
      {isLooking ? words.looking : ""}
    </p>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <div className="empty">
      <p>{words.nothingFound}</p>
      <button type="button" onClick={onClear}>
        {words.clearFilter}
      </button>
    </div>
  );
}

interface RowProps<T> {
  row: T;
  columns: readonly Column<T>[];
  acts: ((row: T) => readonly Act<T>[]) | undefined;
}

function Row<T extends { id: string }>({ row, columns, acts }: RowProps<T>) {
  return (
    <tr>
      {columns.map(({ head, cell, isNumber }, index) =>
        index === 0 ? (
          <th key={head} scope="row">
            {cell(row)}
          </th>
        ) : (
          <td key={head} className={isNumber === true ? "number" : ""}>
            {cell(row)}
          </td>
        ),
      )}
      {acts !== undefined && (
        <td className="acts">
          {acts(row).map((act) => (
            <ActButton key={act.name} act={act} row={row} />
          ))}
        </td>
      )}
    </tr>
  );
}

function ActButton<T extends { id: string }>({ act, row }: { act: Act<T>; row: T }) {
  const [isAsking, setAsking] = useState(false);
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    await act.run(row);
    setRunning(false);
    setAsking(false);
  };
  const press = () => (act.effect === undefined ? void run() : setAsking(true));
  return (
    <>
      <button type="button" aria-disabled={isRunning} onClick={() => !isRunning && press()}>
        {act.name}
      </button>
      {isAsking && (
        <Confirm
          title={act.name}
          effect={act.effect}
          act={act.name}
          isDangerous={act.isDangerous === true}
          isRunning={isRunning}
          onAct={() => void run()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
