import { useState } from "react";
import { useCall, useWrite } from "../api/query.ts";
import { Confirm } from "../kit/modal.tsx";
import { say } from "../kit/toast.tsx";
import { words } from "../words/en.ts";

const RENEWS = ["get /workspace", "get /campaigns", "get /campaigns/:campaignId"] as const;

/** Stops every mail of the workspace from any page, at once and without a password: letting it go on asks for one. */
export function KillSwitch() {
  const { data } = useCall("get /workspace", {}, { every: 30_000 });
  const { run, isRunning, refusal, clear } = useWrite("post /workspace", { renews: RENEWS });
  const [isAsking, setAsking] = useState(false);
  if (data === undefined) return null;
  const says = words.killSwitch;
  const isStopped = data.isSendingPaused;
  const act = async () => {
    const answer = await run(isStopped ? { action: "resumeSending" } : { action: "pauseSending" });
    if (answer === null) return;
    setAsking(false);
    say(isStopped ? says.saidResumed : says.saidStopped);
  };
  const close = () => {
    clear();
    setAsking(false);
  };
  return (
    <>
      <button type="button" className={isStopped ? "" : "danger"} onClick={() => setAsking(true)}>
        {isStopped ? says.resume : says.stop}
      </button>
      {isAsking && (
        <Confirm
          title={isStopped ? says.resumeTitle : says.stopTitle}
          effect={<p>{isStopped ? says.resumeEffect : says.stopEffect}</p>}
          act={isStopped ? says.resumeAct : says.stopAct}
          isDangerous={!isStopped}
          isRunning={isRunning}
          refusal={refusal}
          onAct={() => void act()}
          onClose={close}
        />
      )}
    </>
  );
}
