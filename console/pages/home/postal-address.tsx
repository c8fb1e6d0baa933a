import { useState } from "react";
import { useWrite } from "../../api/query.ts";
import { TextArea } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { postalWords as says } from "../../words/en/home.ts";

/** The path of the field in the request, by which its error is shown beside it. */
const FIELD = "patch.postalAddress";

/** Sets the postal address in the footer of each campaign email. */
export function PostalAddress() {
  const { run, isRunning, refusal, clear } = useWrite("post /workspace", { renews: ["get /workspace", "get /home"] });
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    clear();
    setOpen(true);
  };
  return (
    <>
      <button type="button" onClick={open}>
        {says.open}
      </button>
      {isOpen && (
        <Modal title={says.title} onClose={() => setOpen(false)}>
          <Form
            act={says.act}
            isRunning={isRunning}
            refusal={refusal}
            fields={["patch"]}
            onCancel={() => setOpen(false)}
            onSubmit={async (values) => {
              if ((await run({ action: "update", patch: { postalAddress: values.text(FIELD) } })) === null) return;
              setOpen(false);
              say(says.said);
            }}
          >
            <TextArea
              label={says.label}
              hint={says.hint}
              name={FIELD}
              rows={4}
              autoComplete="street-address"
              refusal={refusal}
            />
          </Form>
        </Modal>
      )}
    </>
  );
}
