import { useState } from "react";
import { words } from "../words/en.ts";
import { formatCount } from "../words/format.ts";
import { type Act, ActButton } from "./act.tsx";

/** Actions for several rows at once. */
export interface Several<T> {
  /** The name of a row, for its checkbox. */
  nameOf: (row: T) => string;
  /** The actions for these rows, or for all that match the filter if `isAll` is set. */
  acts: (rows: readonly T[], isAll: boolean) => readonly Act<readonly T[]>[];
  /** Why an action is not offered for these rows. */
  note?: (rows: readonly T[], isAll: boolean) => string | null;
  /** If set, all rows that match the filter can be chosen, also those on other pages. */
  matching?: Matching;
}

interface Matching {
  total: number;
  isExact: boolean;
  /** The filter as a text: another filter ends the choice. */
  filter: string;
}

interface Row {
  id: string;
}

export interface Chosen<T> {
  rows: readonly T[];
  /** Whether every row of the page is chosen. */
  isWhole: boolean;
  /** The filter whose matches are all chosen; null if only rows of the page are. */
  allOf: string | null;
  has(row: T): boolean;
  set(row: T, isChosen: boolean): void;
  setAll(isChosen: boolean): void;
  setAllOf(filter: string | null): void;
}

/** The selected rows of the current page. Rows that leave the page are no longer selected. */
export function useChosen<T extends Row>(shown: readonly T[]): Chosen<T> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [allOf, setAllOf] = useState<string | null>(null);
  const rows = shown.filter(({ id }) => ids.has(id));
  const isWhole = rows.length > 0 && rows.length === shown.length;
  const keep = (next: readonly T[]) => {
    setIds(new Set(next.map(({ id }) => id)));
    setAllOf(null);
  };
  return {
    rows,
    isWhole,
    allOf: isWhole ? allOf : null,
    has: ({ id }) => ids.has(id),
    set: (row, isChosen) => keep(isChosen ? [...rows, row] : rows.filter(({ id }) => id !== row.id)),
    setAll: (isChosen) => keep(isChosen ? shown : []),
    setAllOf,
  };
}

/** The number of selected rows, and the actions for them. */
export function ChosenBar<T extends Row>({ chosen, several }: { chosen: Chosen<T>; several: Several<T> }) {
  const { rows, isWhole, allOf } = chosen;
  const { matching, acts, note } = several;
  const more = matching !== undefined && isWhole && matching.total > rows.length ? matching : null;
  const isAll = more !== null && allOf === more.filter;
  const total = more === null ? "" : words.ofAll(formatCount(more.total), more.isExact);
  const count = formatCount(rows.length);
  return (
    <div className="chosen">
      <span role="status">{rows.length === 0 ? "" : isAll ? words.chosenAll(total) : words.chosen(count)}</span>
      {more !== null && (
        <button type="button" className="quiet" onClick={() => chosen.setAllOf(isAll ? null : more.filter)}>
          {isAll ? words.chooseShown(count) : words.chooseMatching(total)}
        </button>
      )}
      {rows.length > 0 &&
        acts(rows, isAll).map((act) => (
          <ActButton key={act.name} act={act} row={rows} onDone={() => chosen.setAll(false)} />
        ))}
      {rows.length > 0 && note !== undefined && <span className="fine">{note(rows, isAll)}</span>}
    </div>
  );
}

export function ChooseBox({
  name,
  isChosen,
  onChoose,
}: {
  name: string;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}) {
  return (
    <label className="choose">
      <span className="hidden">{name}</span>
      <input type="checkbox" checked={isChosen} onChange={({ currentTarget: { checked } }) => onChoose(checked)} />
    </label>
  );
}
