import pause from "lucide/dist/esm/icons/pause.mjs";
import play from "lucide/dist/esm/icons/play.mjs";
import { useCall } from "../api/query.ts";
import { useMay } from "../api/workspace.ts";
import { Icon } from "../kit/icon.tsx";
import { words } from "../words/en.ts";

interface KillSwitchProps {
  /** If true, only the icon is visible. */
  isShort?: boolean;
  /**
   * Receives the state that the button showed, so that the dialog does the action of the button even if the state
   * changes meanwhile.
   */
  onPress: (isStopped: boolean) => void;
}

/**
 * A button on every page that pauses all sending of the workspace immediately, without a password. Resuming asks for
 * the password.
 */
export function KillSwitch({ isShort = false, onPress }: KillSwitchProps) {
  const may = useMay()("workspace:write");
  const { data } = useCall("get /workspace", {}, { every: 30_000, isOff: !may });
  if (data === undefined || !may) return null;
  const { isSendingPaused: isStopped } = data;
  const name = isStopped ? words.killSwitch.resume : words.killSwitch.stop;
  return (
    <button
      type="button"
      className={isStopped ? "kill-switch" : "kill-switch danger"}
      {...(isShort && { title: name })}
      onClick={() => onPress(isStopped)}
    >
      <Icon of={isStopped ? play : pause} />
      <span className="name">{name}</span>
    </button>
  );
}
