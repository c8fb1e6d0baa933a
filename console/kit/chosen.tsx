import { useState } from "react";
import { words } from "../words/en.ts";
import { formatCount } from "../words/format.ts";
import { type Act, ActButton } from "./act.tsx";

/** Actions for several rows at once. */
export interface Several<T> {
  /** The name of a row, for its checkbox. */
  nameOf: (row: T) => string;
  acts: (rows: readonly T[]) => readonly Act<readonly T[]>[];
  /** Why an action is not offered for these rows. */
  note?: (rows: readonly T[]) => string | null;
}

interface Row {
  id: string;
}

export interface Chosen<T> {
  rows: readonly T[];
  has(row: T): boolean;
  set(row: T, isChosen: boolean): void;
  setAll(isChosen: boolean): void;
}

/** The selected rows of the current page. Rows that leave the page are no longer selected. */
export function useChosen<T extends Row>(shown: readonly T[]): Chosen<T> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const rows = shown.filter(({ id }) => ids.has(id));
  const keep = (next: readonly T[]) => setIds(new Set(next.map(({ id }) => id)));
  return {
    rows,
    has: ({ id }) => ids.has(id),
    set: (row, isChosen) => keep(isChosen ? [...rows, row] : rows.filter(({ id }) => id !== row.id)),
    setAll: (isChosen) => keep(isChosen ? shown : []),
  };
}

/** The number of selected rows, and the actions for them. */
export function ChosenBar<T extends Row>({ chosen, several }: { chosen: Chosen<T>; several: Several<T> }) {
  const { rows } = chosen;
  return (
    <div className="chosen">
      <span role="status">{rows.length === 0 ? "" : words.chosen(formatCount(rows.length))}</span>
      {rows.length > 0 &&
        several
          .acts(rows)
          .map((act) => <ActButton key={act.name} act={act} row={rows} onDone={() => chosen.setAll(false)} />)}
      {rows.length > 0 && several.note !== undefined && <span className="fine">{several.note(rows)}</span>}
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
