import searchX from "lucide/dist/esm/icons/search-x.mjs";
import { Fragment, type ReactNode } from "react";
import type { Called } from "../api/query.ts";
import { nouns } from "../words/en/nouns.ts";
import { words } from "../words/en.ts";
import { type Act, ActButton } from "./act.tsx";
import { RefusalAlert } from "./alert.tsx";
import { ChooseBox, ChosenBar, type Several, useChosen } from "./chosen.tsx";
import { useColumns } from "./columns.tsx";
import { Icon } from "./icon.tsx";
import { Looking, Skeleton } from "./looking.tsx";
import { Pager } from "./pager.tsx";
import { Scrolling } from "./scrolling.tsx";
import { columnOf, type Ordering, type PageOf } from "./view.ts";

export type { Act, PageOf };

export interface Column<T> {
  head: string;
  cell: (row: T) => ReactNode;
  /** Numbers are aligned to the end of their column. */
  isNumber?: boolean;
  /** The name in the URL for sorting by this column; without it the column cannot be sorted. */
  by?: string;
  /** The value by which the table sorts rows when it has all of them; rows with null come last. */
  sortKey?: (row: T) => string | number | null;
  /** If true, the first click sorts in descending order. */
  isDownFirst?: boolean;
}

interface TableProps<T> {
  /** The table's name for screen readers. */
  label: string;
  rows: Called<PageOf<T>>;
  columns: readonly Column<T>[];
  /** Shown for a list without any entries: a text and the next action. */
  empty: ReactNode;
  /** Shown instead of `empty` if a filter excludes everything; its button removes the filter. */
  onClear?: (() => void) | undefined;
  acts?: (row: T) => readonly Act<T>[];
  /** If set, rows have checkboxes, and these actions apply to the selected rows. */
  several?: Several<T>;
  /** The id of the open row, and the details to show below it. */
  opened?: { id: string | null; show: (row: T) => ReactNode };
  onPage?: (page: number) => void;
  /** The noun for one row, and for several. */
  nouns?: readonly [one: string, many: string];
  /** If undefined, rows stay in the server's order. */
  order?: Ordering;
}

/**
 * Shows a page of a list as an HTML table, so that screen readers can read it and the browser's search can find text in
 * it. Rows stay visible while they are loaded again.
 */
export function Table<T extends { id: string }>(props: TableProps<T>) {
  const {
    label,
    rows,
    columns: all,
    empty,
    onClear,
    acts,
    several,
    opened,
    onPage,
    order,
    nouns: counted = nouns.entries,
  } = props;
  const { refusal, isLooking, again } = rows;
  const [columns, columnChoice] = useColumns(label, all);
  const data = rows.data && shownOf(rows.data, all, order);
  const chosen = useChosen(data?.items ?? []);
  if (data === undefined) return refusal === null ? <LoadingList /> : <RefusalAlert refusal={refusal} again={again} />;
  const { items } = data;
  const width = columns.length + (acts === undefined ? 0 : 1) + (several === undefined ? 0 : 1);
  return (
    <div className="list" aria-busy={isLooking}>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      <Looking isLooking={isLooking} />
      {items.length === 0 &&
        (onClear === undefined ? <div className="empty">{empty}</div> : <NothingFound onClear={onClear} />)}
      {several !== undefined && <ChosenBar chosen={chosen} several={several} />}
      {items.length > 0 && (
        <Scrolling label={label}>
          <table className="cards">
            <thead>
              <tr>
                {several !== undefined && (
                  <th scope="col" className="choose">
                    <ChooseBox
                      name={words.chooseAll}
                      isChosen={chosen.rows.length === items.length}
                      onChoose={chosen.setAll}
                    />
                  </th>
                )}
                {columns.map((column) => (
                  <Head
                    key={column.head}
                    column={column}
                    order={order}
                    isSortable={data.isSortable(column)}
                    sort={data.sort}
                  />
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
                  <tr {...(several !== undefined && chosen.has(row) && { className: "chosen-row" })}>
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
      {items.length > 0 && (
        <div className="list-foot">
          {onPage !== undefined && <Pager {...data} nouns={counted} onPage={onPage} />}
          {columnChoice}
        </div>
      )}
    </div>
  );
}

function LoadingList() {
  return (
    <div className="list">
      <Looking isLooking={true} />
      <Skeleton />
    </div>
  );
}

interface HeadProps<T> {
  column: Column<T>;
  order: Ordering | undefined;
  isSortable: boolean;
  /** The order of the rows that are shown. */
  sort: string;
}

function Head<T>({ column: { head, by, isNumber, isDownFirst }, order, isSortable, sort }: HeadProps<T>) {
  const className = isNumber === true ? "number" : "";
  if (order === undefined || by === undefined || !isSortable) {
    return (
      <th scope="col" className={className}>
        {head}
      </th>
    );
  }
  const direction = columnOf(sort) !== by ? "none" : sort.startsWith("-") ? "descending" : "ascending";
  const [first, other] = isDownFirst === true ? [`-${by}`, by] : [by, `-${by}`];
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" className="sort" onClick={() => order.onSort(sort === first ? other : first)}>
        {head}
      </button>
    </th>
  );
}

/**
 * The rows of the current page, sorted. The server sorts by the fields in `served`. By other fields the table sorts
 * itself, but only if it has all rows, because sorting a single page would be misleading.
 */
function shownOf<T>(data: PageOf<T>, columns: readonly Column<T>[], order: Ordering | undefined) {
  const { total, pageSize, isWhole = false } = data;
  const hasAll = isWhole || (total <= pageSize && data.items.length === total);
  const isServed = ({ by = "" }: Column<T>) => !isWhole && order?.served.includes(by) === true;
  const isSortable = (column: Column<T>) => isServed(column) || (hasAll && column.sortKey !== undefined);
  const column = columns.find(({ by }) => by !== undefined && by === columnOf(order?.sort ?? ""));
  const sort = column !== undefined && isSortable(column) ? (order?.sort ?? "") : (order?.usual ?? "");
  const sortKey = column !== undefined && hasAll && !isServed(column) ? column.sortKey : undefined;
  const items =
    sortKey === undefined ? [...data.items] : data.items.toSorted(comparing(sortKey, sort.startsWith("-") ? -1 : 1));
  if (!isWhole) return { ...data, items, isSortable, sort };
  const page = Math.min(data.page, Math.max(1, Math.ceil(total / pageSize)));
  return { ...data, items: items.slice((page - 1) * pageSize, page * pageSize), page, isSortable, sort };
}

/** Rows without a value come last in both directions. */
function comparing<T>(sortKey: (row: T) => string | number | null, direction: 1 | -1) {
  return (one: T, other: T): number => {
    const [a, b] = [sortKey(one), sortKey(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "number" && typeof b === "number") return direction * (a - b);
    return direction * String(a).localeCompare(String(b), "en", { numeric: true, sensitivity: "base" });
  };
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <div className="empty">
      <Icon of={searchX} />
      <p>{words.nothingFound}</p>
      <button type="button" onClick={onClear}>
        {words.clearFilter}
      </button>
    </div>
  );
}

/** The first cell is the heading of its row. */
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
