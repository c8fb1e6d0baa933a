import { useState } from "react";
import { useWrite } from "../../api/query.ts";
import { Select, TextArea } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { verificationWords as says } from "../../words/en/leads/verification.ts";
import { linesOf } from "../fields/reads.ts";
import { JOBS, useLists } from "./reads.ts";

/** Starts a verification of a list or of typed addresses. */
export function StartVerification({ listId, onClose }: { listId: string | null; onClose: () => void }) {
  const { lists } = useLists();
  const [picked, setPicked] = useState<"list" | "emails" | null>(null);
  const { run, isRunning, refusal } = useWrite("post /verification/jobs", { renews: JOBS });
  const what = picked ?? (lists.length > 0 ? "list" : "emails");
  const start = async (values: FormValues) => {
    const asked = what === "list" ? { listId: values.text("listId") } : { emails: linesOf(values.text("emails")) };
    if ((await run(asked)) === null) return;
    say(says.saidStarted);
    onClose();
  };
  return (
    <Modal title={says.start} onClose={onClose}>
      <Form
        act={says.startAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={["listId", "emails"]}
        onSubmit={(values) => void start(values)}
        onCancel={onClose}
      >
        {lists.length === 0 ? (
          <p>{says.noLists}</p>
        ) : (
          <Select
            label={says.what}
            name="what"
            value={what}
            options={[
              { value: "list", text: says.ofList },
              { value: "emails", text: says.ofAddresses },
            ]}
            onPick={(value) => setPicked(value === "list" ? "list" : "emails")}
          />
        )}
        {what === "list" ? (
          <Select
            label={says.list}
            name="listId"
            defaultValue={listId ?? ""}
            refusal={refusal}
            options={lists.map(({ id, name, memberCount }) => ({ value: id, text: says.members(name, memberCount) }))}
          />
        ) : (
          <TextArea
            label={says.emails}
            hint={says.emailsHint}
            name="emails"
            rows={8}
            required
            spellCheck={false}
            refusal={refusal}
          />
        )}
        <p className="fine">{says.slow}</p>
      </Form>
    </Modal>
  );
}
