import { RefusalAlert } from "../../kit/alert.tsx";
import { Given } from "../../kit/given.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { STEP_TYPE, sequenceWords } from "../../words/en/sequence.ts";
import { editorWords, conflictWords as says } from "../../words/en/sequence-editor.ts";
import { delayInWords } from "../../words/steps.ts";
import { isSameStep, type Step, type Stored } from "./draft.ts";
import type { Editing } from "./use-draft.ts";

interface ConflictDialogProps {
  editing: Editing;
  other: Stored;
  onClose: () => void;
}

/** Shows both versions of a sequence that two people have changed, and asks which one to keep. */
export function ConflictDialog({ editing, other, onClose }: ConflictDialogProps) {
  const { draft, refusal } = editing;
  const { steps } = draft;
  const pairs = pairsOf(steps, other.steps);
  const keepOwn = () => {
    editing.keepOwn();
    onClose();
  };
  const takeOther = () => {
    editing.discard();
    onClose();
    say(says.tookOther, { name: editorWords.undo, run: () => editing.restore(steps) });
  };
  return (
    <Modal title={says.title} onClose={onClose} isWide>
      <p>{says.text}</p>
      {pairs.map(({ id, own, saved }) => (
        <div key={id} className="columns versions">
          <Side title={says.own} step={own} steps={steps} />
          <Side title={says.other} step={saved} steps={other.steps} />
        </div>
      ))}
      {pairs.length < steps.length && <p className="fine">{says.same}</p>}
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      <div className="buttons">
        <button type="button" onClick={onClose}>
          {says.later}
        </button>
        <button type="button" onClick={takeOther}>
          {says.takeOther}
        </button>
        <button type="button" className="primary" onClick={keepOwn}>
          {says.keepOwn}
        </button>
      </div>
    </Modal>
  );
}

/** The steps that differ, each with its counterpart by its id. */
function pairsOf(own: readonly Step[], other: readonly Step[]) {
  const ids = new Set([...own, ...other].map(({ stepId }) => stepId));
  const find = (steps: readonly Step[], id: string) => steps.find(({ stepId }) => stepId === id) ?? null;
  return [...ids]
    .map((id) => ({ id, own: find(own, id), saved: find(other, id) }))
    .filter(({ own, saved }) => own === null || saved === null || own.order !== saved.order || !isSameStep(own, saved));
}

function Side({ title, step, steps }: { title: string; step: Step | null; steps: readonly Step[] }) {
  if (step === null) {
    return (
      <section aria-label={title}>
        <h3>{title}</h3>
        <p className="fine">{says.removed}</p>
      </section>
    );
  }
  const { order, type, variants } = step;
  return (
    <section aria-label={`${title}: ${sequenceWords.step(order, STEP_TYPE[type])}`}>
      <h3>{title}</h3>
      <p>
        {sequenceWords.step(order, STEP_TYPE[type])} <span className="fine">{delayInWords(step, steps)}</span>
      </p>
      {variants.map(({ variantId, label, subject, bodyHtml, bodyText }) => (
        <div key={variantId}>
          <p className="fine">{editorWords.variant(label)}</p>
          <p>
            <Given>{subject ?? editorWords.noSubject}</Given>
          </p>
          {[bodyHtml, bodyText].map(
            (text, index) => text !== null && text !== "" && <pre key={FORMATS[index]}>{text}</pre>,
          )}
        </div>
      ))}
    </section>
  );
}

const FORMATS = ["html", "text"] as const;
