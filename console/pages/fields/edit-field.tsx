import { limitsOf } from "../../api/forms.ts";
import { useWrite } from "../../api/query.ts";
import { Field, TextArea } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { fieldWords as says } from "../../words/en/leads/fields.ts";
import { type CustomField, linesOf, RENEWS } from "./reads.ts";

/** Changes the name of a field, and the options of one that has some. Only what changed is sent. */
export function EditField({ field, onClose }: { field: CustomField; onClose: () => void }) {
  const write = useWrite("post /custom-fields/manage", { renews: RENEWS });
  const refusal = write.refusal?.within("input") ?? null;
  const { id: fieldId, label, options } = field;
  const save = async (values: FormValues) => {
    const [name, lines] = [values.text("label").trim(), linesOf(values.text("options"))];
    const input = {
      ...(name !== label && { label: name }),
      ...(options !== null && lines.join("\n") !== options.join("\n") && { options: lines }),
    };
    if (Object.keys(input).length === 0) return onClose();
    if ((await write.run({ action: "update", fieldId, input })) === null) return;
    say(says.saidSaved(name));
    onClose();
  };
  return (
    <Modal title={says.editTitle(label)} onClose={onClose}>
      <Form
        act={says.save}
        isRunning={write.isRunning}
        refusal={refusal}
        fields={["label", "options"]}
        onSubmit={(values) => void save(values)}
        onCancel={onClose}
      >
        <Field
          label={says.name}
          name="label"
          autoComplete="off"
          defaultValue={label}
          required
          refusal={refusal}
          limits={limitsOf("post /custom-fields", "label")}
        />
        {options !== null && (
          <TextArea
            label={says.options}
            hint={`${says.optionsHint}. ${says.optionsKept}`}
            name="options"
            rows={6}
            defaultValue={options.join("\n")}
            required
            refusal={refusal}
          />
        )}
      </Form>
    </Modal>
  );
}
