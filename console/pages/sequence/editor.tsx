import { useState } from "react";
import { useCall } from "../../api/query.ts";
import { editorWords as says } from "../../words/en/sequence-editor.ts";
import type { Campaign } from "../campaign/reads.ts";
import { keyOf, type Stored } from "./draft.ts";
import { StartFromTemplate } from "./insert-template.tsx";
import { Preview } from "./preview.tsx";
import { SaveBar } from "./save-bar.tsx";
import { StepEditor } from "./step-editor.tsx";
import { StepList } from "./step-list.tsx";
import { useDraft } from "./use-draft.ts";

interface EditorProps {
  campaign: Campaign;
  stored: Stored;
  again: () => void;
  /** Where this browser keeps unsaved changes. */
  place: string;
  personReadAt: number;
}

const RESULTS_MS = 30_000;

/** The sequence editor: the steps, the text of the selected variant, and how a lead would read it. */
export function Editor({ campaign, ...opened }: EditorProps) {
  const editing = useDraft({ campaign, ...opened });
  const { draft } = editing;
  const [selected, select] = useState<{ step: string | null; variant: string | null }>({ step: null, variant: null });
  const results = useCall(
    "get /campaigns/:campaignId/experiment",
    { campaignId: campaign.id },
    { every: RESULTS_MS, isOff: campaign.launchedAt === null },
  );
  const step = draft.steps.find(({ stepId }) => keyOf(draft, stepId) === selected.step) ?? draft.steps[0] ?? null;
  const variant =
    step?.variants.find(({ variantId }) => keyOf(draft, variantId) === selected.variant) ?? step?.variants[0] ?? null;
  return (
    <section className="editor" aria-label={says.editor}>
      <SaveBar editing={editing} />
      <div className="editor-columns">
        <StepList
          editing={editing}
          selected={step}
          onSelect={(stepId) => select({ step: keyOf(draft, stepId), variant: null })}
        />
        {step === null ? (
          <div className="empty">
            <p>{says.none}</p>
            <p className="fine">{says.noneText}</p>
            <StartFromTemplate editing={editing} />
          </div>
        ) : (
          <StepEditor
            key={`${keyOf(draft, step.stepId)} ${draft.replacements}`}
            editing={editing}
            step={step}
            variant={variant}
            results={results.data?.steps.find(({ stepId }) => stepId === step.stepId) ?? null}
            onSelect={(variantId) => select({ step: keyOf(draft, step.stepId), variant: keyOf(draft, variantId) })}
          />
        )}
        {step !== null && variant !== null && (
          <Preview campaignId={campaign.id} editing={editing} step={step} variant={variant} />
        )}
      </div>
    </section>
  );
}
