import { useState } from "react";
import { TEMPLATE_KINDS, type TemplateKind } from "../../../domain/states.ts";
import { limitsOf } from "../../api/forms.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf } from "../../kit/view.ts";
import { templateWords as says, TEMPLATE_KIND } from "../../words/en/templates.ts";
import { type Content, Preview } from "./preview.tsx";
import { RENEWS } from "./reads.ts";
import { contentOf, TextFields } from "./text-fields.tsx";

const NOTHING: Content = { subject: null, bodyHtml: null, bodyText: null };
const KINDS = TEMPLATE_KINDS.map((value) => ({ value, text: TEMPLATE_KIND[value] }));

/** Creates a template: a text, or a copy of the sequence of a campaign. */
export function NewTemplate({ kind: first, onClose }: { kind: TemplateKind; onClose: () => void }) {
  const { run, isRunning, refusal } = useWrite("post /templates", { renews: RENEWS });
  const [kind, setKind] = useState<TemplateKind>(first);
  const [campaignId, setCampaignId] = useState("");
  const [shown, setShown] = useState(NOTHING);
  const isSequence = kind === "SEQUENCE";
  const campaigns = useCall("get /campaigns", { pageSize: 200, sort: "name" }, { isOff: !isSequence });
  const sequence = useCall("get /campaigns/:campaignId/sequence", { campaignId }, { isOff: campaignId === "" });
  const create = async (values: FormValues) => {
    const name = values.text("name");
    const { data } = sequence;
    if (isSequence && data === undefined) return;
    const content = isSequence
      ? { ...(data !== undefined && { mode: data.mode, steps: data.steps }) }
      : contentOf(values, "", NOTHING);
    if ((await run({ name, kind, ...content })) === null) return;
    say(says.saidCreated(name));
    onClose();
  };
  const options = (campaigns.data?.items ?? []).map(({ id, name }) => ({ value: id, text: name }));
  return (
    <Modal title={says.add} onClose={onClose} isWide>
      <Form
        act={says.create}
        isRunning={isRunning}
        refusal={refusal}
        fields={["name"]}
        onCancel={onClose}
        onSubmit={create}
      >
        <Field
          label={says.name}
          name="name"
          autoComplete="off"
          limits={limitsOf("post /templates", "name")}
          refusal={refusal}
        />
        <Select
          label={says.kind}
          hint={says.kindHint[kind]}
          name="kind"
          value={kind}
          options={KINDS}
          onPick={(value) => setKind(oneOf(TEMPLATE_KINDS, value) ?? kind)}
        />
        {isSequence ? (
          <Select
            label={says.campaign}
            hint={campaigns.data?.items.length === 0 ? says.noCampaign : undefined}
            name="campaignId"
            value={campaignId}
            options={[{ value: "", text: says.chooseCampaign }, ...options]}
            onPick={setCampaignId}
            isRequired
          />
        ) : (
          <>
            <TextFields path="" content={NOTHING} hasSubject={kind === "STEP"} refusal={refusal} onType={setShown} />
            <Preview content={shown} />
          </>
        )}
      </Form>
    </Modal>
  );
}
