import { Select } from "../../kit/field.tsx";
import { LongText } from "../../kit/given.tsx";
import { keepFocus } from "../../kit/keep-focus.ts";
import { branchWords } from "../../words/en/sequence.ts";
import { CONDITIONS, editBranchWords as says } from "../../words/en/sequence-branches.ts";
import { branchesInWords } from "../../words/steps.ts";
import { ConditionFields } from "./condition-fields.tsx";
import type { Step } from "./draft.ts";
import { addCondition, type Condition, changeConditions, KINDS, kindOf, withKind } from "./edit-conditions.ts";
import type { Editing } from "./use-draft.ts";

const MAX_CONDITIONS = 20;
const END = "";

/** Where a recipient continues after the step: the first condition that applies decides. */
export function Branches({ editing, step }: { editing: Editing; step: Step }) {
  const { draft, change } = editing;
  const { steps } = draft;
  const { stepId, conditions } = step;
  const set = (next: readonly Condition[]) => change((steps) => changeConditions(steps, stepId, next));
  const lines = branchesInWords(step, steps);
  return (
    <>
      <h3>{branchWords.title}</h3>
      {conditions.length === 0 && <p className="fine">{says.none}</p>}
      {conditions.length > 1 && <p className="fine">{branchWords.order}</p>}
      {conditions.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no id; its place is what identifies it
        <fieldset key={index} className="branch">
          <legend>{says.branch(index + 1)}</legend>
          <div className="columns">
            <Select
              label={says.when}
              name="if"
              value={kindOf(condition) ?? ""}
              options={KINDS.map((kind) => ({ value: kind, text: CONDITIONS[kind] }))}
              onPick={(kind) => set(conditions.with(index, withKind(condition, kind)))}
            />
            <Select
              label={says.goesTo}
              name="nextStepId"
              value={typeof condition["nextStepId"] === "string" ? condition["nextStepId"] : END}
              options={[
                { value: END, text: branchWords.end },
                ...steps
                  .filter((one) => one.stepId !== stepId)
                  .map((one) => ({ value: one.stepId, text: branchWords.step(one.order) })),
              ]}
              onPick={(id) => set(conditions.with(index, { ...condition, nextStepId: id === END ? null : id }))}
            />
            <ConditionFields
              condition={condition}
              step={step}
              steps={steps}
              onChange={(next) => set(conditions.with(index, next))}
            />
          </div>
          <p className="fine">
            <LongText text={lines[index] ?? ""} />
          </p>
          <div className="buttons start">
            {index > 0 && (
              <button
                type="button"
                className="quiet"
                onClick={({ currentTarget }) =>
                  keepFocus(currentTarget, "section", () =>
                    set(conditions.toSpliced(index - 1, 2, condition, conditions[index - 1] ?? condition)),
                  )
                }
              >
                {says.moveUp(index + 1)}
              </button>
            )}
            <button
              type="button"
              className="quiet"
              onClick={({ currentTarget }) =>
                keepFocus(currentTarget, "section", () => set(conditions.toSpliced(index, 1)))
              }
            >
              {says.remove(index + 1)}
            </button>
          </div>
        </fieldset>
      ))}
      {conditions.length > 0 && lines.length > conditions.length && <p className="fine">{lines.at(-1)}</p>}
      {conditions.length < MAX_CONDITIONS && (
        <div className="buttons start">
          <button
            type="button"
            onClick={({ currentTarget }) => keepFocus(currentTarget, "section", () => set(addCondition(conditions)))}
          >
            {says.add}
          </button>
        </div>
      )}
    </>
  );
}
