import { useId, useState } from "react";
import { Select } from "../../kit/field.tsx";
import { STEP_TYPE } from "../../words/en/sequence.ts";
import { DELAY_UNITS, editorWords as says } from "../../words/en/sequence-editor.ts";
import type { StepResults } from "../campaign/reads.ts";
import { Branches } from "./branches.tsx";
import { keyOf, type Step, type Variant } from "./draft.ts";
import { changeStep } from "./edits.ts";
import { StepConfig } from "./step-config.tsx";
import { TextEditor } from "./text-editor.tsx";
import type { Editing } from "./use-draft.ts";
import { Variants } from "./variants.tsx";

interface StepEditorProps {
  editing: Editing;
  step: Step;
  /** The selected variant; null for a step that is not an email. */
  variant: Variant | null;
  results: StepResults | null;
  onSelect: (variantId: string) => void;
}

/** The selected step: its delay and thread, its variants, and the text of one of them. */
export function StepEditor({ editing, step, variant, results, onSelect }: StepEditorProps) {
  const titleId = useId();
  const { draft, change } = editing;
  const { stepId, order, type, threadMode } = step;
  return (
    <section className="step editing" aria-labelledby={titleId}>
      <h2 id={titleId}>{says.step(order, STEP_TYPE[type])}</h2>
      <div className="columns">
        <Delay editing={editing} step={step} />
        {type === "EMAIL" && order > 1 && (
          <Select
            label={says.thread}
            name="threadMode"
            value={threadMode}
            options={THREADS.map((value) => ({ value, text: says.threads[value] }))}
            onPick={(picked) => {
              const mode = THREADS.find((one) => one === picked) ?? threadMode;
              change((steps) => changeStep(steps, stepId, { threadMode: mode }));
            }}
          />
        )}
      </div>
      {type === "EMAIL" && order === 1 && <p className="fine">{says.firstThread}</p>}
      <StepConfig editing={editing} step={step} />
      {variant !== null && (
        <>
          <Variants editing={editing} step={step} variant={variant} results={results} onSelect={onSelect} />
          <TextEditor key={keyOf(draft, variant.variantId)} editing={editing} step={step} variant={variant} />
        </>
      )}
      {draft.base.mode === "VISUAL" && type !== "MOVE_TO_CAMPAIGN" && <Branches editing={editing} step={step} />}
    </section>
  );
}

const THREADS = ["SAME_THREAD", "NEW_THREAD"] as const;
const UNITS = ["MINUTES", "HOURS", "DAYS", "BUSINESS_DAYS"] as const;

/** The wait before the step. A value that is no whole number is not taken over. */
function Delay({ editing: { draft, change }, step }: { editing: Editing; step: Step }) {
  const valueId = useId();
  const unitId = useId();
  const { stepId, order, delay } = step;
  const [typed, setTyped] = useState(String(delay.value));
  const isValid = /^\d{1,6}$/.test(typed);
  const shown = isValid && Number(typed) !== delay.value ? String(delay.value) : typed;
  const before = draft.steps[order - 2];
  const since = before === undefined ? "admission" : before.type === "EMAIL" ? "email" : "step";
  const set = (next: Partial<Step["delay"]>) =>
    change((steps) => changeStep(steps, stepId, { delay: { ...delay, ...next } }));
  return (
    <div className="field">
      <label htmlFor={valueId}>{says.delay}</label>
      <span className="delay">
        <input
          id={valueId}
          type="number"
          min={0}
          inputMode="numeric"
          aria-invalid={!isValid}
          value={shown}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            if (/^\d{1,6}$/.test(value)) set({ value: Number(value) });
          }}
        />
        <label htmlFor={unitId} className="hidden">
          {says.delayUnit}
        </label>
        <select
          id={unitId}
          value={delay.unit}
          onChange={({ currentTarget: { value } }) => set({ unit: UNITS.find((one) => one === value) ?? delay.unit })}
        >
          {UNITS.map((unit) => (
            <option key={unit} value={unit}>
              {DELAY_UNITS[unit]}
            </option>
          ))}
        </select>
      </span>
      <small>{says.delaySince[since]}</small>
    </div>
  );
}
