import { Fragment, type ReactNode } from "react";
import type { Called } from "../api/query.ts";
import { words } from "../words/en.ts";
import { type Act, ActButton } from "./act.tsx";
import { RefusalAlert } from "./alert.tsx";
import { ChooseBox, ChosenBar, type Several, useChosen } from "./chosen.tsx";
import { Looking } from "./looking.tsx";
import { Pager } from "./pager.tsx";
import { Scrolling } from "./scrolling.tsx";

export type { Act };

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
  /** Rows get a box each, and what is chosen can be dealt with at once. */
  several?: Several<T>;
  /** The row that is open, and what it shows below itself. */
  opened?: { id: string | null; show: (row: T) => ReactNode };
  onPage?: (page: number) => void;
}

/** A page of a list as the browser's own table: found by its search, read by readers. What is being read anew stays meanwhile. */
export function Table<T extends { id: string }>(props: TableProps<T>) {
  const { label, rows, columns, empty, onClear, acts, several, opened, onPage } = props;
  const { data, refusal, isLooking, again } = rows;
  const chosen = useChosen(data?.items ?? []);
  if (data === undefined) return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  const { items } = data;
  const width = columns.length + (acts === undefined ? 0 : 1) + (several === undefined ? 0 : 1);
  return (
    <div className="list" aria-busy={isLooking}>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <Looking isLooking={isLooking} />
      {items.length === 0 && (onClear === undefined ? <div className="empty">{empty}</div> : <NothingFound onClear={onClear} />)}
      {several !== undefined && <ChosenBar chosen={chosen} several={several} />}
      {items.length > 0 && (
        <Scrolling label={label}>
          <table className="cards">
            <thead>
              <tr>
                {several !== undefined && (
                  <th scope="col" className="choose">
                    <ChooseBox name={words.chooseAll} isChosen={chosen.rows.length === items.length} onChoose={chosen.setAll} />
                  </th>
                )}
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
              {items.map((row) => (
                <Fragment key={row.id}>
                  <tr>
                    {several !== undefined && (
                      <td className="choose">
                        <ChooseBox
                          name={words.choose(several.nameOf(row))}
                          isChosen={chosen.has(row)}
                          onChoose={(isChosen) => chosen.set(row, isChosen)}
                        />
                      </td>
                    )}
                    <Cells row={row} columns={columns} />
                    {acts !== undefined && (
                      <td className="acts">
                        {acts(row).map((act) => (
                          <ActButton key={act.name} act={act} row={row} />
                        ))}
                      </td>
                    )}
                  </tr>
                  {opened?.id === row.id && (
                    <tr className="opened">
                      <td colSpan={width}>{opened.show(row)}</td>
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

/** The first cell names the row. */
function Cells<T>({ row, columns }: { row: T; columns: readonly Column<T>[] }) {
  return columns.map(({ head, cell, isNumber }, index) =>
    index === 0 ? (
      <th key={head} scope="row">
        {cell(row)}
      </th>
    ) : (
      <td key={head} data-head={head} className={isNumber === true ? "number" : ""}>
        {cell(row)}
      </td>
    ),
  );
}
