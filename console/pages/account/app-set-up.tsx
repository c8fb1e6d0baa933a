import { useEffect, useRef, useState } from "react";
import { useWrite } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { ShownOnce } from "../../kit/copy.tsx";
import { Field } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Modal } from "../../kit/modal.tsx";
import { factorWords as says } from "../../words/en/access/account.ts";
import { RENEWS } from "./reads.ts";

interface AppSetUpProps {
  onClose: () => void;
  onCodes: (codes: readonly string[]) => void;
}

/**
 * Shows a new secret for an authenticator app. It becomes a second factor when the person enters a code from the app.
 */
export function AppSetUp({ onClose, onCodes }: AppSetUpProps) {
  const offer = useWrite("post /second-factor", { renews: [] });
  const confirm = useWrite("post /second-factor", { renews: RENEWS });
  const [offered, setOffered] = useState<{ secret: string; uri: string } | null>(null);
  const hasAsked = useRef(false);
  const ask = async () => setOffered(await offer.run({ action: "offerTotp" }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the dialog opens
  useEffect(() => {
    if (hasAsked.current) return;
    hasAsked.current = true;
    void ask();
  }, []);
  const submit = async (code: string) => {
    const answer = await confirm.run({ action: "confirmTotp", code });
    if (answer !== null) onCodes(answer.recoveryCodes);
  };
  return (
    <Modal title={says.appTitle} onClose={onClose}>
      {offer.refusal !== null && <RefusalAlert refusal={offer.refusal} again={() => void ask()} />}
      {offered === null && <Looking isLooking={offer.isRunning} />}
      {offered !== null && (
        <Form
          act={says.appAct}
          isRunning={confirm.isRunning}
          refusal={confirm.refusal}
          fields={["code"]}
          onSubmit={(values) => void submit(values.text("code"))}
          onCancel={onClose}
        >
          <p>{says.appText}</p>
          <p>
            <a className="button" href={offered.uri}>
              {says.link}
            </a>
          </p>
          <ShownOnce label={says.secret} text={inGroups(offered.secret)} />
          <Field
            label={says.code}
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            maxLength={40}
            refusal={confirm.refusal}
          />
        </Form>
      )}
    </Modal>
  );
}

/** Splits the secret into groups of four characters, which are easier to read and type. Apps ignore the spaces. */
function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(" ") ?? secret;
}
