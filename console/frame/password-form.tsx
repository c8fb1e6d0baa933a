import { useState } from "react";
import { type PasskeyAnswer, provePasskey } from "../api/passkeys.ts";
import { useCall, useWrite } from "../api/query.ts";
import { type Refusal, refusalOf } from "../api/refusal.ts";
import { Field } from "../kit/field.tsx";
import { Form, type FormValues } from "../kit/form.tsx";
import { Looking } from "../kit/looking.tsx";
import { Modal } from "../kit/modal.tsx";
import { confirmWords as says } from "../words/en/access/confirm.ts";

type Way = "code" | "passkey";

/** Asks for the password and, from people who have one, the second factor: a code or a passkey. */
export function PasswordForm({ onDone }: { onDone: (wasGiven: boolean) => void }) {
  const { data: person } = useCall("get /session", {});
  const hasFactor = person?.hasSecondFactor === true;
  const factor = useCall("get /second-factor", {}, { isOff: !hasFactor });
  const confirm = useWrite("post /session/confirm", { renews: ["get /session"] });
  const ask = useWrite("post /second-factor", { renews: [] });
  const [chosen, setChosen] = useState<Way | null>(null);
  const [notGiven, setNotGiven] = useState<Refusal | null>(null);
  const isKnown = person !== undefined && (!hasFactor || factor.data !== undefined);
  const hasPasskey = (factor.data?.passkeys.length ?? 0) > 0;
  const way = chosen ?? (hasPasskey && factor.data?.totp === false ? "passkey" : "code");
  const refusal = notGiven ?? confirm.refusal ?? ask.refusal ?? factor.refusal;

  const submit = async (values: FormValues) => {
    setNotGiven(null);
    const second = hasFactor && way === "passkey" ? await prove() : {};
    if (second === null) return;
    const code = way === "code" ? values.given("code") : undefined;
    const confirmation = await confirm.run({
      password: values.text("password"),
      ...(code !== undefined && { code }),
      ...second,
    });
    if (confirmation !== null) onDone(true);
  };
  const prove = async (): Promise<{ passkey: PasskeyAnswer } | null> => {
    const challenge = await ask.run({ action: "askPasskey" });
    if (challenge === null) return null;
    try {
      return { passkey: await provePasskey(challenge.options) };
    } catch (err) {
      setNotGiven(refusalOf(err));
      return null;
    }
  };

  return (
    <Modal title={says.title} onClose={() => onDone(false)}>
      <p>{says.text}</p>
      <Form
        act={says.act}
        isRunning={confirm.isRunning || ask.isRunning || !isKnown}
        refusal={refusal}
        fields={["password", "code"]}
        mayBeLost
        onCancel={() => onDone(false)}
        onSubmit={(values) => void submit(values)}
      >
        {/* Tells password managers the account */}
        <input type="hidden" autoComplete="username" value={person?.email ?? ""} readOnly />
        <Field
          label={says.password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          refusal={refusal}
        />
        {!isKnown && <Looking isLooking={true} />}
        {isKnown && hasFactor && way === "code" && (
          <Field
            label={factor.data?.totp === false ? says.recovery : says.code}
            name="code"
            autoComplete="one-time-code"
            required
            refusal={refusal}
          />
        )}
        {isKnown && hasFactor && way === "passkey" && <p>{says.byPasskey}</p>}
        {hasPasskey && (
          <button type="button" onClick={() => setChosen(way === "code" ? "passkey" : "code")}>
            {way === "code" ? says.usePasskey : says.useCode}
          </button>
        )}
      </Form>
    </Modal>
  );
}
