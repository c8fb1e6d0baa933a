import { useState } from "react";
import { useCall, useWrite } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { ShownOnce } from "../../kit/copy.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Confirm, Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { factorWords as says } from "../../words/en/access/account.ts";
import { AppSetUp } from "./app-set-up.tsx";
import { Passkeys } from "./passkeys.tsx";
import { type Factor, RENEWS } from "./reads.ts";

/** The second factors: an app, passkeys, and the recovery codes that come with either. */
export function SecondFactor() {
  const { data, refusal, again } = useCall("get /second-factor", {});
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <section aria-labelledby="factor">
      <h2 id="factor">{says.title}</h2>
      <p>
        {says.why} {data !== undefined && !data.totp && data.passkeys.length === 0 && says.none}
      </p>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {data === undefined && refusal === null && <Looking isLooking={true} />}
      {data !== undefined && (
        <>
          <App factor={data} onCodes={setCodes} />
          <Passkeys factor={data} onCodes={setCodes} />
          {(data.totp || data.passkeys.length > 0) && <Recovery factor={data} onCodes={setCodes} />}
        </>
      )}
      {codes !== null && <Codes codes={codes} onClose={() => setCodes(null)} />}
    </section>
  );
}

interface PartProps {
  factor: Factor;
  /** Receives new recovery codes, which are shown once. */
  onCodes: (codes: readonly string[]) => void;
}

function App({ factor: { totp, passkeys }, onCodes }: PartProps) {
  const { run, isRunning, refusal, clear } = useWrite("post /second-factor", { renews: RENEWS });
  const [asked, setAsked] = useState<"setUp" | "remove" | null>(null);
  const close = () => {
    clear();
    setAsked(null);
  };
  const remove = async () => {
    if ((await run({ action: "removeTotp" })) === null) return;
    close();
    say(says.appRemoved);
  };
  return (
    <>
      <h3>{says.app}</h3>
      <p>
        <span className={`mark ${totp ? "good" : "rests"}`}>{totp ? says.appOn : says.appOff}</span>
      </p>
      <p>
        <button type="button" onClick={() => setAsked(totp ? "remove" : "setUp")}>
          {totp ? says.appRemove : says.appSetUp}
        </button>
      </p>
      {asked === "setUp" && (
        <AppSetUp
          onClose={close}
          onCodes={(codes) => {
            close();
            onCodes(codes);
          }}
        />
      )}
      {asked === "remove" && (
        <Confirm
          title={says.appRemoveTitle}
          effect={
            <>
              <p>{says.appRemoveEffect}</p>
              {passkeys.length === 0 && <p>{says.lastEffect}</p>}
            </>
          }
          act={says.appRemoveAct}
          isDangerous
          isRunning={isRunning}
          refusal={refusal}
          onAct={() => void remove()}
          onClose={close}
        />
      )}
    </>
  );
}

function Recovery({ factor: { recoveryCodesLeft }, onCodes }: PartProps) {
  const { run, isRunning, refusal, clear } = useWrite("post /second-factor", { renews: RENEWS });
  const [isAsking, setAsking] = useState(false);
  const close = () => {
    clear();
    setAsking(false);
  };
  const renew = async () => {
    const answer = await run({ action: "renewRecoveryCodes" });
    if (answer === null) return;
    close();
    onCodes(answer.recoveryCodes);
  };
  return (
    <>
      <h3>{says.recovery}</h3>
      <p>{says.left(recoveryCodesLeft)}</p>
      <p>
        <button type="button" onClick={() => setAsking(true)}>
          {says.renew}
        </button>
      </p>
      {isAsking && (
        <Confirm
          title={says.renewTitle}
          effect={<p>{says.renewEffect}</p>}
          act={says.renewAct}
          isRunning={isRunning}
          refusal={refusal}
          onAct={() => void renew()}
          onClose={close}
        />
      )}
    </>
  );
}

function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Modal title={says.codesTitle} onClose={onClose}>
      <p>{says.codesText}</p>
      <ShownOnce label={says.codes} text={codes.join("\n")} rows={codes.length} />
      <div className="buttons">
        <button type="button" className="primary" onClick={onClose}>
          {says.done}
        </button>
      </div>
    </Modal>
  );
}
