import { useState } from "react";
import { canUsePasskeys, makePasskey } from "../../api/passkeys.ts";
import { useWrite } from "../../api/query.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { Field } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Confirm, Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { When } from "../../kit/when.tsx";
import { factorWords as says } from "../../words/en/access/account.ts";
import { type Factor, RENEWS } from "./reads.ts";

type Passkey = Factor["passkeys"][number];

interface PasskeysProps {
  factor: Factor;
  onCodes: (codes: readonly string[]) => void;
}

/** The person's passkeys. The browser asks for a passkey in its own dialog. */
export function Passkeys({ factor: { passkeys, totp }, onCodes }: PasskeysProps) {
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  return (
    <>
      <h3>{says.passkeys}</h3>
      {passkeys.length === 0 && <p>{says.noPasskeys}</p>}
      {passkeys.length > 0 && (
        <ul className="plain">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="pairs">
              <bdi>{passkey.name}</bdi>
              <span className="fine">
                {says.since} <When at={passkey.createdAt} />
              </span>
              <button type="button" onClick={() => setRemoving(passkey)}>
                {says.passkeyRemove} <span className="hidden">{passkey.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {canUsePasskeys() ? (
        <p>
          <button type="button" onClick={() => setAdding(true)}>
            {says.passkeyAdd}
          </button>
        </p>
      ) : (
        <p className="fine">{says.cannotPasskey}</p>
      )}
      {isAdding && (
        <AddPasskey
          onClose={() => setAdding(false)}
          onAdded={(codes) => {
            setAdding(false);
            say(says.passkeyAdded);
            if (codes !== null) onCodes(codes);
          }}
        />
      )}
      {removing !== null && (
        <RemovePasskey passkey={removing} isLast={passkeys.length === 1 && !totp} onClose={() => setRemoving(null)} />
      )}
    </>
  );
}

interface AddPasskeyProps {
  onClose: () => void;
  /** Called with the recovery codes if the passkey is the first second factor, otherwise with null. */
  onAdded: (codes: readonly string[] | null) => void;
}

function AddPasskey({ onClose, onAdded }: AddPasskeyProps) {
  const offer = useWrite("post /second-factor", { renews: [] });
  const add = useWrite("post /second-factor", { renews: RENEWS });
  const [notMade, setNotMade] = useState<Refusal | null>(null);
  const [isAsking, setAsking] = useState(false);
  const submit = async (name: string) => {
    setNotMade(null);
    const offered = await offer.run({ action: "offerPasskey" });
    if (offered === null) return;
    setAsking(true);
    try {
      const passkey = await makePasskey(offered.options);
      const answer = await add.run({ action: "addPasskey", name, passkey });
      if (answer !== null) onAdded(answer.recoveryCodes);
    } catch (err) {
      setNotMade(refusalOf(err));
    } finally {
      setAsking(false);
    }
  };
  const refusal = notMade ?? offer.refusal ?? add.refusal;
  return (
    <Modal title={says.passkeyTitle} onClose={onClose}>
      <p>{says.passkeyText}</p>
      <Form
        act={says.passkeyAct}
        isRunning={offer.isRunning || isAsking}
        refusal={refusal}
        fields={["name"]}
        onSubmit={(values) => void submit(values.text("name"))}
        onCancel={onClose}
      >
        <Field
          label={says.passkeyName}
          hint={says.passkeyHint}
          name="name"
          required
          maxLength={200}
          autoComplete="off"
          refusal={refusal}
        />
      </Form>
    </Modal>
  );
}

function RemovePasskey({
  passkey: { id, name },
  isLast,
  onClose,
}: {
  passkey: Passkey;
  isLast: boolean;
  onClose: () => void;
}) {
  const { run, isRunning, refusal } = useWrite("post /second-factor", { renews: RENEWS });
  const remove = async () => {
    if ((await run({ action: "removePasskey", passkeyId: id })) === null) return;
    say(says.passkeyRemoved(name));
    onClose();
  };
  return (
    <Confirm
      title={`${says.passkeyRemove} ${name}`}
      effect={
        <>
          <p>{says.passkeyRemoveEffect(name)}</p>
          {isLast && <p>{says.lastEffect}</p>}
        </>
      }
      act={says.passkeyRemove}
      isDangerous
      isRunning={isRunning}
      refusal={refusal}
      onAct={() => void remove()}
      onClose={onClose}
    />
  );
}
