import { useState } from "react";
import { useWrite } from "../../api/query.ts";
import { Field } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { say } from "../../kit/toast.tsx";
import { accountWords as says } from "../../words/en/access/account.ts";

/** Another password, which ends every other session. */
export function PasswordChange({ email }: { email: string }) {
  const { run, isRunning, refusal } = useWrite("post /password", { renews: ["get /session", "get /sessions"] });
  const [changes, setChanges] = useState(0);
  const change = async (values: FormValues) => {
    const answer = await run({ currentPassword: values.text("currentPassword"), password: values.text("password") });
    if (answer === null) return;
    say(says.passwordChanged);
    setChanges(changes + 1);
  };
  return (
    <section aria-labelledby="password" className="narrow">
      <h2 id="password">{says.password}</h2>
      <p>{says.passwordEffect}</p>
      {/* What was typed goes with the form that it was typed into */}
      <Form
        key={changes}
        act={says.passwordAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={["currentPassword", "password"]}
        onSubmit={(values) => void change(values)}
      >
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <Field
          label={says.current}
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          required
          maxLength={800}
          refusal={refusal}
        />
        <Field
          label={says.next}
          hint={says.nextHint}
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={800}
          refusal={refusal}
        />
      </Form>
    </section>
  );
}
