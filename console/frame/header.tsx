import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { call } from "../api/call.ts";
import { useWorkspaceId } from "../api/path-id.ts";
import { prefix } from "../api/prefix.ts";
import { useCall } from "../api/query.ts";
import { useSignal } from "../api/signal.ts";
import { useMay } from "../api/workspace.ts";
import { pathTo } from "../kit/to.tsx";
import { words } from "../words/en.ts";
import { KillSwitchDialog } from "./dialogs.ts";
import { setTheme, THEMES, theme } from "./theme.ts";

export function Header() {
  const may = useMay();
  return (
    <header className="header">
      <span className="product">{words.product}</span>
      <WorkspacePicker />
      <span className="space" />
      {may("workspace:write") && <KillSwitch />}
      <ThemePicker />
      <button type="button" onClick={() => void signOut()}>
        {words.frame.signOut}
      </button>
    </header>
  );
}

function WorkspacePicker() {
  const { data } = useCall("get /session", {});
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const mine = data?.workspaces ?? [];
  const [only] = mine;
  if (mine.length === 1 && only?.id === workspaceId) return <span className="workspace">{only.name}</span>;
  return (
    <select
      aria-label={words.frame.workspace}
      className="workspace"
      value={workspaceId}
      onChange={({ currentTarget: { value } }) => void navigate({ to: pathTo(value, "/") })}
    >
      {!mine.some(({ id }) => id === workspaceId) && <option value={workspaceId}>…</option>}
      {mine.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function ThemePicker() {
  const chosen = useSignal(theme);
  return (
    <select
      aria-label={words.frame.theme}
      value={chosen}
      onChange={({ currentTarget: { value } }) => setTheme(THEMES.find((one) => one === value) ?? "auto")}
    >
      {THEMES.map((one) => (
        <option key={one} value={one}>
          {words.frame.themes[one]}
        </option>
      ))}
    </select>
  );
}

/** Ends the session on the server and opens the sign-in page, even if the server cannot be reached. */
async function signOut(): Promise<void> {
  await call("delete /session", {}, { workspaceId: null }).catch(() => {});
  location.assign(`${prefix}/login`);
}

/**
 * A button on every page that pauses all sending of the workspace immediately, without a password. Resuming asks for
 * the password.
 */
function KillSwitch() {
  const { data } = useCall("get /workspace", {}, { every: 30_000 });
  /**
   * The state when the button was pressed: the dialog does the action that the button showed, even if the state changes
   * meanwhile.
   */
  const [asked, setAsked] = useState<{ isStopped: boolean } | null>(null);
  if (data === undefined) return null;
  const { isSendingPaused: isStopped } = data;
  return (
    <>
      <button type="button" className={isStopped ? "" : "danger"} onClick={() => setAsked({ isStopped })}>
        {isStopped ? words.killSwitch.resume : words.killSwitch.stop}
      </button>
      <Suspense fallback={null}>
        {asked !== null && <KillSwitchDialog {...asked} onClose={() => setAsked(null)} />}
      </Suspense>
    </>
  );
}
