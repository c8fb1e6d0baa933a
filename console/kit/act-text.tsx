import { words } from "../words/en.ts";

/** What a button does, or that it is doing it: as wide as before, so that the second click of a double one lands on no other button. */
export function ActText({ act, isRunning }: { act: string; isRunning: boolean }) {
  return (
    <span className="act-text">
      <span hidden={isRunning}>{act}</span>
      <span hidden={!isRunning}>{words.working}</span>
    </span>
  );
}
