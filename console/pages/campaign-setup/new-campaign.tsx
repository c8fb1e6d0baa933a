import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { limitsOf } from "../../api/forms.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { pathTo } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { newCampaignWords as says } from "../../words/en/campaign-setup/setup.ts";

/** The most campaigns that the select box offers as a pattern. */
const LISTED = 200;
const FIELDS = ["name", "newName"];

/** The button that creates a campaign; nothing for a person who may not. */
export function NewCampaign({ isPrimary = true }: { isPrimary?: boolean }) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  if (!may("campaigns:write")) return null;
  return (
    <>
      <button type="button" className={isPrimary ? "primary" : ""} onClick={() => setOpen(true)}>
        {says.open}
      </button>
      {isOpen && <NewCampaignForm onClose={() => setOpen(false)} />}
    </>
  );
}

/** Creates a draft, blank or as a copy of another campaign, and opens its page. */
function NewCampaignForm({ onClose }: { onClose: () => void }) {
  const patterns = useCall("get /campaigns", { pageSize: LISTED });
  // Home's list is not read again here, because with a draft in it the button of this form disappears
  const create = useWrite("post /campaigns", { renews: [] });
  const copy = useWrite("post /campaigns/:campaignId/duplicate", { renews: [] });
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const refusal = create.refusal ?? copy.refusal;
  const submit = async (values: FormValues) => {
    const [name, from] = [values.text("name").trim(), values.given("from")];
    create.clear();
    copy.clear();
    const made = from === undefined ? await create.run({ name }) : await copy.run({ campaignId: from, newName: name });
    if (made === null) return;
    say(says.said(made.name));
    onClose();
    await navigate({ to: pathTo(workspaceId, "/campaigns/$campaignId", { campaignId: made.id }) });
  };
  const { items = [], total = 0 } = patterns.data ?? {};
  return (
    <Modal title={says.title} onClose={onClose}>
      <Form
        act={says.act}
        isRunning={create.isRunning || copy.isRunning}
        refusal={refusal}
        fields={FIELDS}
        onCancel={onClose}
        onSubmit={(values) => void submit(values)}
      >
        <Field
          label={says.name}
          hint={says.nameHint}
          name={copy.refusal === null ? "name" : "newName"}
          limits={limitsOf("post /campaigns", "name")}
          refusal={refusal}
        />
        {patterns.refusal !== null && <RefusalAlert refusal={patterns.refusal} again={patterns.again} />}
        {items.length > 0 && (
          <Select
            label={says.from}
            hint={total > items.length ? `${says.fromHint} ${says.newest(items.length)}` : says.fromHint}
            name="from"
            options={[
              { value: "", text: says.blank },
              ...items.map(({ id, name }) => ({ value: id, text: says.copyOf(name) })),
            ]}
          />
        )}
      </Form>
    </Modal>
  );
}
