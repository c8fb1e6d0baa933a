import { useCall, useWrite } from "../../api/query.ts";
import { Notice } from "../../kit/alert.tsx";
import { Field } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { testSendWords as says } from "../../words/en/sequence-editor.ts";
import { isSameStep, type Step, type Variant } from "./draft.ts";
import type { Reader } from "./reader.tsx";
import type { Editing } from "./use-draft.ts";
import { savedPlaceOf } from "./use-preview.ts";

interface TestSendProps {
  campaignId: string;
  editing: Editing;
  step: Step;
  variant: Variant;
  reader: Reader | null;
  onClose: () => void;
}

/** Sends the saved text of one variant to an address of the person. */
export function TestSend({ campaignId, editing: { draft }, step, variant, reader, onClose }: TestSendProps) {
  const { run, isRunning, refusal } = useWrite("post /campaigns/:campaignId/test-send", { renews: [] });
  const person = useCall("get /session", {});
  const { base } = draft;
  const { stepId, variantId } = savedPlaceOf(base, step, variant);
  const isSaved = stepId === step.stepId && variantId === variant.variantId;
  const isCurrent = isSameStep(
    step,
    base.steps.find((one) => one.stepId === step.stepId),
  );
  const send = async (toEmail: string) => {
    if (stepId === undefined || variantId === undefined) return;
    const answer = await run({
      campaignId,
      stepId,
      variantId,
      toEmail,
      ...(reader !== null && { leadId: reader.leadId }),
    });
    if (answer === null) return;
    say(says.said(toEmail));
    onClose();
  };
  return (
    <Modal title={says.title(step.order, variant.label)} onClose={onClose}>
      {isSaved ? (
        <Form
          act={says.act}
          isRunning={isRunning}
          refusal={refusal}
          fields={["toEmail"]}
          mayBeLost
          onSubmit={(values) => void send(values.text("toEmail").trim())}
          onCancel={onClose}
        >
          <p>{says.effect(reader?.email ?? says.example)}</p>
          {!isCurrent && <Notice kind="attention">{says.savedOnly}</Notice>}
          <Field
            label={says.to}
            name="toEmail"
            type="email"
            required
            refusal={refusal}
            defaultValue={person.data?.email ?? ""}
          />
        </Form>
      ) : (
        <Notice kind="attention">{says.notSaved}</Notice>
      )}
    </Modal>
  );
}
