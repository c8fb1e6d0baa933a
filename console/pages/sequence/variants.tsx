import { MAX_VARIANTS } from "../../../domain/sequences/sequence.ts";
import { keepFocus } from "../../kit/keep-focus.ts";
import { editorWords as says } from "../../words/en/sequence-editor.ts";
import { formatShare } from "../../words/format.ts";
import { Opens } from "../campaign/opens.tsx";
import type { StepResults } from "../campaign/reads.ts";
import { StepFigures } from "../campaign/step-figures.tsx";
import { keyOf, type Step, type Variant } from "./draft.ts";
import { addVariant, changeStep, changeVariant, removeVariant, restoreVariant, shareOf } from "./edits.ts";
import { NumberField } from "./number-field.tsx";
import type { Editing } from "./use-draft.ts";

interface VariantsProps {
  editing: Editing;
  step: Step;
  variant: Variant;
  results: StepResults | null;
  onSelect: (variantId: string) => void;
}

/** The variants of an email as tabs, and the share and results of the selected one. */
export function Variants({ editing: { draft, change, undoable }, step, variant, results, onSelect }: VariantsProps) {
  const { stepId, order, variants } = step;
  const { variantId, label, weight, enabled } = variant;
  const add = () => {
    const next = addVariant(step, variant);
    change((steps) => changeStep(steps, stepId, { variants: next }));
    onSelect(next.at(-1)?.variantId ?? "");
  };
  const remove = () => {
    change((steps) => removeVariant(steps, variantId));
    const at = variants.indexOf(variant);
    undoable(says.variantRemoved(label), () => change((now, present) => restoreVariant(now, present([step])[0], at)));
  };
  return (
    <>
      <nav className="parts wraps" aria-label={says.variants(order)}>
        {variants.map((one) => (
          <button
            key={keyOf(draft, one.variantId)}
            type="button"
            aria-current={one === variant ? "true" : undefined}
            onClick={() => onSelect(one.variantId)}
          >
            <span className="hidden">{says.variantTab}</span> {one.label}{" "}
            <span className="count">{one.enabled ? formatShare(shareOf(step, one)) : says.off}</span>
          </button>
        ))}
        {variants.length < MAX_VARIANTS && (
          <button type="button" onClick={({ currentTarget }) => keepFocus(currentTarget, "nav", add)}>
            {says.addVariant}
          </button>
        )}
      </nav>
      {variants.length > 1 && (
        <div className="columns">
          <NumberField
            key={keyOf(draft, variantId)}
            label={says.weight}
            hint={says.weightHint}
            name="weight"
            min={1}
            max={100}
            isWhole
            value={weight}
            onChange={(weight) => change((steps) => changeVariant(steps, variantId, { weight }))}
          />
          <div className="field">
            <label className="choice">
              <input
                type="checkbox"
                checked={enabled}
                onChange={({ currentTarget: { checked } }) =>
                  change((steps) => changeVariant(steps, variantId, { enabled: checked }))
                }
              />{" "}
              {says.enabled}
            </label>
            <button
              type="button"
              className="quiet"
              onClick={({ currentTarget }) => keepFocus(currentTarget, "section", remove)}
            >
              {says.removeVariant}
            </button>
          </div>
        </div>
      )}
      {results !== null && (
        <Opens summary={() => says.results}>
          <StepFigures step={results} />
        </Opens>
      )}
    </>
  );
}
