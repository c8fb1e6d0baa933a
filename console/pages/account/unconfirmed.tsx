import { useCall, useWrite } from "../../api/query.ts";
import { Notice, RefusalAlert } from "../../kit/alert.tsx";
import { say } from "../../kit/toast.tsx";
import { addressWords as says } from "../../words/en/address.ts";

/** A notice for a person who signed up without confirming the address; its button sends the link. */
export function Unconfirmed() {
  const { data: person } = useCall("get /session", {});
  const { run, isRunning, refusal } = useWrite("post /session/confirm-address", { renews: ["get /session"] });
  if (person?.mustConfirmAddress !== true) return null;
  const send = async () => {
    const answer = await run({});
    if (answer !== null) say(says.sent(answer.email));
  };
  return (
    <Notice kind="attention">
      <p>
        <strong>{says.unconfirmed}.</strong> {says.unconfirmedText(person.email)}
      </p>
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      <button type="button" disabled={isRunning} onClick={() => void send()}>
        {says.act}
      </button>
    </Notice>
  );
}
