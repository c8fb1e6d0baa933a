import { limitsOf } from "../../api/forms.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { testMailWords as says } from "../../words/en/campaign.ts";
import type { Campaign, Step } from "./reads.ts";

const FIELDS = ["toEmail", "stepId"];

/** One mail of the campaign to an address of one's own. Whom it is about is an example, so it reaches none of the campaign's people. */
export function TestMail({ campaign: { id: campaignId, name }, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { data: person } = useCall("get /session", {});
  const sequence = useCall("get /campaigns/:campaignId/sequence", { campaignId });
  const { run, isRunning, refusal } = useWrite("post /campaigns/:campaignId/test-send", { renews: [] });
  const submit = async (values: FormValues) => {
    const stepId = values.given("stepId");
    const sent = await run({ campaignId, toEmail: values.text("toEmail"), ...(stepId !== undefined && { stepId }) });
    if (sent === null) return;
    say(says.said(values.text("toEmail")));
    onClose();
  };
  return (
    <Modal title={says.title(name)} onClose={onClose}>
      <p>{says.effect}</p>
      {person === undefined || sequence.data === undefined ? (
        <Looking isLooking={true} />
      ) : (
        <Form
          act={says.act}
          isRunning={isRunning}
          refusal={refusal}
          fields={FIELDS}
          onCancel={onClose}
          onSubmit={(values) => void submit(values)}
        >
          <Select label={says.step} name="stepId" options={mailsOf(sequence.data.steps)} refusal={refusal} />
          <Field
            label={says.to}
            name="toEmail"
            type="email"
            defaultValue={person.email}
            limits={limitsOf("post /campaigns/:campaignId/test-send", "toEmail")}
            refusal={refusal}
          />
        </Form>
      )}
    </Modal>
  );
}

/** The mails of the sequence by their place and their subject. */
function mailsOf(steps: readonly Step[]) {
  const mails = steps.filter(({ type }) => type === "EMAIL");
  return mails.map(({ stepId, order, variants: [first] }) => ({ value: stepId, text: says.mail(order, first?.subject ?? "") }));
}
