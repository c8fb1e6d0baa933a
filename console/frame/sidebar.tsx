import panelLeftClose from "lucide/dist/esm/icons/panel-left-close.mjs";
import panelLeftOpen from "lucide/dist/esm/icons/panel-left-open.mjs";
import search from "lucide/dist/esm/icons/search.mjs";
import { useMembership } from "../api/workspace.ts";
import { initialsOf } from "../kit/given.tsx";
import { Icon } from "../kit/icon.tsx";
import { words } from "../words/en.ts";
import { AccountMenu, WorkspacePicker } from "./account.tsx";
import { KillSwitch } from "./kill-switch.tsx";
import { Navigation } from "./navigation.tsx";

interface SidebarProps {
  /** If false, it shows only icons. */
  isOpen: boolean;
  onToggle: () => void;
  onGoTo: () => void;
  onKillSwitch: (isStopped: boolean) => void;
}

/** The workspace, the navigation and the person, beside every page. */
export function Sidebar({ isOpen, onToggle, onGoTo, onKillSwitch }: SidebarProps) {
  const membership = useMembership();
  const toggleName = isOpen ? words.frame.collapse : words.frame.expand;
  return (
    <header className="sidebar">
      <div className="brand">
        <span className="product">{words.product}</span>
        <button type="button" className="quiet square" aria-label={toggleName} title={toggleName} onClick={onToggle}>
          <Icon of={isOpen ? panelLeftClose : panelLeftOpen} />
        </button>
      </div>
      {isOpen ? (
        <WorkspacePicker />
      ) : (
        <span className="avatar" title={membership?.name ?? ""} aria-hidden="true">
          {initialsOf(membership?.name ?? "")}
        </span>
      )}
      {membership !== null && (
        <>
          <button type="button" className="go-to" onClick={onGoTo} {...(!isOpen && { title: words.frame.goTo })}>
            <Icon of={search} />
            <span className="name">{words.frame.goTo}</span>
            <span className="name keys" aria-hidden="true">
              {/Mac|iP/.test(navigator.platform) ? words.frame.goToKeys.mac : words.frame.goToKeys.other}
            </span>
          </button>
          <Navigation hasPages={isOpen} />
        </>
      )}
      <div className="foot">
        <KillSwitch isShort={!isOpen} onPress={onKillSwitch} />
        <AccountMenu />
      </div>
    </header>
  );
}
