import { useWrite } from "../api/query.ts";
import { Confirm } from "../kit/modal.tsx";
import { say } from "../kit/toast.tsx";
import { killSwitchWords as says } from "../words/en/frame.ts";

const RENEWS = ["get /workspace", "get /campaigns", "get /campaigns/:campaignId"] as const;

/** Shows the effect of pausing or resuming all sending, and asks for confirmation. */
export function KillSwitchDialog({ isStopped, onClose }: { isStopped: boolean; onClose: () => void }) {
  const { run, isRunning, refusal } = useWrite("post /workspace", { renews: RENEWS });
  const act = async () => {
    const answer = await run(isStopped ? { action: "resumeSending" } : { action: "pauseSending" });
    if (answer === null) return;
    onClose();
    say(isStopped ? says.saidResumed : says.saidStopped);
  };
  return (
    <Confirm
      title={isStopped ? says.resumeTitle : says.stopTitle}
      effect={<p>{isStopped ? says.resumeEffect : says.stopEffect}</p>}
      act={isStopped ? says.resumeAct : says.stopAct}
      isDangerous={!isStopped}
      isRunning={isRunning}
      refusal={refusal}
      onAct={() => void act()}
      onClose={onClose}
    />
  );
}
