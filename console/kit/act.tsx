import { type ReactNode, useState } from "react";
import type { Refusal } from "../api/refusal.ts";
import { RefusalAlert } from "./alert.tsx";
import { Confirm } from "./modal.tsx";

/** Something to do with one row, or with several. With an effect it is shown first. */
export interface Act<T> {
  name: string;
  /** What the button of the dialog says, as a verb, where that is not the name. */
  act?: string;
  effect?: ReactNode;
  isDangerous?: boolean;
  /** Resolves with null when it was refused. */
  run: (row: T) => Promise<unknown> | undefined;
  /**
   * What `useWrite` says of the run. With it the dialog stays when it was refused, and says why; without it the page
   * does.
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
  // One write serves every row: what it says of another one is no news here
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
