import down from "lucide/dist/esm/icons/arrow-down.mjs";
import up from "lucide/dist/esm/icons/arrow-up.mjs";
import cross from "lucide/dist/esm/icons/x.mjs";
import { useState } from "react";
import { MAX_STEPS } from "../../../domain/sequences/sequence.ts";
import { MoveButton } from "../../kit/icon.tsx";
import { keepFocus } from "../../kit/keep-focus.ts";
import { Menu } from "../../kit/menu.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { STEP_TYPE } from "../../words/en/sequence.ts";
import { editBranchWords } from "../../words/en/sequence-branches.ts";
import { editorWords as says } from "../../words/en/sequence-editor.ts";
import { branchesInWords, delayInWords } from "../../words/steps.ts";
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
  const { draft, change, undoable } = editing;
  const { steps } = draft;
  const remove = ({ stepId, order }: Step) => {
    change((steps) => removeStep(steps, stepId));
    undoable(says.removed(order), () => change((now, present) => restoreStep(now, present(steps), order - 1)));
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
              <MoveButton
                list="nav"
                name={says.moveUp(step.order)}
                icon={up}
                isOff={index === 0}
                run={() => change((steps) => moveStep(steps, step.stepId, -1))}
              />
              <MoveButton
                list="nav"
                name={says.moveDown(step.order)}
                icon={down}
                isOff={index === steps.length - 1}
                run={() => change((steps) => moveStep(steps, step.stepId, 1))}
              />
              <MoveButton
                list="nav"
                name={says.remove(step.order)}
                icon={cross}
                isOff={false}
                run={() => remove(step)}
              />
            </span>
            <Ways step={step} steps={steps} onSelect={onSelect} />
          </li>
        ))}
      </ol>
      {steps.length < MAX_STEPS && (
        <div className="buttons start">
          <button type="button" onClick={({ currentTarget }) => keepFocus(currentTarget, "nav", () => add("EMAIL"))}>
            {says.addEmail}
          </button>
          {draft.base.mode === "VISUAL" && <OtherSteps onAdd={add} />}
        </div>
      )}
      {draft.base.mode === "DEFAULT" && <AllowBranches editing={editing} />}
    </nav>
  );
}

/** Where a step leads, indented below it. Each line selects the step that it leads to. */
function Ways({ step, steps, onSelect }: { step: Step; steps: readonly Step[]; onSelect: (stepId: string) => void }) {
  const lines = branchesInWords(step, steps);
  if (lines.length === 0 || step.type === "MOVE_TO_CAMPAIGN") return null;
  return (
    <ul className="ways">
      {lines.map((line, index) => {
        const nextStepId = step.conditions[index]?.["nextStepId"];
        const target = index < step.conditions.length ? nextStepId : steps[step.order]?.stepId;
        return (
          <li key={line}>
            {typeof target === "string" ? (
              <button type="button" className="quiet" onClick={() => onSelect(target)}>
                {line}
              </button>
            ) : (
              <span>{line}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const OTHERS = ["WAIT", "CONDITION", "TASK", "WEBHOOK", "ADD_TAG", "MOVE_TO_CAMPAIGN", "APPROVAL"] as const;

function OtherSteps({ onAdd }: { onAdd: (type: Step["type"]) => void }) {
  return (
    <Menu
      label={editBranchWords.otherStep}
      items={OTHERS.map((type) => ({ name: STEP_TYPE[type], run: () => onAdd(type) }))}
    />
  );
}

/** Conditions and other steps need another mode of the sequence, which is saved at once. */
function AllowBranches({ editing }: { editing: Editing }) {
  const [isAsked, setAsked] = useState(false);
  const allow = async () => {
    if (await editing.allowBranches()) setAsked(false);
  };
  return (
    <>
      <button type="button" className="quiet" onClick={() => setAsked(true)}>
        {editBranchWords.allow}
      </button>
      {isAsked && (
        <Confirm
          title={editBranchWords.allowTitle}
          effect={<p>{editBranchWords.allowEffect}</p>}
          act={editBranchWords.allow}
          isRunning={editing.isAllowing}
          refusal={editing.refusal}
          onAct={() => void allow()}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

function titleOf({ variants: [first] }: Step): string {
  const { subject = null, bodyHtml = null, bodyText = null } = first ?? {};
  return subject ?? (bodyHtml === null && bodyText === null ? says.noText : says.noSubject);
}
