import { useEffect, useState } from "react";
import { now } from "../../api/clock.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { UnsavedQuestion } from "../../kit/unsaved.tsx";
import { saveWords as says } from "../../words/en/sequence-editor.ts";
import { formatInstant } from "../../words/format.ts";
import { ConflictDialog } from "./conflict.tsx";
import { ReviewDialog } from "./review.tsx";
import type { Editing } from "./use-draft.ts";

/** Whether the changes are saved, and what a person can do about it. */
export function SaveBar({ editing }: { editing: Editing }) {
  const { draft, hasChanges, savesItself, refusal, leaving } = editing;
  const [asked, setAsked] = useState<"review" | "discard" | null>(null);
  const [comparedVersion, setCompared] = useState<number | null>(null);
  const { conflict } = draft;
  const conflictVersion = conflict?.version ?? null;
  // A conflict asks immediately, and again when the other version changes
  const [askedVersion, setAskedVersion] = useState<number | null>(null);
  useEffect(() => {
    if (conflictVersion === null || conflictVersion === askedVersion) return;
    setAskedVersion(conflictVersion);
    setCompared(conflictVersion);
    setAsked(null);
  }, [conflictVersion, askedVersion]);
  const discard = () => {
    const { steps } = draft;
    setAsked(null);
    editing.discard();
    editing.undoable(says.discarded, () => editing.restore(steps));
  };
  return (
    <div className="save-bar">
      <p role="status" aria-label={says.state} className={conflict === null ? "" : "wrong"}>
        {stateOf(editing)}
      </p>
      <div className="buttons">
        {conflict !== null && (
          <button type="button" className="primary" onClick={() => setCompared(conflict.version)}>
            {says.compare}
          </button>
        )}
        {hasChanges && conflict === null && savesItself && refusal !== null && (
          <button type="button" onClick={editing.retry}>
            {says.retry}
          </button>
        )}
        {hasChanges && conflict === null && !savesItself && (
          <>
            <button type="button" onClick={() => setAsked("discard")}>
              {says.discard}
            </button>
            <button type="button" className="primary" onClick={() => setAsked("review")}>
              {says.review}
            </button>
          </>
        )}
      </div>
      {leaving !== null && <UnsavedQuestion {...leaving} />}
      {refusal !== null && conflict === null && asked === null && hasChanges && <RefusalAlert refusal={refusal} />}
      {conflict !== null && comparedVersion === conflict.version && (
        <ConflictDialog editing={editing} other={conflict} onClose={() => setCompared(null)} />
      )}
      {asked === "review" && conflict === null && <ReviewDialog editing={editing} onClose={() => setAsked(null)} />}
      {asked === "discard" && (
        <Confirm
          title={says.discardTitle}
          effect={<p>{says.discardEffect}</p>}
          act={says.discard}
          isDangerous
          onAct={discard}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

function stateOf({ draft, hasChanges, savesItself, isSaving, savedAt, refusal, isKept }: Editing): string {
  if (draft.conflict !== null) return says.conflict;
  if (!hasChanges) {
    if (savedAt !== null) return says.saved(formatInstant(savedAt, now()));
    return savesItself ? says.allSaved : says.noChanges;
  }
  if (!isKept) return says.notKept;
  if (!savesItself) return says.draft;
  if (isSaving) return says.saving;
  return refusal === null ? says.unsaved : says.failed;
}
