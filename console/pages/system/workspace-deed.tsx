import { useState } from "react";
import type { Out } from "../../api/call.ts";
import { limitsOf } from "../../api/forms.ts";
import { useWrite } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { Field, Select, TextArea } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { workspacesWords as says } from "../../words/en/workspaces.ts";
import { formatCount } from "../../words/format.ts";

export type Judged = Out<"get /system/workspaces">["items"][number];
export type Deed = "suspend" | "resume" | "limit";

interface DeedProps {
  workspace: Judged;
  onClose: () => void;
}

const RENEWS = ["get /system/workspaces", "get /workspace"] as const;
const WHATS = ["EMAILS", "CONNECTION_TESTS", "IMPORTED_ROWS"] as const;

/** A dialog that says what an action on a workspace does, and asks for the reason. */
export function ActOnWorkspace({ deed, ...props }: DeedProps & { deed: Deed }) {
  if (deed === "suspend") return <Suspend {...props} />;
  return deed === "resume" ? <Resume {...props} /> : <Limit {...props} />;
}

function Suspend({ workspace: { id, name }, onClose }: DeedProps) {
  const { run, isRunning, refusal } = useWrite("post /system/workspaces/suspend", { renews: RENEWS });
  const suspend = async (values: FormValues) => {
    const answer = await run({ workspaceId: id, reason: values.text("reason") });
    if (answer === null) return;
    say(says.saidSuspended(name, answer.campaigns));
    onClose();
  };
  return (
    <Modal title={says.suspendTitle(name)} onClose={onClose}>
      <p>{says.suspendEffect}</p>
      <Form
        act={says.suspendAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={["reason"]}
        onCancel={onClose}
        onSubmit={(values) => void suspend(values)}
      >
        <Reason endpoint="post /system/workspaces/suspend" refusal={refusal} />
      </Form>
    </Modal>
  );
}

function Resume({ workspace: { id, name }, onClose }: DeedProps) {
  const { run, isRunning, refusal } = useWrite("post /system/workspaces/resume", { renews: RENEWS });
  const resume = async (values: FormValues) => {
    const reason = values.given("reason");
    const answer = await run({ workspaceId: id, ...(reason !== undefined && { reason }) });
    if (answer === null) return;
    say(says.saidResumed(name, answer.campaigns));
    onClose();
  };
  return (
    <Modal title={says.resumeTitle(name)} onClose={onClose}>
      <p>{says.resumeEffect}</p>
      <Form
        act={says.resumeAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={["reason"]}
        onCancel={onClose}
        onSubmit={(values) => void resume(values)}
      >
        <Reason endpoint="post /system/workspaces/resume" refusal={refusal} />
      </Form>
    </Modal>
  );
}

function Limit({ workspace: { id, name, ownLimits }, onClose }: DeedProps) {
  const { run, isRunning, refusal } = useWrite("post /system/workspaces/limit", { renews: RENEWS });
  const [what, setWhat] = useState<(typeof WHATS)[number]>("EMAILS");
  const [wish, setWish] = useState<string>("set");
  const present = ownLimits[what];
  const removes = present !== null && wish === "remove";
  const limit = async (values: FormValues) => {
    const most = values.given("most");
    if (!removes && most === undefined) return; // The browser asks for the number
    const asked = { workspaceId: id, what, most: removes ? null : Number(most) };
    if ((await run({ ...asked, reason: values.text("reason") })) === null) return;
    say(removes ? says.saidUnlimited(name) : says.saidLimited(name));
    onClose();
  };
  return (
    <Modal title={says.limitTitle(name)} onClose={onClose}>
      <p>{says.limitEffect}</p>
      <Form
        act={removes ? says.unlimitAct : says.limitAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={["what", "most", "reason"]}
        onCancel={onClose}
        onSubmit={(values) => void limit(values)}
      >
        <Select
          label={says.what}
          name="what"
          value={what}
          options={WHATS.map((value) => ({ value, text: says.whats[value] }))}
          onPick={(value) => setWhat(WHATS.find((one) => one === value) ?? "EMAILS")}
          refusal={refusal}
        />
        {present !== null && (
          <Select
            label={says.wish}
            name="wish"
            value={wish}
            options={(["set", "remove"] as const).map((value) => ({ value, text: says.wishes[value] }))}
            onPick={setWish}
          />
        )}
        {!removes && (
          <Field
            key={what}
            label={says.most}
            hint={present === null ? says.noneYet : says.present(formatCount(present))}
            name="most"
            type="number"
            min={0}
            required
            defaultValue={present ?? ""}
            refusal={refusal}
          />
        )}
        <Reason endpoint="post /system/workspaces/limit" refusal={refusal} />
      </Form>
    </Modal>
  );
}

interface ReasonProps {
  endpoint: `post /system/workspaces/${Deed}`;
  refusal: Refusal | null;
}

function Reason({ endpoint, refusal }: ReasonProps) {
  return (
    <TextArea
      label={says.reason}
      hint={says.reasonHint}
      name="reason"
      rows={2}
      limits={limitsOf(endpoint, "reason")}
      refusal={refusal}
    />
  );
}
