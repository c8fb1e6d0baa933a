import { useState } from "react";
import type { Out } from "../../api/call.ts";
import { useWrite } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Scrolling } from "../../kit/scrolling.tsx";
import { When } from "../../kit/when.tsx";
import { systemWords as says } from "../../words/en/system.ts";

type Checked = Out<"post /system/setup">;

const STATES = { OK: "good", WARN: "waits", FAIL: "bad", SKIPPED: "off" } as const;

/** The checks of `npm run doctor`, which run when the operator asks for them. */
export function SetUp() {
  const { run, isRunning, refusal } = useWrite("post /system/setup", { renews: [] });
  const [checked, setChecked] = useState<Checked | null>(null);
  const check = async () => {
    const answer = await run({});
    if (answer !== null) setChecked(answer);
  };
  return (
    <section>
      <h2>{says.setup}</h2>
      <p>{says.setupLead}</p>
      <button type="button" aria-disabled={isRunning} onClick={() => !isRunning && void check()}>
        {isRunning ? says.checking : says.checkSetup}
      </button>
      {refusal !== null && <RefusalAlert refusal={refusal} again={() => void check()} />}
      {checked !== null && <Findings checked={checked} />}
    </section>
  );
}

function Findings({ checked: { at, checks } }: { checked: Checked }) {
  return (
    <>
      <Scrolling label={says.setup}>
        <table className="cards">
          <caption className="hidden">{says.setup}</caption>
          <thead>
            <tr>
              <th scope="col">{says.check}</th>
              <th scope="col">{says.state}</th>
              <th scope="col">{says.found}</th>
            </tr>
          </thead>
          <tbody>
            {checks.map(({ check, status, found, advice }) => (
              <tr key={check}>
                <th scope="row">{check}</th>
                <td data-head={says.state}>
                  <span className={`mark ${STATES[status]}`}>{says.setupStates[status]}</span>
                </td>
                <td data-head={says.found}>{says.setupFound(found, advice)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
      <p className="fine">
        {says.readAt} <When at={at} />
      </p>
    </>
  );
}
