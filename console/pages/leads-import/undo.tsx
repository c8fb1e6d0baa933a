import { useState } from "react";
import { useRenewal, useWrite } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { faultInWords } from "../../words/codes.ts";
import { importWords as says } from "../../words/en/leads/import.ts";
import { useJob } from "./reads.ts";

/** The button that undoes an import. Its dialog says what is deleted and what stays. */
export function UndoButton({
  jobId,
  created,
  onStarted,
}: {
  jobId: string;
  created: number;
  onStarted: (undoId: string) => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const undo = useWrite("delete /imports/:jobId", { renews: ["get /jobs"] });
  const run = async () => {
    const job = await undo.run({ jobId });
    if (job === null) return;
    setAsking(false);
    onStarted(job.id);
  };
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {says.undo}
      </button>
      {isAsking && (
        <Confirm
          title={says.undoTitle}
          effect={
            <>
              <p>{says.undoEffect(created)}</p>
              <p>{says.undoKeeps}</p>
            </>
          }
          act={says.undoAct}
          isDangerous
          isRunning={undo.isRunning}
          refusal={undo.refusal}
          onAct={() => void run()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** A running undo with its progress, and how many leads it deleted and kept. Its id is in the URL. */
export function Undone({ undoId }: { undoId: string }) {
  const { data: job, refusal, again, isDone } = useJob(undoId, "get /jobs/:jobId");
  useRenewal(isDone, ["get /leads", "get /lead-lists"]);
  if (job === undefined)
    return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />;
  const { processed, total } = job.progress;
  if (!isDone)
    return (
      <div className="alert attention">
        <progress value={processed} max={total} aria-label={says.undoProgress} />
        <p role="status">{says.undoing(processed, total)}</p>
      </div>
    );
  const { removed, kept } = { ...job.result };
  return (
    <div className="alert attention">
      {job.error !== null && <p>{faultInWords(job.error)}</p>}
      <p role="status">
        {typeof removed === "number" && typeof kept === "number" ? says.undone(removed, kept) : says.notUndone}
      </p>
    </div>
  );
}
