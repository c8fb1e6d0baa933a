import { limitsOf } from "../../api/forms.ts";
import { useWrite } from "../../api/query.ts";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf } from "../../kit/view.ts";
import { FIELD_TYPE, importWords as says } from "../../words/en/leads/import.ts";
import type { FileColumn } from "./reads.ts";
import { NEW_TYPES, typeOf } from "./suggest-type.ts";

const ENDPOINT = "post /custom-fields";

interface NewFieldProps {
  column: FileColumn;
  onCreated: (key: string) => void;
  onClose: () => void;
}

/** Creates a custom field for a column. */
export function NewField({ column: { name, samples }, onCreated, onClose }: NewFieldProps) {
  const create = useWrite(ENDPOINT, { renews: ["get /custom-fields"] });
  const submit = async (values: FormValues) => {
    const type = oneOf(NEW_TYPES, values.text("type")) ?? "TEXT";
    const field = await create.run({ label: values.text("label"), type });
    if (field === null) return;
    say(says.fieldMade(field.label));
    onCreated(field.key);
  };
  return (
    <Modal title={says.fieldTitle(name)} onClose={onClose}>
      <Form
        act={says.fieldAct}
        isRunning={create.isRunning}
        refusal={create.refusal}
        fields={["label", "type"]}
        mayBeLost
        onSubmit={(values) => void submit(values)}
        onCancel={onClose}
      >
        <p>{says.fieldEffect}</p>
        <Field
          label={says.fieldName}
          name="label"
          defaultValue={name.slice(0, 200)}
          required
          refusal={create.refusal}
          limits={limitsOf(ENDPOINT, "label")}
        />
        <Select
          label={says.fieldType}
          hint={says.fieldTypeHint}
          name="type"
          defaultValue={typeOf(samples)}
          refusal={create.refusal}
          options={NEW_TYPES.map((type) => ({ value: type, text: FIELD_TYPE[type] }))}
        />
      </Form>
    </Modal>
  );
}
