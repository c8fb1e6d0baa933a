import { useNavigate } from "@tanstack/react-router";
import chevronsUpDown from "lucide/dist/esm/icons/chevrons-up-down.mjs";
import logOut from "lucide/dist/esm/icons/log-out.mjs";
import { useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { call } from "../api/call.ts";
import { useWorkspaceId } from "../api/path-id.ts";
import { prefix } from "../api/prefix.ts";
import { useCall } from "../api/query.ts";
import { refusalOf } from "../api/refusal.ts";
import { type Signal, useSignal } from "../api/signal.ts";
import { Select } from "../kit/field.tsx";
import { PersonChip } from "../kit/given.tsx";
import { Icon } from "../kit/icon.tsx";
import { Confirm } from "../kit/modal.tsx";
import { pathTo } from "../kit/to.tsx";
import { words } from "../words/en.ts";
import { dropSequences, placesOfSequences } from "./kept.ts";
import { DENSITIES, density, setDensity, setTheme, THEMES, theme } from "./theme.ts";

export function WorkspacePicker() {
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

/** Distance in pixels between the button and its menu. */
const GAP = 8;

/** The person, with a menu of what concerns only this browser. */
export function AccountMenu() {
  const { data: person } = useCall("get /session", {});
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const place = () => {
    const [from, to] = [button.current?.getBoundingClientRect(), menu.current];
    if (from === undefined || to === null) return;
    to.style.left = `${from.left}px`;
    to.style.bottom = `${window.innerHeight - from.top + GAP}px`;
  };
  return (
    <>
      <button ref={button} type="button" className="quiet account" popoverTarget={id}>
        <span className="hidden">{words.frame.accountMenu} </span>
        <PersonChip name={person?.name ?? person?.email ?? ""} />
        <Icon of={chevronsUpDown} />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="menu settings"
        onToggle={({ newState }) => newState === "open" && place()}
      >
        <BrowserSettings />
      </div>
    </>
  );
}

/** The look of the console in this browser, and the end of its session. */
export function BrowserSettings() {
  return (
    <>
      <Choice name={words.frame.theme} of={theme} values={THEMES} texts={words.frame.themes} onPick={setTheme} />
      <Choice
        name={words.frame.density}
        of={density}
        values={DENSITIES}
        texts={words.frame.densities}
        onPick={setDensity}
      />
      <SignOut />
    </>
  );
}

/** Unsaved texts are deleted with the session, so it asks before. */
function SignOut() {
  const { data: person } = useCall("get /session", {});
  const [unsaved, setUnsaved] = useState(0);
  const [isRunning, setRunning] = useState(false);
  const end = () => {
    setRunning(true);
    void signOut(person?.userId);
  };
  const ask = () => {
    const { size } = person === undefined ? new Set() : placesOfSequences(person.userId);
    if (size === 0) end();
    setUnsaved(size);
  };
  return (
    <>
      <button type="button" onClick={ask}>
        <Icon of={logOut} />
        {words.frame.signOut}
      </button>
      {unsaved > 0 &&
        // The menu around the button closes when a dialog opens
        createPortal(
          <Confirm
            title={words.frame.signOutTitle}
            effect={<p>{words.frame.signOutEffect(unsaved)}</p>}
            act={words.frame.signOut}
            isDangerous
            isRunning={isRunning}
            onAct={end}
            onClose={() => setUnsaved(0)}
          />,
          document.body,
        )}
    </>
  );
}

interface ChoiceProps<T extends string> {
  name: string;
  of: Signal<T>;
  values: readonly T[];
  texts: Readonly<Record<T, string>>;
  onPick: (value: string) => void;
}

function Choice<T extends string>({ name, of, values, texts, onPick }: ChoiceProps<T>) {
  const chosen = useSignal(of);
  return (
    <Select
      label={name}
      name={name}
      value={chosen}
      options={values.map((one) => ({ value: one, text: texts[one] }))}
      onPick={onPick}
    />
  );
}

/**
 * Ends the session on the server and opens the sign-in page, even if the server cannot be reached. The next person at
 * this browser must not find unsaved texts in it. They stay while the session has not ended.
 */
async function signOut(userId: string | undefined): Promise<void> {
  const isEnded = await call("delete /session", {}, { workspaceId: null }).then(
    () => true,
    (err: unknown) => refusalOf(err).status === 401,
  );
  if (isEnded && userId !== undefined) dropSequences(userId);
  location.assign(`${prefix}/login`);
}
