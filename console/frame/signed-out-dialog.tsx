import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/call.ts";
import { prefix } from "../api/prefix.ts";
import { sessionEnded } from "../api/session.ts";
import { useSignal } from "../api/signal.ts";
import { Modal } from "../kit/modal.tsx";
import { words } from "../words/en.ts";

/** Tells that nobody is signed in any more, above the page, which stays as it is: what was typed is still there afterwards. */
export function SignedOutDialog() {
  const isEnded = useSignal(sessionEnded);
  const client = useQueryClient();
  const [isStillOut, setStillOut] = useState(false);
  if (!isEnded) return null;
  const goOn = async () => {
    const isBack = await call("get /session", {}, { workspaceId: null }).then(
      () => true,
      () => false,
    );
    setStillOut(!isBack);
    if (!isBack) return;
    sessionEnded.set(false);
    await client.invalidateQueries();
  };
  return (
    <Modal title={words.session.ended} onClose={() => sessionEnded.set(false)}>
      <p>{words.session.endedText}</p>
      {isStillOut && (
        <p className="wrong" role="alert">
          {words.session.stillOut}
        </p>
      )}
      <div className="buttons">
        <a className="button" href={`${prefix}/login`} target="_blank" rel="noreferrer">
          {words.session.signIn}
        </a>
        <button type="button" className="primary" onClick={() => void goOn()}>
          {words.session.goOn}
        </button>
      </div>
    </Modal>
  );
}
