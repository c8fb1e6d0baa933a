import { useState } from "react";
import type { Write } from "../../api/query.ts";
import { Confirm } from "../../kit/modal.tsx";
import { StepHeading } from "../../kit/page.tsx";
import { say } from "../../kit/toast.tsx";
import type { Job } from "./reads.ts";

interface RunningProps {
  job: Job;
  texts: {
    title: string;
    progress: string;
    done: (processed: number, total: number) => string;
    canLeave: string;
    cancel: string;
    cancelTitle: string;
    cancelEffect: (processed: number, total: number) => string;
    saidCancelled: string;
  };
  cancel: Pick<Write<never>, "isRunning" | "refusal"> & { run(): Promise<unknown> };
  onCancelled: () => void;
}

/** An import that runs: its progress, and a button that cancels it after it has shown what that means. */
export function RunningImport({ job: { progress }, texts, cancel, onCancelled }: RunningProps) {
  const { processed, total } = progress;
  const [isAsking, setAsking] = useState(false);
  const stop = async () => {
    if ((await cancel.run()) === null) return;
    setAsking(false);
    say(texts.saidCancelled);
    onCancelled();
  };
  return (
    <>
      <StepHeading>{texts.title}</StepHeading>
      <progress value={processed} max={total} aria-label={texts.progress} />
      <p role="status">{texts.done(processed, total)}</p>
      <p className="fine">{texts.canLeave}</p>
      <button type="button" className="danger" onClick={() => setAsking(true)}>
        {texts.cancel}
      </button>
      {isAsking && (
        <Confirm
          title={texts.cancelTitle}
          effect={<p>{texts.cancelEffect(processed, total)}</p>}
          act={texts.cancel}
          isDangerous
          isRunning={cancel.isRunning}
          refusal={cancel.refusal}
          onAct={() => void stop()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
