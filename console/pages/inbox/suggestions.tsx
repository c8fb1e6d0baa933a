import { useState } from "react";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Select } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { suggestionWords as says } from "../../words/en/inbox.ts";
import { words } from "../../words/en.ts";
import { formatShare } from "../../words/format.ts";

/** The path of the field in the request, by which its error is shown beside it. */
const FIELD = "patch.acceptSuggestedFrom";
const SHARES = [0.9, 0.8, 0.7, 0.6];

/**
 * Sets whether a person must confirm suggested categories that show interest. Members who cannot change this see the
 * setting.
 */
export function Suggestions() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {says.open}
      </button>
      {isOpen && <Choice onClose={() => setOpen(false)} />}
    </>
  );
}

function Choice({ onClose }: { onClose: () => void }) {
  const mayWrite = useMay()("workspace:write");
  const from = useCall("get /workspace", {}).data?.acceptSuggestedFrom;
  const { run, isRunning, refusal } = useWrite("post /workspace", { renews: ["get /workspace"] });
  if (from === undefined) return null;
  const shares = from === null || SHARES.includes(from) ? SHARES : [from, ...SHARES];
  return (
    <Modal title={says.title} onClose={onClose}>
      {mayWrite ? (
        <Form
          act={says.act}
          isRunning={isRunning}
          refusal={refusal}
          fields={["patch"]}
          onCancel={onClose}
          onSubmit={async (values) => {
            const chosen = values.given(FIELD);
            const acceptSuggestedFrom = chosen === undefined ? null : Number(chosen);
            if ((await run({ action: "update", patch: { acceptSuggestedFrom } })) === null) return;
            onClose();
            say(says.said);
          }}
        >
          <Select
            label={says.label}
            hint={says.hint}
            name={FIELD}
            refusal={refusal}
            defaultValue={String(from ?? "")}
            options={[
              { value: "", text: says.byPerson },
              ...shares.map((one) => ({ value: String(one), text: says.from(formatShare(one)) })),
            ]}
          />
        </Form>
      ) : (
        <>
          <p>{from === null ? says.byPerson : says.from(formatShare(from))}</p>
          <p className="fine">{says.hint}</p>
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
