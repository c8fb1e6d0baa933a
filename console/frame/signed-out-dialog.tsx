import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/call.ts";
import { sessionEnded, signInAddress } from "../api/session.ts";
import { Modal } from "../kit/modal.tsx";
import { sessionWords as says } from "../words/en/frame.ts";

/** Says above the page that the session has ended. The page stays as it is, so typed text is still there afterwards. */
export function SignedOutDialog() {
  const client = useQueryClient();
  const [isStillOut, setStillOut] = useState(false);
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
    <Modal title={says.ended} onClose={() => sessionEnded.set(false)}>
      <p>{says.endedText}</p>
      {isStillOut && (
        <p className="wrong" role="alert">
          {says.stillOut}
        </p>
      )}
      <div className="buttons">
        <a className="button" href={signInAddress()} target="_blank" rel="noreferrer">
          {says.signIn}
        </a>
        <button type="button" className="primary" onClick={() => void goOn()}>
          {says.goOn}
        </button>
      </div>
    </Modal>
  );
}
