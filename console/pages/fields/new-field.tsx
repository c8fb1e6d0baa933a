import { useState } from "react";
import { FIELD_TYPES, type FieldType } from "../../../domain/states.ts";
import { limitsOf } from "../../api/forms.ts";
import { useWrite } from "../../api/query.ts";
import { Field, Select, TextArea } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf } from "../../kit/view.ts";
import { FIELD_TYPE, fieldWords as says } from "../../words/en/leads/fields.ts";
import { linesOf, RENEWS } from "./reads.ts";

const ENDPOINT = "post /custom-fields";

interface NewFieldProps {
  title: string;
  /** The name and the type that the form begins with. */
  label?: string;
  type?: FieldType;
  typeHint?: string;
  onCreated: (key: string) => void;
  onClose: () => void;
}

/** Creates a custom field. */
export function NewField({
  title,
  label = "",
  type: first = "TEXT",
  typeHint = says.typeHint,
  onCreated,
  onClose,
}: NewFieldProps) {
  const create = useWrite(ENDPOINT, { renews: RENEWS });
  const [type, setType] = useState(first);
  const { refusal } = create;
  const submit = async (values: FormValues) => {
    const key = values.given("key");
    const field = await create.run({
      label: values.text("label"),
      type,
      ...(key !== undefined && { key }),
      ...(type === "SELECT" && { options: linesOf(values.text("options")) }),
    });
    if (field === null) return;
    say(says.saidCreated(field.label));
    onCreated(field.key);
  };
  return (
    <Modal title={title} onClose={onClose}>
      <Form
        act={says.create}
        isRunning={create.isRunning}
        refusal={refusal}
        fields={["label", "key", "type", "options"]}
        mayBeLost
        onSubmit={(values) => void submit(values)}
        onCancel={onClose}
      >
        <p>{says.effect}</p>
        <Field
          label={says.name}
          name="label"
          autoComplete="off"
          defaultValue={label.slice(0, 200)}
          required
          refusal={refusal}
          limits={limitsOf(ENDPOINT, "label")}
        />
        <Select
          label={says.type}
          hint={typeHint}
          name="type"
          value={type}
          refusal={refusal}
          options={FIELD_TYPES.map((one) => ({ value: one, text: FIELD_TYPE[one] }))}
          onPick={(picked) => setType(oneOf(FIELD_TYPES, picked) ?? "TEXT")}
        />
        {type === "SELECT" && (
          <TextArea label={says.options} hint={says.optionsHint} name="options" rows={4} required refusal={refusal} />
        )}
        <Field label={says.key} hint={says.keyHint} name="key" autoComplete="off" refusal={refusal} />
      </Form>
    </Modal>
  );
}
