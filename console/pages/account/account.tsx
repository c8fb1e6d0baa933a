import { useState } from "react";
import { useCall, useWrite } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Field } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Page } from "../../kit/page.tsx";
import { say } from "../../kit/toast.tsx";
import { accountWords as says } from "../../words/en/access/account.ts";
import { SecondFactor } from "./second-factor.tsx";
import { Sessions } from "./sessions.tsx";

/** The person's own account, which is shared by all their workspaces: name, password, second factor, sessions. */
export function Account() {
  const { data: person, refusal, again } = useCall("get /session", {});
  return (
    <Page title={says.title}>
      {person === undefined && refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {person === undefined && refusal === null && <Looking isLooking={true} />}
      {person !== undefined && (
        <>
          <p>{says.signedInAs(person.email)}</p>
          <div className="narrow">
            <Name key={person.name} name={person.name} />
          </div>
          <SecondFactor />
          <Sessions />
          <PasswordChange email={person.email} />
        </>
      )}
    </Page>
  );
}

function Name({ name }: { name: string | null }) {
  const { run, isRunning, refusal } = useWrite("patch /session", { renews: ["get /session", "get /members"] });
  const rename = async (next: string) => {
    if ((await run({ name: next })) !== null) say(says.named);
  };
  return (
    <Form
      act={says.save}
      isRunning={isRunning}
      refusal={refusal}
      fields={["name"]}
      onSubmit={(values) => void rename(values.text("name"))}
    >
      <Field
        label={says.name}
        name="name"
        autoComplete="name"
        required
        maxLength={200}
        defaultValue={name ?? ""}
        refusal={refusal}
      />
    </Form>
  );
}

/** Sets a new password, which ends every other session. */
function PasswordChange({ email }: { email: string }) {
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
      {/* A new key replaces the form, and with it the typed passwords */}
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
