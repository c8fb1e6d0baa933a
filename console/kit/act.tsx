import { type ReactNode, useState } from "react";
import type { Refusal } from "../api/refusal.ts";
import { RefusalAlert } from "./alert.tsx";
import { Confirm } from "./modal.tsx";

/** An action on one row or on several. If `effect` is set, a dialog shows it first and asks for confirmation. */
export interface Act<T> {
  name: string;
  /** The label of the dialog's button, a verb, if it differs from the name. */
  act?: string;
  effect?: ReactNode;
  isDangerous?: boolean;
  /** Resolves with null if the service refused. */
  run: (row: T) => Promise<unknown> | undefined;
  /**
   * The refusal of the write. If set, the dialog stays open after a refusal and shows it. If undefined, the page shows
   * the refusal.
   */
  refusal?: Refusal | null;
}

interface ActButtonProps<T> {
  act: Act<T>;
  row: T;
  onDone?: () => void;
}

export function ActButton<T>({ act, row, onDone }: ActButtonProps<T>) {
  const [isAsking, setAsking] = useState(false);
  const [isRunning, setRunning] = useState(false);
  // All rows share one write, so a refusal of another row's action is not shown here
  const [wasRefused, setRefused] = useState(false);
  const refusal = wasRefused ? (act.refusal ?? null) : null;
  const run = async () => {
    setRunning(true);
    setRefused(false);
    const answer = await act.run(row);
    setRunning(false);
    setRefused(answer === null);
    if (answer === null && act.refusal !== undefined) return;
    setAsking(false);
    if (answer !== null) onDone?.();
  };
  const open = () => {
    setRefused(false);
    setAsking(true);
  };
  const press = () => (act.effect === undefined ? void run() : open());
  return (
    <>
      <button type="button" aria-disabled={isRunning} onClick={() => !isRunning && press()}>
        {act.name}
      </button>
      {isAsking && (
        <Confirm
          title={act.name}
          effect={act.effect}
          act={act.act ?? act.name}
          isDangerous={act.isDangerous === true}
          isRunning={isRunning}
          refusal={refusal}
          onAct={() => void run()}
          onClose={() => setAsking(false)}
        />
      )}
      {!isAsking && act.effect === undefined && refusal !== null && <RefusalAlert refusal={refusal} />}
    </>
  );
}
