import { RefusalAlert } from "../../kit/alert.tsx";
import { Modal } from "../../kit/modal.tsx";
import { STEP_TYPE, sequenceWords } from "../../words/en/sequence.ts";
import { conflictWords as says } from "../../words/en/sequence-editor.ts";
import { StepShown } from "../campaign/step.tsx";
import { isSameStep, isSameValue, type Step, type Stored } from "./draft.ts";
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
    editing.undoable(says.tookOther, () => editing.restore(steps));
  };
  return (
    <Modal title={says.title} onClose={onClose} isWide>
      <p>{says.text}</p>
      {pairs.map(({ id, own, saved }) => (
        <div key={id} className="columns versions">
          <Side title={says.own} step={own} steps={steps} counterpart={saved} />
          <Side title={says.other} step={saved} steps={other.steps} counterpart={own} version={other.version} />
          {own !== null && saved !== null && (
            <p className="fine">{says.differs(differencesOf(own, saved).join(", "))}</p>
          )}
        </div>
      ))}
      {pairs.length < steps.length && <p className="fine">{says.same}</p>}
      {steps.filter(lacksUrl).map(({ stepId, order }) => (
        <p key={stepId} className="wrong">
          {says.urlNotKept(order)}
        </p>
      ))}
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

interface SideProps {
  title: string;
  step: Step | null;
  steps: readonly Step[];
  /** The step of the other version. */
  counterpart: Step | null;
  version?: number;
}

function Side({ title, step, steps, counterpart, version }: SideProps) {
  if (step === null) {
    return (
      <section aria-label={title}>
        <h3>{title}</h3>
        <p className="fine">{says.removed}</p>
      </section>
    );
  }
  const { order, type, variants } = step;
  // Each text that is shown needs a frame of its own
  const isOpen = !isSameValue(variants, counterpart?.variants);
  const weights = variants.map(({ label, weight, enabled }) => says.weight(label, weight, enabled));
  return (
    <section aria-label={`${title}: ${sequenceWords.step(order, STEP_TYPE[type])}`}>
      <h3>{title}</h3>
      <StepShown step={step} steps={steps} results={null} isOpen={isOpen} {...(version !== undefined && { version })} />
      {weights.length > 1 && <p className="fine">{says.weights(weights.join(", "))}</p>}
    </section>
  );
}

/** A copy in the browser has no URL that the server had. If someone removed the step there, the URL is gone. */
function lacksUrl({ type, config }: Step): boolean {
  return type === "WEBHOOK" && (config["url"] ?? "") === "";
}

const PARTS = Object.entries(says.parts);

/** The names of the parts in which two versions of a step differ. Some of them, such as a secret, are not shown. */
function differencesOf(own: Step, saved: Step): string[] {
  const ownParts: Readonly<Record<string, unknown>> = { ...own };
  const savedParts: Readonly<Record<string, unknown>> = { ...saved };
  return PARTS.filter(([part]) => !isSameValue(ownParts[part], savedParts[part])).map(([, name]) => name);
}
