import { useState } from "react";
import { TEMPLATE_KINDS, type TemplateKind } from "../../../domain/states.ts";
import { limitsOf } from "../../api/forms.ts";
import { useCall, useRead, useWrite } from "../../api/query.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf } from "../../kit/view.ts";
import { templateWords as says, TEMPLATE_KIND } from "../../words/en/templates.ts";
import { words } from "../../words/en.ts";
import { type Content, Preview } from "./preview.tsx";
import { RENEWS } from "./reads.ts";
import { contentOf, TextFields } from "./text-fields.tsx";

const NOTHING: Content = { subject: null, bodyHtml: null, bodyText: null };
const KINDS = TEMPLATE_KINDS.map((value) => ({ value, text: TEMPLATE_KIND[value] }));

/** Creates a template: a text, or a copy of the sequence of a campaign. */
export function NewTemplate({ kind: first, onClose }: { kind: TemplateKind; onClose: () => void }) {
  const read = useRead();
  const { run, isRunning, refusal } = useWrite("post /templates", { renews: RENEWS });
  const [kind, setKind] = useState<TemplateKind>(first);
  const [campaignId, setCampaignId] = useState("");
  const [typed, setTyped] = useState(NOTHING);
  // The fields of a kind begin with what was typed into those of the kind before it
  const [begun, setBegun] = useState(NOTHING);
  const [unread, setUnread] = useState<Refusal | null>(null);
  const [isReading, setReading] = useState(false);
  const isSequence = kind === "SEQUENCE";
  const hasSubject = kind === "STEP";
  const campaigns = useCall("get /campaigns", { pageSize: 200, sort: "name" }, { isOff: !isSequence });
  const readSequence = async () => {
    setReading(true);
    try {
      const { mode, steps } = await read("get /campaigns/:campaignId/sequence", { campaignId });
      return { mode, steps };
    } catch (err) {
      setUnread(refusalOf(err));
      return null;
    } finally {
      setReading(false);
    }
  };
  const create = async (values: FormValues) => {
    const name = values.text("name");
    setUnread(null);
    const content = isSequence ? await readSequence() : contentOf(values, "", NOTHING);
    if (content === null || (await run({ name, kind, ...content })) === null) return;
    say(says.saidCreated(name));
    onClose();
  };
  const pick = (next: TemplateKind) => {
    setKind(next);
    setBegun(typed);
  };
  const options = (campaigns.data?.items ?? []).map(({ id, name }) => ({ value: id, text: name }));
  return (
    <Modal title={says.add} onClose={onClose} isWide>
      <Form
        act={says.create}
        isRunning={isReading || isRunning}
        refusal={unread ?? refusal}
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
          onPick={(value) => pick(oneOf(TEMPLATE_KINDS, value) ?? kind)}
        />
        {isSequence ? (
          <>
            {campaigns.refusal !== null && <RefusalAlert refusal={campaigns.refusal} again={campaigns.again} />}
            <Select
              label={says.campaign}
              hint={
                campaigns.isLooking ? words.looking : campaigns.data?.items.length === 0 ? says.noCampaign : undefined
              }
              name="campaignId"
              value={campaignId}
              options={[{ value: "", text: says.chooseCampaign }, ...options]}
              onPick={setCampaignId}
              isRequired
            />
          </>
        ) : (
          <>
            <TextFields
              path=""
              content={begun}
              hasSubject={hasSubject}
              refusal={refusal}
              onType={(content) => setTyped({ ...content, subject: hasSubject ? content.subject : typed.subject })}
            />
            <Preview content={hasSubject ? typed : { ...typed, subject: null }} />
          </>
        )}
      </Form>
    </Modal>
  );
}
