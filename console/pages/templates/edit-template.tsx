import { useState } from "react";
import { limitsOf } from "../../api/forms.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Field } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { templateWords as says } from "../../words/en/templates.ts";
import { words } from "../../words/en.ts";
import { type Content, Preview } from "./preview.tsx";
import { RENEWS, type Template } from "./reads.ts";
import { contentOf, TextFields } from "./text-fields.tsx";

/** Changes a template in a dialog; the text that is typed in last is shown as a person would read it. */
export function EditTemplate({ templateId, onClose }: { templateId: string; onClose: () => void }) {
  const mayWrite = useMay()("campaigns:write");
  const { data, refusal, isLooking, again } = useCall("get /templates/:templateId", { templateId });
  // The form keeps the version that it began with, so that a change by someone else is noticed on saving. It begins
  // with what the service has now, not with what an earlier visit read
  const [begun, setBegun] = useState<Template | null>(null);
  if (begun === null && data !== undefined && !isLooking && refusal === null) setBegun(data);
  return (
    <Modal title={begun?.name ?? says.title} onClose={onClose} isWide>
      {begun === null && refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {begun === null && <Looking isLooking={isLooking} />}
      {begun !== null && mayWrite && <EditForm template={begun} onClose={onClose} />}
      {begun !== null && !mayWrite && (
        <>
          <Preview content={firstOf(begun)} />
          <div className="buttons">
            <button type="button" onClick={onClose}>
              {words.close}
            </button>
          </div>
        </>
      )}
    </Modal>
  );
}

function EditForm({ template, onClose }: { template: Template; onClose: () => void }) {
  const { run, isRunning, refusal } = useWrite("patch /templates/:templateId", { renews: RENEWS });
  const [shown, setShown] = useState<Content>(firstOf(template));
  const isSequence = template.kind === "SEQUENCE";
  const save = async (values: FormValues) => {
    const content = isSequence ? { steps: stepsFrom(template, values) } : contentOf(values, "", template);
    const asked = { templateId: template.id, expectedVersion: template.version, name: values.text("name"), ...content };
    if ((await run(asked)) === null) return;
    say(says.saidSaved(asked.name));
    onClose();
  };
  return (
    <Form act={says.save} isRunning={isRunning} refusal={refusal} fields={["name"]} onCancel={onClose} onSubmit={save}>
      <Field
        label={says.name}
        name="name"
        defaultValue={template.name}
        limits={limitsOf("patch /templates/:templateId", "name")}
        refusal={refusal}
        required
      />
      {!isSequence && (
        <TextFields
          path=""
          content={template}
          hasSubject={template.kind === "STEP"}
          refusal={refusal}
          onType={setShown}
        />
      )}
      {template.steps.map(({ stepId, type, variants }, step) => (
        <div key={stepId}>
          {type !== "EMAIL" && (
            <fieldset>
              <legend>{says.step(step + 1, "", true)}</legend>
              <p className="fine">{says.noText}</p>
            </fieldset>
          )}
          {variants.map((variant, at) => (
            <fieldset key={variant.variantId}>
              <legend>{says.step(step + 1, variant.label, variants.length === 1)}</legend>
              <TextFields
                path={`steps.${step}.variants.${at}.`}
                content={variant}
                hasSubject
                refusal={refusal}
                onType={setShown}
              />
            </fieldset>
          ))}
        </div>
      ))}
      <Preview content={shown} />
    </Form>
  );
}

/** The text that is shown before anything is typed. */
function firstOf({ subject, bodyHtml, bodyText, steps }: Template): Content {
  const [variant] = steps.flatMap(({ variants }) => variants);
  return variant ?? { subject, bodyHtml, bodyText };
}

function stepsFrom({ steps }: Template, values: FormValues): Template["steps"] {
  return steps.map((one, step) => ({
    ...one,
    variants: one.variants.map((variant, at) => ({
      ...variant,
      ...contentOf(values, `steps.${step}.variants.${at}.`, variant),
    })),
  }));
}
