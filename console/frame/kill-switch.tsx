import { Suspense, useState } from "react";
import { useCall } from "../api/query.ts";
import { words } from "../words/en.ts";
import { KillSwitchDialog } from "./dialogs.ts";

/** Stops every mail of the workspace from any page, at once and without a password: letting it go on asks for one. */
export function KillSwitch() {
  const { data } = useCall("get /workspace", {}, { every: 30_000 });
  /** What was on the button when it was pressed: the dialog does that, whatever becomes true under it. */
  const [asked, setAsked] = useState<{ isStopped: boolean } | null>(null);
  if (data === undefined) return null;
  const { isSendingPaused: isStopped } = data;
  return (
    <>
      <button type="button" className={isStopped ? "" : "danger"} onClick={() => setAsked({ isStopped })}>
        {isStopped ? words.killSwitch.resume : words.killSwitch.stop}
      </button>
      <Suspense fallback={null}>{asked !== null && <KillSwitchDialog {...asked} onClose={() => setAsked(null)} />}</Suspense>
    </>
  );
}
