import type { Out } from "../../api/call.ts";
import { limitsOf } from "../../api/forms.ts";
import { useWrite } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { Field, Select, TextArea } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { workspacesWords as says } from "../../words/en/workspaces.ts";
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

function Limit({ workspace: { id, name, cap }, onClose }: DeedProps) {
  const { run, isRunning, refusal } = useWrite("post /system/workspaces/limit", { renews: RENEWS });
  const limit = async (values: FormValues) => {
    const most = values.given("most");
    const what = WHATS.find((one) => one === values.text("what")) ?? "EMAILS";
    const asked = { workspaceId: id, what, most: most === undefined ? null : Number(most) };
    if ((await run({ ...asked, reason: values.text("reason") })) === null) return;
    say(says.saidLimited(name));
    onClose();
  };
  return (
    <Modal title={says.limitTitle(name)} onClose={onClose}>
      <p>{says.limitEffect}</p>
      <Form
        act={says.limitAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={["what", "most", "reason"]}
        onCancel={onClose}
        onSubmit={(values) => void limit(values)}
      >
        <Select
          label={says.what}
          name="what"
          options={WHATS.map((value) => ({ value, text: says.whats[value] }))}
          refusal={refusal}
        />
        <Field
          label={says.most}
          hint={says.mostHint}
          name="most"
          type="number"
          min={0}
          defaultValue={cap?.by === "OPERATOR" ? cap.most : ""}
          refusal={refusal}
        />
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
