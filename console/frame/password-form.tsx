import { useCall, useWrite } from "../api/query.ts";
import { Field } from "../kit/field.tsx";
import { Form } from "../kit/form.tsx";
import { Modal } from "../kit/modal.tsx";
import { sessionWords as says } from "../words/en/frame.ts";

/** The password, and the code of whoever has a second factor. */
export function PasswordForm({ onDone }: { onDone: (wasGiven: boolean) => void }) {
  const { data: person } = useCall("get /session", {});
  const { run, isRunning, refusal } = useWrite("post /session/confirm", { renews: ["get /session"] });
  return (
    <Modal title={says.confirm} onClose={() => onDone(false)}>
      <p>{says.confirmText}</p>
      <Form
        act={says.confirmAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={["password", "code"]}
        onCancel={() => onDone(false)}
        onSubmit={async (values) => {
          const code = values.given("code");
          const answered = await run({ password: values.text("password"), ...(code !== undefined && { code }) });
          if (answered !== null) onDone(true);
        }}
      >
        {/* Password managers want to know for whom */}
        <input type="hidden" autoComplete="username" value={person?.email ?? ""} readOnly />
        <Field label={says.password} name="password" type="password" autoComplete="current-password" required refusal={refusal} />
        {person?.hasSecondFactor === true && (
          <Field label={says.code} name="code" autoComplete="one-time-code" inputMode="numeric" required refusal={refusal} />
        )}
      </Form>
    </Modal>
  );
}
