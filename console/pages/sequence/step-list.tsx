import down from "lucide/dist/esm/icons/arrow-down.mjs";
import up from "lucide/dist/esm/icons/arrow-up.mjs";
import cross from "lucide/dist/esm/icons/x.mjs";
import { MAX_STEPS } from "../../../domain/sequences/sequence.ts";
import { Icon, type Shapes } from "../../kit/icon.tsx";
import { say } from "../../kit/toast.tsx";
import { STEP_TYPE } from "../../words/en/sequence.ts";
import { editorWords as says } from "../../words/en/sequence-editor.ts";
import { delayInWords } from "../../words/steps.ts";
import { keyOf, type Step } from "./draft.ts";
import { addStep, moveStep, removeStep, restoreStep } from "./edits.ts";
import type { Editing } from "./use-draft.ts";

interface StepListProps {
  editing: Editing;
  selected: Step | null;
  onSelect: (stepId: string) => void;
}

/** The steps in order, with buttons to select, move, remove and add one. */
export function StepList({ editing, selected, onSelect }: StepListProps) {
  const { draft, change } = editing;
  const { steps } = draft;
  const remove = ({ stepId, order }: Step) => {
    change((steps) => removeStep(steps, stepId));
    say(says.removed(order), { name: says.undo, run: () => change((now) => restoreStep(now, steps, stepId)) });
  };
  const add = (type: Step["type"]) => {
    const next = addStep(steps, type);
    change(() => next);
    onSelect(next.at(-1)?.stepId ?? "");
  };
  return (
    <nav className="editor-steps" aria-label={says.steps}>
      <ol>
        {steps.map((step, index) => (
          <li key={keyOf(draft, step.stepId)} aria-current={step === selected ? "step" : undefined}>
            <button type="button" className="quiet" onClick={() => onSelect(step.stepId)}>
              <strong>{says.step(step.order, STEP_TYPE[step.type])}</strong>
              <span className="fine">{delayInWords(step, steps)}</span>
              {step.type === "EMAIL" && <span className="cut fine">{titleOf(step)}</span>}
            </button>
            <span className="moves">
              <Move
                name={says.moveUp(step.order)}
                icon={up}
                isOff={index === 0}
                run={() => change((steps) => moveStep(steps, step.stepId, -1))}
              />
              <Move
                name={says.moveDown(step.order)}
                icon={down}
                isOff={index === steps.length - 1}
                run={() => change((steps) => moveStep(steps, step.stepId, 1))}
              />
              <Move name={says.remove(step.order)} icon={cross} isOff={false} run={() => remove(step)} />
            </span>
          </li>
        ))}
      </ol>
      {steps.length < MAX_STEPS && (
        <div className="buttons start">
          <button type="button" onClick={() => add("EMAIL")}>
            {says.addEmail}
          </button>
        </div>
      )}
    </nav>
  );
}

interface MoveProps {
  name: string;
  icon: Shapes;
  isOff: boolean;
  run: () => void;
}

function Move({ name, icon, isOff, run }: MoveProps) {
  return (
    <button
      type="button"
      className="quiet square"
      aria-label={name}
      title={name}
      aria-disabled={isOff}
      onClick={() => !isOff && run()}
    >
      <Icon of={icon} />
    </button>
  );
}

function titleOf({ variants: [first] }: Step): string {
  const { subject = null, bodyHtml = null, bodyText = null } = first ?? {};
  return subject ?? (bodyHtml === null && bodyText === null ? says.noText : says.noSubject);
}
